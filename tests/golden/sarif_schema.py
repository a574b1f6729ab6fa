#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that SARIF output conforms to SARIF 2.1.0.

    sarif_schema.py JAXPR PATH   runs `JAXPR check --format=sarif` on a program, or on each below a directory and on all
                                 of them at once
    sarif_schema.py -            reads one log from standard input

For every object that jaxpr prints, the tables below give, by the 2.1.0 schema, the properties that it may have (others
are allowed only in property bags), which of them are required, and the range of their values. Also checked is what a
schema cannot express: rule indices, the order of columns, and that fingerprints are unique. If the package sarif_om is
installed, whose classes are generated from the schema, the tables are compared with it."""

import glob
import json
import os
import re
import shlex
import subprocess
import sys


class Wrong(Exception):
    pass


def integer(least):
    def check(value, where):
        if type(value) is not int or value < least:
            raise Wrong(f"{where}: {value!r} is not an integer of at least {least}")
    return check


def string(pattern=""):
    def check(value, where):
        if type(value) is not str or not re.search(pattern, value):
            raise Wrong(f"{where}: {value!r} is not a string that matches {pattern!r}")
    return check


def one_of(*values):
    def check(value, where):
        if value not in values:
            raise Wrong(f"{where}: {value!r} is not one of {values}")
    return check


def array(item, least=0, unique=False):
    def check(value, where):
        if type(value) is not list or len(value) < least:
            raise Wrong(f"{where}: not an array of at least {least}")
        if unique and len({json.dumps(v, sort_keys=True) for v in value}) < len(value):
            raise Wrong(f"{where}: elements repeat")
        for i, v in enumerate(value):
            item(v, f"{where}[{i}]")
    return check


def strings(value, where):
    if type(value) is not dict or any(type(v) is not str for v in value.values()):
        raise Wrong(f"{where}: not an object of strings")


def bag(value, where):
    if type(value) is not dict:
        raise Wrong(f"{where}: not an object")


def thing(name):
    """checks an object of OBJECTS, which is looked up at the call, as objects contain each other"""
    def check(value, where):
        required, properties = OBJECTS[name]
        if type(value) is not dict:
            raise Wrong(f"{where}: not an object")
        for key in required:
            if key not in value:
                raise Wrong(f"{where}: {key} is missing")
        for key, v in value.items():
            if key not in properties:
                raise Wrong(f"{where}: a {name} has no property {key}")
            properties[key](v, f"{where}.{key}")
    return check


LEVEL = one_of("none", "note", "warning", "error")
URI = string(r"^(file:///|(?!/))([A-Za-z0-9._~/-]|%[0-9A-F]{2})*$")

OBJECTS = {
    "sarif_log": (["version", "runs"], {
        "$schema": string(r"^https://\S+/sarif-2\.1\.0\.json$"),
        "version": one_of("2.1.0"),
        "runs": array(thing("run")),
    }),
    "run": (["tool"], {
        "tool": thing("tool"),
        "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints"),
        "results": array(thing("result")),
        "properties": bag,
    }),
    "tool": (["driver"], {"driver": thing("tool_component")}),
    "tool_component": (["name"], {
        "name": string("."),
        "version": string("."),
        "semanticVersion": string(r"^\d+\.\d+\.\d+"),
        "informationUri": string("^https://"),
        "rules": array(thing("reporting_descriptor"), unique=True),
    }),
    "reporting_descriptor": (["id"], {
        "id": string(r"^[A-Z]\d{3}$"),
        "name": string(r"^[a-z0-9-]+$"),
        "shortDescription": thing("multiformat_message_string"),
        "fullDescription": thing("multiformat_message_string"),
        "help": thing("multiformat_message_string"),
        "defaultConfiguration": thing("reporting_configuration"),
    }),
    "multiformat_message_string": (["text"], {"text": string("."), "markdown": string(".")}),
    "reporting_configuration": ([], {"level": LEVEL}),
    "result": (["message"], {
        "ruleId": string(r"^[A-Z]\d{3}$"),
        "ruleIndex": integer(-1),
        "level": LEVEL,
        "message": thing("message"),
        "locations": array(thing("location")),
        "relatedLocations": array(thing("location"), unique=True),
        "partialFingerprints": strings,
        "properties": bag,
    }),
    "message": ([], {"text": string(".")}),
    "location": ([], {
        "id": integer(-1),
        "physicalLocation": thing("physical_location"),
        "message": thing("message"),
    }),
    "physical_location": ([], {"artifactLocation": thing("artifact_location"), "region": thing("region")}),
    "artifact_location": ([], {"uri": URI}),
    "region": ([], {
        "startLine": integer(1),
        "startColumn": integer(1),
        "endLine": integer(1),
        "endColumn": integer(1),
    }),
}


def check_region(location, where):
    region = location["physicalLocation"].get("region")
    if region and (region["startLine"], region["startColumn"]) > (region["endLine"], region["endColumn"]):
        raise Wrong(f"{where}: the end of the region is before its start")


def check_log(log):
    thing("sarif_log")(log, "log")
    if len(log["runs"]) != 1:
        raise Wrong("log: there must be exactly one run")
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    prints = set()
    for i, result in enumerate(run["results"]):
        where = f"results[{i}]"
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            raise Wrong(f"{where}: ruleIndex is that of another rule")
        if len(result["locations"]) != 1:
            raise Wrong(f"{where}: there must be exactly one location")
        for location in result["locations"] + result.get("relatedLocations", []):
            check_region(location, where)
        (print_,) = result["partialFingerprints"].items()
        key = (result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], print_)
        if key in prints:
            raise Wrong(f"{where}: the fingerprint {print_} repeats")
        prints.add(key)
    used = {result["ruleId"] for result in run["results"]}
    if sorted(rule["id"] for rule in rules) != sorted(used):
        raise Wrong("the rules must be those of the results, each once")
    return len(run["results"])


def compare_with_package():
    """compares the tables with the classes of sarif_om, generated from the published schema"""
    try:
        import attr
        import sarif_om
    except ImportError:
        print("sarif_om is not installed: the tables were not compared with it")
        return
    for name, (required, properties) in OBJECTS.items():
        fields = {f.metadata["schema_property_name"]: f for f in attr.fields(
            getattr(sarif_om, name.title().replace("_", "")))}
        for key in properties:
            if key not in fields:
                raise Wrong(f"sarif_om: {name} has no property {key}")
        needed = {key for key, f in fields.items() if f.default is attr.NOTHING}
        if needed != set(required):
            raise Wrong(f"sarif_om: {name} requires {sorted(needed)}, the table {required}")


def run(binary, files):
    done = subprocess.run([binary, "check", "--format=sarif", *files], capture_output=True)
    if done.returncode not in (0, 1):
        raise Wrong(f"exit status {done.returncode}: {done.stderr.decode(errors='replace')}")
    try:
        return check_log(json.loads(done.stdout.decode("utf-8")))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Wrong(f"output is not JSON: {error}")


def main(arguments):
    what = "tables"
    try:
        compare_with_package()
        if arguments == ["-"]:
            what = "standard input"
            results = check_log(json.load(sys.stdin))
        else:
            binary, path = arguments
            files = sorted(glob.glob(os.path.join(path, "**/*.jaxpr"), recursive=True)) if os.path.isdir(path) else [path]
            for what in files:
                run(binary, [what])
            what = "all files together"
            results = run(binary, files)
            if results == 0 and os.path.isdir(path):
                raise Wrong("there are no results, so nothing was tested")
    except Wrong as wrong:
        print(f"{what}: {wrong}")
        one = [what] if os.path.exists(what) else arguments[1:]
        print("repeat:", shlex.join([sys.argv[0], *arguments[:1], *one]))
        return 1
    print(f"{results} results, all valid")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
