# SPDX-License-Identifier: Apache-2.0
"""The documentation of the Python package, with the manual pages: `sphinx-build -W doc/sphinx OUTPUT`.

It needs the package (installed, or PYTHONPATH and JAXPR_LIBRARY) and mandoc, which lays the pages out."""

import glob
import os
import re
import subprocess

import jaxpr

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

project = "jaxpr"
author = "The Jaxpr Authors"
version = release = jaxpr.__version__
extensions = ["sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "code"
html_theme = "alabaster"
exclude_patterns = ["_build"]

# a line of a docstring that explains an argument
ARGUMENT = re.compile(r"([a-z_]\w*(?:, [a-z_]\w*)*): ")


def make_fields(app, what, name, obj, options, lines):
    """makes a list of fields of the lines about arguments"""
    for i, line in enumerate(lines):
        # outside of code a star is a star
        lines[i] = line = "`".join(p if k % 2 else p.replace("*", "\\*") for k, p in enumerate(line.split("`")))
        if what == "function" and ARGUMENT.match(line):
            lines[i] = ":" + ARGUMENT.sub(r"\1: ", line, count=1)


def make_manual(app):
    """lays the manual pages out beside the sources of this documentation"""
    folder = os.path.join(app.srcdir, "man")
    os.makedirs(folder, exist_ok=True)
    names = []
    for page in sorted(glob.glob(os.path.join(ROOT, "man", "*.[1-9]"))):
        name = os.path.basename(page)
        html = subprocess.run(
            ["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", page], check=True, stdout=subprocess.PIPE
        ).stdout.decode()
        head = "{}({})".format(*name.rsplit(".", 1))
        with open(os.path.join(folder, name + ".rst"), "w", encoding="utf-8") as file:
            file.write(":orphan:\n\n%s\n%s\n\n.. raw:: html\n\n" % (head, "=" * len(head)))
            file.writelines("   " + line + "\n" for line in html.splitlines())
        names.append(name)
    with open(os.path.join(folder, "index.rst"), "w", encoding="utf-8") as file:
        file.write("Manual pages\n============\n\n")
        file.writelines("* :doc:`%s`\n" % name for name in names)


def make_lists(app):
    """lists what the package exports"""
    exported = {name: getattr(jaxpr, name) for name in jaxpr.__all__}
    pages = {
        "functions": ("Functions", "autofunction", lambda x: not isinstance(x, type), ""),
        "objects": ("Objects and exceptions", "autoclass", lambda x: isinstance(x, type), "   :members:\n"),
    }
    for page, (title, directive, wanted, options) in pages.items():
        with open(os.path.join(app.srcdir, page + ".rst"), "w", encoding="utf-8") as file:
            file.write("%s\n%s\n\n" % (title, "=" * len(title)))
            for name, x in exported.items():
                if wanted(x):
                    file.write(".. %s:: jaxpr.%s\n%s" % (directive, name, options))


def setup(app):
    app.connect("builder-inited", make_manual)
    app.connect("builder-inited", make_lists)
    app.connect("autodoc-process-docstring", make_fields)
