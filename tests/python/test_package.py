# SPDX-License-Identifier: Apache-2.0
"""The Python package: what its functions answer is what the program prints, whatever kind of object holds the text.

It needs nothing but the standard library. JAXPR_PROGRAM is the program to compare with; JAXPR_SOURCE, where it is set,
the root of the sources, whose samples and golden cases are then compared, too."""

import array
import doctest
import glob
import mmap
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import jaxpr

PROGRAM = os.environ.get("JAXPR_PROGRAM")
SOURCE = os.environ.get("JAXPR_SOURCE")

GOOD = "{ lambda ; a:f32[8]. let b:f32[8] = sin a in (b,) }\n"
RENAMED = "{ lambda ; x:f32[8] . let  y:f32[8] = sin x\n in (y,) }\n"
OTHER = "{ lambda ; a:f32[8]. let b:f32[8] = cos a in (b,) }\n"
BAD = "{ lambda ; a:f32[8] b:f32[4]. let c:f32[8] = add a b in (c,) }\n"
BROKEN = "{ lambda ; a:f32[8]. let"


def printed(*arguments, text=None):
    """what the program prints on standard output, and its exit status"""
    data = None if text is None else text.encode("utf-8", "surrogatepass")
    done = subprocess.run([PROGRAM, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode("utf-8", "replace"), done.returncode


def inputs():
    """the programs of the source tree"""
    return sorted(
        glob.glob(os.path.join(SOURCE, "samples", "*.jaxpr"))
        + glob.glob(os.path.join(SOURCE, "tests", "golden", "check", "*", "*.jaxpr"))
    )


class Inputs(unittest.TestCase):
    def test_kinds(self):
        """every kind of object that holds a text reads alike"""
        want = jaxpr.check(BAD).render("json")
        data = BAD.encode()
        for x in (data, bytearray(data), memoryview(data), array.array("B", data)):
            self.assertEqual(jaxpr.check(x).render("json"), want, type(x))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "bad\u00e9.jaxpr")
            path.write_bytes(data)
            found = jaxpr.check(path)
            self.assertEqual(found[0].span.file, str(path))
            self.assertEqual(jaxpr.check(path, name="<text>").render("json"), want)
            with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                self.assertEqual(jaxpr.check(mapped).render("json"), want)

    def test_large(self):
        """large texts take another way into the library; non-ASCII ones, too"""
        many = GOOD * 4000
        for text in (many, many.replace("let", "let # \u00e9 \U0001f600\n", 1), "# \u00e9\n" + many):
            self.assertEqual(jaxpr.hashes(text), jaxpr.hashes(text.encode()))
            self.assertEqual(len(jaxpr.hashes(text)), 4000)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "many.jaxpr")
            path.write_text(many)
            self.assertEqual(jaxpr.fmt(path), jaxpr.fmt(many))

    def test_odd_text(self):
        """texts that are no UTF-8, hold NULs, or nothing"""
        for text in ("", "\0", "{ lambda ; a:f32[\ud800]. let in (a,) }", "\udcff"):
            data = text.encode("utf-8", "surrogatepass")
            self.assertEqual(jaxpr.check(text).render("json"), jaxpr.check(data).render("json"))

    def test_no_text(self):
        for x in (None, 3, 2.5, [GOOD], {"a": GOOD}, object()):
            with self.assertRaisesRegex(jaxpr.UnsupportedObject, "expected str, bytes"):
                jaxpr.check(x)
        with self.assertRaisesRegex(TypeError, r"jax\.make_jaxpr\(len\)"):
            jaxpr.check(len)
        with self.assertRaises(FileNotFoundError):
            jaxpr.check(pathlib.Path("/nonexistent/x.jaxpr"))
        with self.assertRaises(IsADirectoryError):
            jaxpr.check(pathlib.Path("/"))

    def test_read_error(self):
        """a file that fails while it is read raises what Python raises"""
        if not os.path.exists("/proc/self/mem"):
            self.skipTest("no /proc/self/mem")
        with self.assertRaises(OSError):
            jaxpr.check(pathlib.Path("/proc/self/mem"))

    def test_live(self):
        """what has `eqns` and prints itself is a Jaxpr; `.jaxpr` leads there; JAX is not imported"""

        class Jaxpr:
            eqns = ()

            def pretty_print(self, *, source_info=False, use_color=True):
                assert source_info and not use_color
                return BAD

        class Old:
            eqns = ()

            def pretty_print(self, source_info=False):
                return BAD

        class Traced:
            def __init__(self, jaxpr):
                self.jaxpr = jaxpr

            def __call__(self):
                pass

        for x in (Jaxpr(), Old(), Traced(Jaxpr()), Traced(Traced(Old()))):
            self.assertEqual([f.code for f in jaxpr.check(x)], ["T008"])
        self.assertNotIn("jax", sys.modules)
        loop = Traced(None)
        loop.jaxpr = loop
        with self.assertRaises(jaxpr.UnsupportedObject):
            jaxpr.check(loop)


