#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that JUnit and GitLab output conform to their formats, and that all formats have the same findings.

    schemas.py [--fetch DIRECTORY] JAXPR PATH

Runs `JAXPR check` on a program, or on those below a directory, all together, then on every eighth alone.
JUNIT_ELEMENTS restates the schema by which Jenkins reads JUnit's XML (junit-10.xsd of its xUnit plugin), QUALITY
GitLab's documentation of code quality reports.

The project does not contain the published schemas. If $SARIF_SCHEMA names the JSON schema of SARIF 2.1.0, the package
jsonschema validates SARIF output. If $JUNIT_SCHEMA names junit-10.xsd, the package lxml or the program xmllint
validates JUnit's XML; --fetch writes junit-10.xsd to DIRECTORY, from the source package of pytest, by pip. Checks for
which something is missing are skipped, with a message."""

import glob
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree

# element: attributes, those of them that are required, children, and whether it contains text
JUNIT_ELEMENTS = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}, False),
    "testsuite": ({"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id",
                   "package", "file", "log", "url", "version"}, {"name", "tests", "failures", "errors"},
                  {"testsuite", "properties", "testcase", "system-out", "system-err"}, False),
    "properties": (set(), set(), {"property"}, False),
    "property": ({"name", "value"}, {"name", "value"}, set(), False),
    "testcase": ({"name", "time", "classname", "group"}, {"name"},
                 {"skipped", "error", "failure", "system-out", "system-err"}, False),
    "failure": ({"type", "message"}, set(), set(), True),
    "system-out": (set(), set(), set(), True),
}
QUALITY = {"description": str, "check_name": str, "fingerprint": str, "severity": str, "location": dict}
SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


class Wrong(Exception):
    pass


def check_element(element, where):
    if element.tag not in JUNIT_ELEMENTS:
        raise Wrong(f"{where}: unknown element {element.tag}")
    attributes, required, children, text = JUNIT_ELEMENTS[element.tag]
    if not required <= set(element.attrib) <= attributes:
        raise Wrong(f"{where}: {element.tag} has the attributes {sorted(element.attrib)}")
    if not text and (element.text or "").strip():
        raise Wrong(f"{where}: {element.tag} contains text")
    for child in element:
        if child.tag not in children:
            raise Wrong(f"{where}: {child.tag} is in {element.tag}")
        check_element(child, f"{where}/{child.tag}")


def check_junit(text, findings):
    root = ElementTree.fromstring(text)
    check_element(root, "testsuites")
    failed, names = set(), set()
    for suite in root:
        cases = suite.findall("testcase")
        failures = suite.findall("testcase/failure")
        if (int(suite.get("tests")), int(suite.get("failures"))) != (len(cases), len(failures)):
            raise Wrong(f"{suite.get('name')}: wrong counts of tests or failures")
        if len({case.get("name") for case in cases}) < len(cases):
            raise Wrong(f"{suite.get('name')}: two cases have the same name")
        names |= {(suite.get("name"), case.get("name")) for case in cases}
        failed |= {(suite.get("name"), case.get("name")) for case in cases if case.find("failure") is not None}
    # findings before or after programs belong to the case `text`
    places = [(f["file"], f"program {f['program'] + 1}" if f["program"] is not None else "text")
              for f in findings if f["level"] == "error"]
    want = {place if place in names else (place[0], "text") for place in places}
    if failed != want:
        raise Wrong(f"cases that fail and cases with errors differ: {sorted(failed ^ want)[:3]}")


def check_unverified(summaries, junit, sarif):
    """equations and types that are not verified are counted alike in JSON, JUnit and SARIF"""
    counts = {}
    for summary in summaries:
        numbers = summary["equations_not_verified"], summary["types_unknown"]
        counts[summary["file"]] = tuple(map(sum, zip(counts.get(summary["file"], (0, 0)), numbers)))
        names = summary["primitives"], summary["types"]
        if not any(numbers) or any(bool(n) != bool(of) or len(of) > n for n, of in zip(numbers, names)) or summary["level"] != "note":
            raise Wrong(f"wrong summary: {summary}")
    suites = {suite.get("name"): tuple(int(each.get("value")) for each in found) for suite in ElementTree.fromstring(junit)
              if (found := suite.findall("properties/property"))}
    run = json.loads(sarif)["runs"][0].get("properties", {"equationsNotVerified": 0, "typesUnknown": 0})
    if counts != suites or [sum(each[i] for each in counts.values()) for i in (0, 1)] != list(run.values()):
        raise Wrong(f"JSON, JUnit and SARIF count unverified equations differently: {counts}, {suites}, {run}")


def check_gitlab(text, findings):
    report = json.loads(text)
    if len(report) != len(findings):
        raise Wrong(f"gitlab has {len(report)} findings of {len(findings)}")
    if len({issue["fingerprint"] for issue in report}) < len(report):
        raise Wrong("a fingerprint repeats")
    for issue, finding in zip(report, findings):
        if {key: type(value) for key, value in issue.items()} != QUALITY:
            raise Wrong(f"wrong keys or types of an issue: {issue}")
        location = issue["location"]
        if issue["severity"] not in SEVERITIES or location["path"].startswith("./"):
            raise Wrong(f"wrong severity or path of an issue: {issue}")
        notes = [note["message"] + (f" (line {note['line']})" if note["line"] else "") for note in finding["notes"]]
        if location["lines"]["begin"] != (finding["line"] or 1) or \
                issue["description"] != "; ".join([finding["message"], *notes]):
            raise Wrong(f"the issue {issue} does not match the finding {finding}")


def check_sarif(text, schema):
    import jsonschema
    for error in jsonschema.validators.validator_for(schema)(schema).iter_errors(json.loads(text)):
        raise Wrong(f"SARIF's schema: {error.message[:200]}")


def check_xsd(text, path):
    try:
        from lxml import etree
    except ImportError:
        done = subprocess.run(["xmllint", "--noout", "--schema", path, "-"], input=text, capture_output=True)
        if done.returncode:
            raise Wrong(f"JUnit's schema: {done.stderr.decode()[:200]}")
        return
    schema = etree.XMLSchema(etree.parse(path))
    if not schema.validate(etree.fromstring(text)):
        raise Wrong(f"JUnit's schema: {schema.error_log.last_error}")


def fetch(directory):
    """writes junit-10.xsd from pytest's source package to the directory; returns its path, or None if that fails"""
    target = os.path.join(directory, "junit-10.xsd")
    if os.path.exists(target):
        return target
    with tempfile.TemporaryDirectory() as place:
        try:
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", place,
                            "pytest==8.3.4"], check=True, capture_output=True, timeout=120)
        except (OSError, subprocess.SubprocessError):
            return None
        for archive in glob.glob(os.path.join(place, "*.tar.gz")):
            with tarfile.open(archive) as tar:
                for member in tar:
                    if os.path.basename(member.name) == "junit-10.xsd":
                        with open(target, "wb") as out:
                            shutil.copyfileobj(tar.extractfile(member), out)
                        return target
    return None


