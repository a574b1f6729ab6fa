#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files of samples/ci and .pre-commit-hooks.yaml work.

    ci_samples.py JAXPR ROOT

The problem matcher finds in the formats `gcc` and `text` what `json` contains; the commands of the hooks, of the action
and of GitLab's job run, with the exit statuses and files that are expected."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

jaxpr, root = map(os.path.abspath, sys.argv[1:])
wrong = []


def need(fact, what):
    if not fact:
        wrong.append(what)


def read(*path):
    with open(os.path.join(root, *path), encoding="utf-8") as f:
        return f.read()


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def matcher():
    pattern = json.loads(read("samples", "ci", "problem-matcher.json"))["problemMatcher"][0]["pattern"][0]
    programs = ["samples/edited_by_hand.jaxpr", "samples/log_of_two.jaxpr"]
    findings = json.loads(run([jaxpr, "check", "--format=json", *programs], cwd=root).stdout)
    for form in "gcc", "text":
        lines = run([jaxpr, "check", f"--format={form}", *programs], cwd=root).stdout.splitlines()
        found = [m for m in map(re.compile(pattern["regexp"]).match, lines) if m]
        got = [(m[pattern["file"]], int(m[pattern["line"]]), int(m[pattern["column"]]), m[pattern["severity"]],
                m[pattern["message"]], m[pattern["code"]]) for m in found]
        want = [(f["file"], f["line"], f["column"], f["level"], f["message"], f["code"]) for f in findings]
        need(got == want and want, f"the problem matcher reads {form} as {got[:1]}, not {want[:1]}")


def hooks(place):
    text = read(".pre-commit-hooks.yaml")
    entries = dict(zip(re.findall(r"^- id: (\S+)$", text, re.M), re.findall(r"^  entry: (.*)$", text, re.M)))
    patterns = re.findall(r"^  files: '(.*)'$", text, re.M)
    need(sorted(entries) == ["jaxpr-check", "jaxpr-fmt", "jaxpr-lint"], f"hooks: {sorted(entries)}")
    used = re.findall(r"^      - id: (\S+)$", read("samples", "ci", "pre-commit-config.yaml"), re.M)
    need(sorted(used) == sorted(entries), f"the configuration of pre-commit uses {used}")
    need(all(re.search(p, "a/b.jaxpr.txt") and re.search(p, "b.jaxpr") and not re.search(p, "b.py") for p in patterns), "files")
    path = os.path.join(place, "loose.jaxpr")
    with open(path, "w", encoding="utf-8") as f:
        f.write("{ lambda ;  a:f32[]. let b:f32[] = sin a in (b,) }\n")
    for name, status in (("jaxpr-check", 0), ("jaxpr-lint", 0), ("jaxpr-fmt", 0)):
        done = run(entries[name].split() + [path])
        need(done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    with open(path, encoding="utf-8") as f:
        need(f.read() == "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n", "jaxpr-fmt did not write the file")


def installs(place, script):
    """The action makes a venv, installs the given source into it, and adds its programs to the path."""
    python = os.path.join(place, "python", "python3")
    os.mkdir(os.path.dirname(python))
    with open(python, "w", encoding="utf-8") as f:
        f.write('#!/bin/sh\nmkdir -p "$3/bin"\nprintf \'#!/bin/sh\\necho "$@"\' > "$3/bin/pip"\nchmod +x "$3/bin/pip"\n')
    os.chmod(python, 0o755)
    path = os.path.dirname(python) + os.pathsep + os.environ["PATH"]
    file = os.path.join(place, "path")
    done = run(["bash", "-ec", script], cwd=place,
               env=dict(os.environ, PATH=path, SOURCE="git+https://a/b c", RUNNER_TEMP=place, GITHUB_PATH=file))
    need(done.returncode == 0 and done.stdout.endswith("install git+https://a/b c\n"), f"installing: {done}")
    need(read(file) == os.path.join(place, "jaxpr", "bin") + "\n", "the path lacks what was installed")


def jobs(place):
    shutil.copytree(os.path.join(root, "samples"), os.path.join(place, "dumps"))
    script = re.search(r"^  script:\n((?:    - .*\n)+)", read("samples", "ci", "gitlab-ci.yml"), re.M)[1]
    for line in re.findall(r"^    - (.*)$", script, re.M):
        done = run(["sh", "-c", line], cwd=place)
        need(done.returncode == (0 if "--exit-zero" in line else 1) and not done.stderr, f"{line}: {done}")
    need(json.loads(open(os.path.join(place, "gl-code-quality-report.json"), encoding="utf-8").read()), "no report")
    need("<failure" in open(os.path.join(place, "jaxpr-junit.xml"), encoding="utf-8").read(), "no failures")
    action = read("samples", "ci", "action.yml")
    install, script = re.findall(r"^      run: \|\n((?:        .*\n)+)", action, re.M)
    installs(place, install)
    names = set(re.findall(r"^        ([A-Z]+): \$\{\{ inputs", action, re.M))
    need(names == {"SOURCE", "FILES", "EXTRACT", "RULES", "SARIF"}, f"the action sets {names}")
    more = dict(os.environ, FILES="dumps", EXTRACT="--extract", RULES="P308", SARIF="out.sarif")
    done = run(["sh", "-c", script], cwd=place, env=more)
    need(done.returncode == 1 and "::error file=dumps/" in done.stdout, f"action: {done}")
    done = run(["sh", "-c", script], cwd=place, env=dict(more, FILES="dumps nothing-here"))
    need(done.returncode == 2, f"action with a file that is not there: {done}")
    need(json.load(open(os.path.join(place, "out.sarif"), encoding="utf-8"))["runs"][0]["results"], "no SARIF")


with tempfile.TemporaryDirectory() as directory:
    os.mkdir(os.path.join(directory, "bin"))
    os.symlink(jaxpr, os.path.join(directory, "bin", "jaxpr"))
    os.environ["PATH"] = os.path.join(directory, "bin") + os.pathsep + os.environ["PATH"]
    matcher()
    hooks(directory)
    jobs(directory)
print("\n".join(wrong))
if wrong:
    print("repeat:", shlex.join(sys.argv))
sys.exit(1 if wrong else 0)