class Findings(unittest.TestCase):
    def test_clean(self):
        found = jaxpr.check(GOOD)
        self.assertTrue(found.ok)
        self.assertFalse(found)
        self.assertEqual((list(found), str(found), repr(found)), ([], "", "no findings"))
        self.assertIs(found.raise_if_error(), found)
        self.assertIn('"runs"', found.render("sarif"))

    def test_finding(self):
        found = jaxpr.check(BAD)
        self.assertEqual(len(found), 1)
        one = found[0]
        self.assertEqual((one.code, one.level, one.program), ("T008", "error", 0))
        self.assertEqual(one.span, ("<text>", 1, 52, 1, 53))
        self.assertEqual(BAD[one.span.column - 1 : one.span.end_column - 1], "b")
        self.assertEqual([(n.message, n.span.column) for n in one.notes][:1], [("`a` is f32[8], bound here", 12)])
        self.assertEqual((found.errors, found.warnings), ((one,), ()))
        self.assertEqual(found[:1], (one,))
        self.assertIn(one, found)
        with self.assertRaises(IndexError):
            found[1]
        with self.assertRaises(jaxpr.InvalidProgram) as raised:
            found.raise_if_error()
        self.assertIs(raised.exception.findings, found)
        self.assertIn("T008", str(raised.exception))

    def test_options(self):
        unknown = "{ lambda ; a:f32[8]. let b:f32[8] = frobnicate a in (b,) }"
        self.assertTrue(jaxpr.check(unknown).ok)
        self.assertEqual(jaxpr.check(unknown).unverified, 1)
        self.assertFalse(jaxpr.check(unknown, strict=True).ok)
        with self.assertRaisesRegex(ValueError, "unknown dialect `x`; expected one of auto, jax"):
            jaxpr.check(GOOD, dialect="x")
        with self.assertRaisesRegex(jaxpr.UsageError, "unknown format `x`"):
            jaxpr.check(GOOD).render("x")

    def test_html(self):
        shown = jaxpr.check("{ lambda ; a:<script>. let in (b,) }")._repr_html_()
        self.assertNotIn("<script>", shown)
        self.assertNotIn("\x1b", shown)
        self.assertEqual(shown.count("<span"), shown.count("</span>"))


class Verbs(unittest.TestCase):
    def test_equality(self):
        self.assertTrue(jaxpr.eq(GOOD, RENAMED))
        self.assertFalse(jaxpr.eq(GOOD, OTHER))
        self.assertFalse(jaxpr.eq(GOOD, GOOD + GOOD))
        self.assertEqual(jaxpr.hash(GOOD), jaxpr.hash(RENAMED))
        with self.assertRaisesRegex(jaxpr.Error, "found 2"):
            jaxpr.hash(GOOD + OTHER)
        for call in (jaxpr.fmt, jaxpr.norm, jaxpr.hash, lambda x: jaxpr.eq(x, GOOD), lambda x: jaxpr.diff(GOOD, x)):
            with self.assertRaises(jaxpr.InvalidProgram):
                call(BROKEN)

    def test_diff(self):
        same = jaxpr.diff(GOOD, RENAMED)
        self.assertFalse(same)
        self.assertEqual((str(same), repr(same)), ("", "no differences"))
        d = jaxpr.diff(GOOD, OTHER)
        self.assertTrue(d)
        self.assertEqual((d.changed, d.added, d.removed), (1, 0, 0))
        self.assertTrue(str(d).startswith("--- a\n+++ b\n@@"), str(d))
        self.assertEqual(d.json()["changed"], 1)
        self.assertIn("\x1b[", d.text(color=True))
        self.assertNotIn("\x1b[", d.text())
        self.assertIn("cos", d._repr_html_())

    def test_passes(self):
        dead = "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos a in (b,) }"
        self.assertNotIn("cos", jaxpr.norm(dead, passes=["dce"]))
        self.assertEqual(jaxpr.norm(dead, passes="inline,dce"), jaxpr.norm(dead, passes=("inline", "dce")))
        self.assertTrue(jaxpr.eq(dead, jaxpr.norm(dead, passes="dce"), dce=True))
        self.assertIn("lambda a:f32[]", jaxpr.norm(dead, passes="args-to-consts", count=1))
        for wrong in (dict(passes="dec"), dict(passes="args-to-consts"), dict(count=1), dict(jax="x"), dict(share="x")):
            with self.assertRaises(jaxpr.UsageError):
                jaxpr.norm(dead, **wrong)

    def test_docstrings(self):
        """the examples of the manual are true"""
        for name in jaxpr.__all__:
            self.assertTrue(getattr(jaxpr, name).__doc__, name)
        finder = doctest.DocTestFinder()
        ran = 0
        for name in jaxpr.__all__:
            for test in finder.find(getattr(jaxpr, name), name, globs={"jaxpr": jaxpr}):
                runner = doctest.DocTestRunner(verbose=False)
                runner.run(test)
                self.assertEqual(runner.failures, 0, test.name)
                ran += runner.tries
        self.assertGreater(ran, 5)


