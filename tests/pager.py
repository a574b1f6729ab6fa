#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`diff` on a terminal goes through a pager, as git's output does: `pager.py JAXPR`. Runs on a pseudoterminal."""

import os
import pty
import subprocess
import sys
import tempfile

jaxpr, wrong = os.path.abspath(sys.argv[1]), 0


def on_terminal(arguments, **environment):
    """What a terminal shows, and the exit status."""
    master, slave = pty.openpty()
    clean = {k: v for k, v in os.environ.items() if k not in ("PAGER", "JAXPR_PAGER", "LESS")}
    process = subprocess.Popen([jaxpr, *arguments], stdin=slave, stdout=slave, stderr=slave, close_fds=True,
                               env=dict(clean, TERM="dumb", NO_COLOR="1", **environment))
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # the last writer closed it
            break
        if not part:
            break
        shown += part
    os.close(master)
    return shown.decode().replace("\r\n", "\n"), process.wait(timeout=30)


def expect(what, got, wanted):
    global wrong
    if got != wanted:
        wrong += 1
        print("%s:\n  expected %r\n  got      %r" % (what, wanted, got))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, primitive in (("a", "sin"), ("b", "cos")):
        with open(name, "w", encoding="utf-8") as f:
            f.write("{ lambda ; a:f32[]. let b:f32[] = %s a in (b,) }\n" % primitive)
    plain = subprocess.run([jaxpr, "diff", "a", "b"], capture_output=True, text=True, env=dict(os.environ, JAXPR_PAGER="false"))
    paged = "".join("P " + line + "\n" for line in plain.stdout.splitlines())
    pager = "sed 's/^/P /'"
    expect("not in a pipe", plain.returncode, 1)
    expect("$JAXPR_PAGER", on_terminal(["diff", "a", "b"], JAXPR_PAGER=pager, PAGER="false"), (paged, 1))
    expect("$PAGER", on_terminal(["diff", "a", "b"], PAGER=pager), (paged, 1))
    expect("--summary", on_terminal(["diff", "--summary", "a", "b"], PAGER=pager)[0][:2], "P ")
    expect("--no-pager", on_terminal(["diff", "--no-pager", "a", "b"], JAXPR_PAGER=pager), (plain.stdout, 1))
    expect("an empty $JAXPR_PAGER", on_terminal(["diff", "a", "b"], JAXPR_PAGER="", PAGER=pager), (plain.stdout, 1))
    expect("cat", on_terminal(["diff", "a", "b"], PAGER="cat"), (plain.stdout, 1))
    expect("JSON", on_terminal(["diff", "--format=json", "a", "b"], PAGER=pager)[0][:1], "{")
    expect("equal programs", on_terminal(["diff", "a", "a"], PAGER="echo started"), ("", 0))
    expect("options for less", on_terminal(["diff", "a", "b"], PAGER="echo $LESS; cat > /dev/null"), ("FRX\n", 1))
    expect("a pager that exits at once", on_terminal(["diff", "a", "b"], PAGER="true"), ("", 1))
    shown, status = on_terminal(["diff", "a", "b"], PAGER="/no/such/pager")
    expect("a missing pager", (shown.endswith(plain.stdout), status), (True, 1))
sys.exit(wrong > 0)