def published(directory):
    """the published schemas that are available: (the one of SARIF, the path of JUnit's), each of which may be None"""
    sarif, junit = None, os.environ.get("JUNIT_SCHEMA") or (fetch(directory) if directory else None)
    if junit and not shutil.which("xmllint"):
        try:
            import lxml  # noqa: F401
        except ImportError:
            junit = None
    try:
        import jsonschema  # noqa: F401
        if os.environ.get("SARIF_SCHEMA"):
            with open(os.environ["SARIF_SCHEMA"], encoding="utf-8") as f:
                sarif = json.load(f)
    except ImportError:
        pass
    for name, schema in (("SARIF", sarif), ("JUnit", junit)):
        print(f"{name}: {'validated by' if schema else 'without'} the published schema")
    return sarif, junit


def run(binary, files, schemas):
    def output(form):
        done = subprocess.run([binary, "check", f"--format={form}", *files], capture_output=True)
        if done.returncode not in (0, 1):
            raise Wrong(f"exit status {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout
    findings = json.loads(output("json"))
    if [json.loads(line) for line in output("jsonl").splitlines()] != findings:
        raise Wrong("jsonl and json differ")
    summaries = [f for f in findings if not f["code"]]
    findings = [f for f in findings if f["code"]]
    junit, sarif = output("junit"), output("sarif")
    check_unverified(summaries, junit, sarif)
    check_junit(junit, findings)
    check_gitlab(output("gitlab"), findings)
    if schemas[0]:
        check_sarif(sarif, schemas[0])
    if schemas[1]:
        check_xsd(junit, schemas[1])
    return len(findings), len(summaries)


def main(arguments):
    directory = None
    if arguments[:1] == ["--fetch"]:
        directory, arguments = arguments[1], arguments[2:]
    binary, programs = arguments
    schemas = published(directory)
    one = os.path.isfile(programs)
    files = [programs] if one else sorted(glob.glob(os.path.join(programs, "**/*.jaxpr"), recursive=True))
    what = "all files together"
    try:
        findings, summaries = run(binary, files, schemas)
        for what in files[::8]:
            run(binary, [what], schemas)
        if not one and not (findings and summaries):
            raise Wrong("there are no findings or no equations that are not verified, so not all was tested")
    except (Wrong, ElementTree.ParseError, json.JSONDecodeError) as wrong:
        print(f"{what}: {wrong}")
        print("repeat:", shlex.join([sys.argv[0], binary, what if os.path.exists(what) else programs]))
        return 1
    print(f"{findings} findings and {summaries} files with equations that are not verified, the same in all formats")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