class Together(unittest.TestCase):
    def test_threads(self):
        """threads share nothing but results, which any of them may read"""
        shared = [jaxpr.check(BAD * 50) for _ in range(4)]
        want = jaxpr.check(BAD * 50)
        wrong = []

        def work():
            for found in shared:
                if list(found) != list(want) or found.text() != want.text():
                    wrong.append("findings")
            for _ in range(50):
                if jaxpr.fmt(RENAMED) != "{ lambda ; x:f32[8]. let y:f32[8] = sin x in (y,) }\n":
                    wrong.append("fmt")
                if not jaxpr.eq(GOOD, RENAMED) or not jaxpr.diff(GOOD, OTHER):
                    wrong.append("eq")

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_gil(self):
        """other threads run while a text is checked"""
        text = GOOD * 200000
        count, stop, during = [0], threading.Event(), []

        def spin():
            while not stop.is_set():
                count[0] += 1

        spinner = threading.Thread(target=spin)
        spinner.start()
        before = count[0]
        jaxpr.check(text)
        during = count[0] - before
        stop.set()
        spinner.join()
        self.assertGreater(during, 0)

    def test_memory(self):
        """what is checked is freed, with and without findings"""
        try:
            import resource
        except ImportError:
            self.skipTest("no resource")

        def work():
            for _ in range(3000):
                jaxpr.check(GOOD)
                jaxpr.check(BAD)[0]
                jaxpr.diff(GOOD, OTHER)

        work()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        work()
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertLess(after - before, 4096)  # KiB; on macOS bytes

    def test_import(self):
        """importing the package imports no package but itself"""
        code = "import sys, jaxpr; print([m for m in sys.modules if m.split('.')[0] in ('jax', 'jaxlib', 'numpy', 'pytest')])"
        self.assertEqual(subprocess.check_output([sys.executable, "-c", code]).decode().strip(), "[]")


@unittest.skipUnless(PROGRAM, "JAXPR_PROGRAM is not set")
class AsTheProgram(unittest.TestCase):
    def test_module(self):
        """`python -m jaxpr` is the program"""
        environment = dict(os.environ, PATH=os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"])
        out = subprocess.check_output([sys.executable, "-m", "jaxpr", "--version"], env=environment).decode()
        self.assertEqual(out, "jaxpr " + jaxpr.__version__ + "\n")

    def test_texts(self):
        for text in (GOOD, BAD, OTHER, BROKEN, ""):
            want, status = printed("check", text=text)
            found = jaxpr.check(text, name="<stdin>")
            self.assertEqual((found.text(), found.ok), (want, status == 0), text)

    @unittest.skipUnless(SOURCE, "JAXPR_SOURCE is not set")
    def test_inputs(self):
        paths = inputs()
        self.assertGreater(len(paths), 50)
        for path in paths:
            x = pathlib.Path(path)
            found = jaxpr.check(x)
            want, status = printed("check", path)
            self.assertEqual((found.text(), found.ok), (want, status == 0), path)
            lines = [finding.span.line for finding in found if finding.span]
            self.assertEqual(lines, sorted(lines), path)
            for verb, answer in (("fmt", jaxpr.fmt), ("norm", jaxpr.norm)):
                want, status = printed(verb, path)
                try:
                    self.assertEqual((answer(x), 0), (want, status), path)
                except jaxpr.InvalidProgram:
                    self.assertEqual(status, 1, path)
            want, status = printed("hash", path)
            try:
                self.assertEqual([line.split()[0] for line in want.splitlines()], list(jaxpr.hashes(x)), path)
            except jaxpr.InvalidProgram:
                self.assertEqual(status, 1, path)

    @unittest.skipUnless(SOURCE, "JAXPR_SOURCE is not set")
    def test_diffs(self):
        samples = os.path.join(SOURCE, "samples")
        pairs = (
            ("training_step", "training_step_revised"),
            ("step_jax_0.7", "step_jax_0.12"),
            ("rnn_jax_0.6", "rnn_jax_0.12"),
        )
        for a, b in pairs:
            a, b = (os.path.join(samples, name + ".jaxpr") for name in (a, b))
            d = jaxpr.diff(pathlib.Path(a), pathlib.Path(b))
            self.assertEqual(d.text(), printed("diff", a, b)[0])
            self.assertEqual(d.text(color=True), printed("diff", "--color=always", a, b)[0])
            self.assertEqual(d.summary(), printed("diff", "--summary", a, b)[0])
            self.assertEqual(jaxpr.eq(pathlib.Path(a), pathlib.Path(b)), printed("eq", a, b)[1] == 0)


if __name__ == "__main__":
    unittest.main()
