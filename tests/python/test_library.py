# SPDX-License-Identifier: Apache-2.0
"""The structures and constants of the package's ctypes layer are those of the C headers, with the compiler's layout.

JAXPR_SOURCE is the root of the sources, CC the compiler (cc)."""

import ctypes
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from jaxpr import _diff, _findings, _verbs
from jaxpr import _library as c

SOURCE = os.environ.get("JAXPR_SOURCE")
COMPILER = shlex.split(os.environ.get("CC", "cc"))
HEADERS = ("jaxpr.h", "jaxpr_change.h", "jaxpr_walk.h", "jaxpr_tools.h")

# enumerations, and the package's words or numbers for them, in order
ENUMERATIONS = {
    "jx_status": ("OK", "OUT_OF_MEMORY", "READ_FAILED", "WRITE_FAILED", "MISUSE", "UNSUPPORTED", "CANCELLED"),
    "jx_level": c.LEVELS,
    "jx_dialect": _verbs._DIALECTS,
    "jx_dims": _verbs._DIMS,
    "jx_share": _verbs._SHARES,
    "jx_render_format": _findings._FORMATS,
    "jx_diff_form": ("TEXT", "JSON", "STAT", "SUMMARY"),
}


def headers():
    text = ""
    for name in HEADERS:
        with open(os.path.join(SOURCE, "src", name), encoding="utf-8") as file:
            text += file.read()
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


@unittest.skipUnless(SOURCE, "JAXPR_SOURCE is not set")
class Library(unittest.TestCase):
    def test_structures(self):
        """sizes and offsets of all members"""
        if not shutil.which(COMPILER[0]):
            self.skipTest("no C compiler")
        structures = {name: value for name, value in vars(c).items() if isinstance(value, type)}
        structures = {n: v for n, v in structures.items() if issubclass(v, ctypes.Structure) and v is not ctypes.Structure}
        self.assertGreater(len(structures), 8)
        lines, want = [], []
        for name, made in structures.items():
            lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
            want.append(f"{name} {ctypes.sizeof(made)}")
            for field, _ in made._fields_:
                member = f"((struct {name} *)0)->{field}"
                lines.append(f'printf("{name}.{field} %zu %zu\\n", offsetof(struct {name}, {field}), sizeof {member});')
                description = getattr(made, field)
                want.append(f"{name}.{field} {description.offset} {description.size}")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layout")
            with open(path + ".c", "w", encoding="utf-8") as file:
                file.write("#include <stddef.h>\n#include <stdio.h>\n#include <jaxpr.h>\nint main(void) {\n")
                file.write("\n".join(lines) + "\nreturn 0; }\n")
            subprocess.run([*COMPILER, "-I", os.path.join(SOURCE, "src"), "-o", path, path + ".c"], check=True)
            self.assertEqual(subprocess.check_output([path]).decode().splitlines(), want)

    def test_members(self):
        """structures have the members of the headers, in order"""
        text = headers()
        for name, made in vars(c).items():
            if name.startswith("jx_") and isinstance(made, type) and issubclass(made, ctypes.Structure):
                body = re.search(r"struct %s \{(.*?)\n\};" % name, text, re.S)
                self.assertTrue(body, name)
                members = []
                for declaration in re.findall(r"[^;]+", body[1]):
                    for part in declaration.split(","):
                        word = re.search(r"(\w+)\s*(\[\d+\])?\s*$", part)
                        members += [word[1]] if word else []
                self.assertEqual([field for field, _ in made._fields_], members, name)

    def test_enumerations(self):
        """words are those of the enumerators, in order"""
        text = headers()
        for name, words in ENUMERATIONS.items():
            body = re.search(r"enum %s \{(.*?)\}" % name, text, re.S)[1]
            enumerators = re.findall(r"\bJX_(\w+)", body)
            self.assertEqual(len(enumerators), len(words), name)
            for enumerator, word in zip(enumerators, words):
                spelled = word.upper().replace("-", "_").replace("VARS", "VARIABLES")
                self.assertTrue(enumerator == spelled or enumerator.endswith("_" + spelled), (enumerator, word))
        self.assertEqual((_diff._TEXT, _diff._JSON, _diff._STAT, _diff._SUMMARY), (0, 1, 2, 3))
        self.assertEqual((c.OK, c.OUT_OF_MEMORY, c.READ_FAILED, c.WRITE_FAILED, c.MISUSE), (0, 1, 2, 3, 4))

    def test_functions(self):
        """functions are declared with the number of parameters that the headers declare"""
        text = headers()
        for name, (_, *parameters) in c._FUNCTIONS.items():
            declared = re.search(r"JX_API[^;]*?\b%s\((.*?)\);" % name, text, re.S)
            self.assertTrue(declared, name)
            count = 0 if declared[1] == "void" else declared[1].count(",") + 1
            self.assertEqual(len(parameters), count, name)

    def test_version(self):
        with open(os.path.join(SOURCE, "src", "jaxpr.h"), encoding="utf-8") as file:
            text = file.read()
        version = tuple(int(re.search(r"JX_VERSION_%s (\d+)" % part, text)[1]) for part in ("MAJOR", "MINOR"))
        self.assertEqual(c.VERSION, version)


if __name__ == "__main__":
    unittest.main()
