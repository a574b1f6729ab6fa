#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man/jaxpr-rules.7 is what `jaxpr rules --format=json` prints.

    rules.py [--update] JAXPR SOURCE_ROOT

Also: every rule of grammar/lint.def has a golden case that fires (CODE_name below tests/golden/lint) and one that
nearly does (CODE_fine), which differ, and a page that says what it cannot see."""

import glob
import json
import os
import re
import shlex
import subprocess
import sys

HEAD = r""".\" SPDX-License-Identifier: Apache-2.0
.\" written by tests/rules.py --update
.Dd November 21, 2026
.Dt JAXPR-RULES 7
.Os
.Sh NAME
.Nm jaxpr-rules
.Nd what lint finds in Jaxprs
.Sh DESCRIPTION
These are the rules of
.Xr jaxpr-lint 1 .
The line below the name of a rule says whether its findings are warnings or notes.
Rules marked \(lqruns by default\(rq run unless ignored; the others run only if selected.
.Ql jaxpr lint \-\-fix
can fix findings of the rules marked \(lqcan be fixed\(rq, but not always all of them.
Change settings with
.Fl -set ,
as in
.Ql \-\-set=P303.bytes=1G ,
or in
.Xr jaxpr.yaml 5 .
.Pp
Each rule has an example that it reports, one that it does not report, and its limits: what
it misses, and which intended code it reports.
"""

TAIL = r""".Sh SEE ALSO
.Xr jaxpr-explain 1 ,
.Xr jaxpr-lint 1 ,
.Xr jaxpr-rules 1
"""


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def page(rule):
    level = {"note": "A note", "warning": "A warning", "error": "An error"}[rule["level"]]
    parts = [level]
    parts += ["runs by default"] * rule["default"] + ["can be fixed"] * rule["fix"]
    out = [f".Ss {rule['code']} {escape(rule['name'])}: {escape(rule['title'])}", "; ".join(parts) + "."]
    for setting in rule["settings"]:
        default = f"default {setting['value']}" if setting["value"] else "no default"
        out += [".br", f"Setting {rule['code']}.{setting['key']}: {escape(setting['help'])} ({default})."]
    literal, blank = False, True
    out += [".Pp"]
    for line in rule["page"].rstrip("\n").split("\n"):
        if line.startswith("    ") and not literal:
            out += [".Bd -literal"]
            literal = True
        elif literal and line and not line.startswith("    "):
            while out[-1] == "":
                out.pop()
            out += [".Ed", ".Pp"]
            literal = False
        if literal:
            out += [escape(line[4:])]
        elif line:
            out += [escape(sentence) for sentence in re.split(r"(?<=[.:]) (?=[A-Z`])|(?<=[a-z][.]) (?=[a-z])", line)]
        elif not blank and not out[-1] == ".Pp":
            out += [".Pp"]
        blank = not line
    if literal:
        out += [".Ed"]
    return "\n".join(line for i, line in enumerate(out) if not (line == ".Pp" and out[i + 1:i + 2] == [".Bd -literal"])) + "\n"


def manual(rules):
    out, group = [HEAD], None
    for rule in rules:
        if rule["group"] != group:
            group = rule["group"]
            out.append(f".Sh {rule['code'][0]}: {group.upper()}\n")
        out.append(page(rule))
    return "".join(out + [TAIL])


def judge(rules, root):
    found = glob.glob(os.path.join(root, "tests/golden/lint/**/*.out"), recursive=True)
    golden = {os.path.basename(path)[:-4]: path for path in found}
    for rule in rules:
        code, name = rule["code"], rule["name"].replace("-", "_")
        cases = [f"{code}_{suffix}" for suffix in (name, "fine")]
        yield from (f"{code}: no case {case}" for case in cases if case not in golden)
        parts = [open(golden[case], encoding="utf-8").read() for case in cases if case in golden]
        if len(parts) == 2 and (f"[{code} " not in parts[0] or parts[1]):
            yield f"{code}: the first case does not fire, or the second does"
        if "cannot see" not in rule["page"]:
            yield f"{code}: its page does not say what it cannot see"


def main(arguments):
    update = "--update" in arguments
    binary, root = [a for a in arguments if a != "--update"]
    rules = json.loads(subprocess.run([binary, "rules", "--format=json"], capture_output=True, check=True).stdout)
    path, text = os.path.join(root, "man/jaxpr-rules.7"), manual(rules)
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    wrong = list(judge(rules, root))
    if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
        wrong.append("man/jaxpr-rules.7 is not what tests/rules.py --update would write")
    print("\n".join(wrong + [f"{len(rules)} rules, {len(wrong)} things wrong"]))
    if wrong:
        print("repeat:", shlex.join(sys.argv))
    return 1 if wrong or not rules else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
