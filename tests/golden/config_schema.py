#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON schema of .jaxpr.yaml says what the program says.

    config_schema.py JAXPR SCHEMA CONFIG_DEF DIRECTORY...

Every key of config.def is in the schema with its help. With the packages yaml and jsonschema at hand (they are no part
of what building needs; without them that is said), each *.yaml below the directories that the program takes is valid, and
each in which it finds an unknown key or a value of another kind is not."""

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
        complain(f"the schema lacks {section}.{key}")
if sum(len(d["properties"]) for d in schema["definitions"].values()) != len(keys):
    complain("the schema has keys that config.def has not")

count = 0
try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"{error.name} is not here: no configuration validated")
else:
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for path in sorted(p for d in directories for p in glob.glob(os.path.join(d, "**/*.yaml"), recursive=True)):
        if "bomb" in path:
            continue  # aliases that jsonschema would unfold
        done = subprocess.run([jaxpr, "contract", "check", "--format=gcc", f"--config={path}", "-"], capture_output=True,
                              text=True, input="{ lambda ; . let  in () }")
        codes = set(re.findall(r": error: .*\[(K82\d)\]$", done.stdout, re.M))
        twice = "duplicate key" in done.stdout
        if "K820" in codes or twice or codes == {"K823"}:
            continue  # no YAML to validate, or nothing that a schema could know
        with open(path, encoding="utf-8-sig") as file:
            valid = validator.is_valid(yaml.safe_load(file))
        count += 1
        if valid != (not codes):
            complain(f"{path}: {'valid' if valid else 'not valid'}, but the program finds {sorted(codes) or 'nothing'}")
    if count == 0:
        complain("no configuration validated")
print(f"{len(keys)} keys, {count} configurations, {wrong} wrong")
if wrong:
    print("repeat:", shlex.join(sys.argv))
sys.exit(1 if wrong or not keys else 0)
