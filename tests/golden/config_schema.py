#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the JSON schema of .jaxpr.yaml accepts what the program accepts.

    config_schema.py JAXPR SCHEMA CONFIG_DEF DIRECTORY...

The schema must have every key of config.def, with its help. If the packages yaml and jsonschema are installed, which
the build does not require, each *.yaml below the directories must be valid by the schema if the program accepts it,
and invalid if the program finds an unknown key or a value of another kind in it."""

import glob
import json
import os
import re
import shlex
import subprocess
import sys

jaxpr, schema, table, *directories = sys.argv[1:]
with open(schema, encoding="utf-8") as file:
    schema = json.load(file)
with open(table, encoding="utf-8") as file:
    keys = re.findall(r'^KEY\((\w+), (\w+), \w+, \w+, "([^"]*)"\)$', file.read(), re.M)
wrong = 0


def complain(what):
    global wrong
    wrong += 1
    print(what)


for section, key, text in keys:
    if schema["definitions"][section]["properties"].get(key, {}).get("description") != text:
        complain(f"the schema has no {section}.{key} with this help: {text}")
if sum(len(d["properties"]) for d in schema["definitions"].values()) != len(keys):
    complain("the schema has keys that are not in config.def")

count = 0
try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"{error.name} is not installed: no configuration was validated")
else:
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for path in sorted(p for d in directories for p in glob.glob(os.path.join(d, "**/*.yaml"), recursive=True)):
        if "bomb" in path:
            continue  # jsonschema would expand its aliases
        done = subprocess.run([jaxpr, "contract", "check", "--format=gcc", f"--config={path}", "-"], capture_output=True,
                              text=True, input="{ lambda ; . let  in () }")
        codes = set(re.findall(r": error: .*\[(K82\d)\]$", done.stdout, re.M))
        twice = "duplicate key" in done.stdout
        if "K820" in codes or twice or codes == {"K823"}:
            continue  # it is not YAML, or the error is one that a schema cannot express
        with open(path, encoding="utf-8-sig") as file:
            valid = validator.is_valid(yaml.safe_load(file))
        count += 1
        if valid != (not codes):
            complain(f"{path}: {'valid' if valid else 'not valid'}, but the program finds {sorted(codes) or 'nothing'}")
    if count == 0:
        complain("no configuration was validated")
print(f"{len(keys)} keys, {count} configurations, {wrong} wrong")
if wrong:
    print("repeat:", shlex.join(sys.argv))
sys.exit(1 if wrong or not keys else 0)
