# SPDX-License-Identifier: Apache-2.0
"""The Python package: its functions return what the program prints, for every kind of object that contains text.

It needs only the standard library. JAXPR_PROGRAM is the program to compare with. If JAXPR_SOURCE, the root of the sources,
is set, samples and golden cases are compared, too; with JAXPR_EVERY=N every N-th case."""

import array
import doctest
import glob
import json
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
    """the standard output of the program, and its exit status"""
    data = None if text is None else text.encode("utf-8", "surrogatepass")
    done = subprocess.run([PROGRAM, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode("utf-8", "replace"), done.returncode


def inputs():
    """the programs of the source tree"""
    samples = sorted(glob.glob(os.path.join(SOURCE, "samples", "*.jaxpr")))
    cases = sorted(glob.glob(os.path.join(SOURCE, "tests", "golden", "check", "*", "*.jaxpr")))
    return samples + cases[:: int(os.environ.get("JAXPR_EVERY", "1"))]


class Inputs(unittest.TestCase):
    def test_kinds(self):
        """every kind of object that contains a text is read alike"""
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
        """large texts are passed to the library in another way than small ones, and so are non-ASCII texts"""
        many = GOOD * 4000
        for text in (many, many.replace("let", "let # \u00e9 \U0001f600\n", 1), "# \u00e9\n" + many):
            self.assertEqual(jaxpr.hashes(text), jaxpr.hashes(text.encode()))
            self.assertEqual(len(jaxpr.hashes(text)), 4000)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "many.jaxpr")
            path.write_text(many)
            self.assertEqual(jaxpr.fmt(path), jaxpr.fmt(many))

    def test_odd_text(self):
        """texts that are not UTF-8, contain NULs, or are empty"""
        odd = "{ lambda ; a:f32[\ud800]. let in (a,) }"
        for text in ("", "\0", odd, "\udcff", GOOD * 400 + odd):
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
        """if reading a file fails, OSError is raised"""
        if not os.path.exists("/proc/self/mem"):
            self.skipTest("no /proc/self/mem")
        with self.assertRaises(OSError):
            jaxpr.check(pathlib.Path("/proc/self/mem"))

    def test_live(self):
        """an object with `eqns` and `pretty_print` is a Jaxpr, also as the attribute `.jaxpr`; JAX is not imported"""

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
        found = jaxpr.check("{ lambda ; a:Box b:f32[8] c:Ref{i3[2]} d:Box. let  in (a,) }")
        self.assertEqual((list(found), found.unverified, found.unknown_types), ([], 0, ("Box", "i3[2]")))
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
        loop = """{ lambda ; d:i64[] a:f64[d]. let
            x:f64[d] = for_loop[
              body_jaxpr={ lambda ; i:i64[] a:f64[n]. let  in (a,) }
              body_nconsts=0
              nimplicit=0
              preserve_dimensions=True
            ] 0 10 1 0 a
          in (x,) }"""
        self.assertIn("nimplicit=1", jaxpr.norm(loop, passes="expand"))
        self.assertIn("body_nconsts=1", jaxpr.norm(loop, passes="expand", dialect="catalyst"))
        wrongs = (dict(passes="dec"), dict(passes="args-to-consts"), dict(count=1), dict(jax="x"), dict(share="x"))
        for wrong in wrongs + (dict(dialect="x"),):
            with self.assertRaises(jaxpr.UsageError):
                jaxpr.norm(dead, **wrong)

    def test_docstrings(self):
        """the examples in docstrings print what they show"""
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


class Tools(unittest.TestCase):
    DEAD = "{ lambda ; a:f64[4]. let b:f64[4] = sin a; c:f64[4] = cos a in (b,) }"

    def test_lint(self):
        found = jaxpr.lint(self.DEAD, extend_select=["has-f64", "P308"])
        self.assertEqual({f.code for f in found}, {"P308", "N201"})
        self.assertEqual(jaxpr.lint(GOOD).fixed, GOOD)
        self.assertNotIn("cos", found.fixed)
        self.assertFalse(jaxpr.lint(found.fixed))
        dead = "{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos a in (a,) }"
        found = jaxpr.lint(dead, select="P308")
        self.assertEqual(
            [f.fixes for f in found], [(dead.replace(" b:f32[3] = sin a;", ""),), (dead.replace("; c:f32[3] = cos a", ""),)]
        )
        self.assertEqual([f.fixes for f in jaxpr.check(BAD)], [()])
        self.assertEqual([f.code for f in jaxpr.lint(self.DEAD, select=["N201"])], ["N201"])
        config = {"select": ["N201"], "severity": {"N201": "error"}}
        self.assertFalse(jaxpr.lint(self.DEAD, config=config).ok)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "lint.yaml")
            path.write_text("extend_select: P308\n")
            self.assertEqual([f.code for f in jaxpr.lint(self.DEAD, config=path)], ["P308"])
        with self.assertRaisesRegex(jaxpr.UsageError, "N999"):
            jaxpr.lint(self.DEAD, select="N999")
        with self.assertRaisesRegex(jaxpr.UsageError, "<config>:1:1: error: .*selec"):
            jaxpr.lint(self.DEAD, config="selec: [N201]")

    def test_contract(self):
        self.assertTrue(jaxpr.contract(GOOD, forbid=["cos"], require="sin", count={"sin": 1}).ok)
        broken = jaxpr.contract(GOOD, require=["cos"], dtypes={"forbid": ["f32"]})
        self.assertEqual({f.code for f in broken}, {"K802", "K807"})
        self.assertEqual(broken.errors[0].notes[0].span.file, "<config>")
        self.assertIn("<config>", str(broken))
        text = "contracts:\n  - files: step.jaxpr\n    forbid: sin\n"
        self.assertTrue(jaxpr.contract(GOOD, text, path="other.jaxpr").ok)
        self.assertFalse(jaxpr.contract(GOOD, text, path="step.jaxpr").ok)
        with tempfile.TemporaryDirectory() as folder:
            config, program = pathlib.Path(folder, "contracts.yaml"), pathlib.Path(folder, "step.jaxpr")
            config.write_text(text)
            program.write_text(GOOD)
            self.assertFalse(jaxpr.contract(program, config).ok)
        for wrong in (dict(), dict(config={}, forbid="a"), dict(forbids="x")):
            with self.assertRaises(jaxpr.UsageError):
                jaxpr.contract(GOOD, **wrong)

    def test_counts(self):
        program = jaxpr.program(GOOD)
        self.assertEqual(program.stats, (1, {"sin": 1}, 1, 0, 0))
        self.assertEqual(program.primitives, {"sin": 1})
        cost = program.cost()
        self.assertEqual((cost.transcendentals, cost.bytes_read, cost.peak_bytes), (8, 32, 64))
        self.assertEqual(cost.rows[0].name, "sin")
        open_size = "{ lambda ; a:f32[n]. let b:f32[n] = sin a in (b,) }"
        self.assertEqual(jaxpr.cost(open_size).transcendentals, "n")
        with self.assertRaisesRegex(jaxpr.Error, "found 2"):
            jaxpr.stats(GOOD + OTHER)

    def test_extract(self):
        log = "start\nE  " + BAD + "middle\nE  " + GOOD + "end\n"
        found = jaxpr.extract(log)
        self.assertEqual([f.span.line for f in found], [2, 4])
        self.assertEqual(log.encode()[found[1].offset :][: len(GOOD) - 1], GOOD[:-1].encode())
        self.assertEqual(found[0].findings[0].span.line, 2)
        self.assertIn("<text>:2:", str(found[0].findings))
        self.assertEqual([len(f.findings) for f in jaxpr.extract(log, check=False)], [0, 0])
        self.assertEqual(jaxpr.extract("nothing"), ())

    def test_program(self):
        text = (
            "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) } in\n"
            "{ lambda a:f32[3]; c:f32[]. let\n"
            "    d:f32[3] = jit[name=f jaxpr=f] a\n"
            "    e:f32[3] = foo[\n"
            "      t=f32\n"
            "      v='s'\n"
            "      w=R(p=3)\n"
            "      x=(1, -2.5, None)\n"
            "      y=Enum.A\n"
            "      z={'k': [True]}\n"
            "    ] d 2.0:f32[] # m.py:3 (g)\n"
            "  in (e, c) }\n"
        )
        program = jaxpr.program(text)
        self.assertEqual([str(v) for v in program.constants], ["a:f32[3]"])
        self.assertEqual([str(v) for v in program.inputs], ["c:f32[]"])
        call, last = program.equations
        self.assertEqual([e.primitive for e in program.walk()], ["jit", "sin", "foo"])
        self.assertEqual(call.jaxprs[0].inputs[0].name, "a")
        self.assertEqual(list(program.shared), ["f"])
        params = last.params
        self.assertEqual(params["x"], (1, -2.5, None))
        self.assertEqual((params["y"], params["z"], params["v"], params["t"]), ("Enum.A", {"k": [True]}, "s", "f32"))
        self.assertEqual((params["w"].name, params["w"].p), ("R", 3))
        self.assertEqual(last.inputs[0].variable, call.outputs[0].id)
        self.assertEqual((last.inputs[1].is_literal, last.inputs[1].text), (True, "2.0"))
        self.assertEqual(last.source, "m.py:3 (g)")
        self.assertEqual(last.span.line, 4)
        self.assertEqual([o.text for o in program.outputs], ["e", "c"])
        self.assertEqual(program.text + "\n", jaxpr.fmt(text))
        self.assertTrue(jaxpr.eq(program, text))
        self.assertIn("<html", program.report())
        self.assertIn("digraph", program.graph())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            page = program.report(path, title="T")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(page, file.read())
        two = jaxpr.programs(GOOD + text)
        self.assertEqual([p.text for p in two], [jaxpr.fmt(GOOD)[:-1], jaxpr.fmt(text)[:-1]])

    def test_types(self):
        types = jaxpr.program(
            "{ lambda ; a:f32[8@x,n] b:Ref<vmem>{i32[4]} c:f32<host>[8]{V:(x,y)} d:key<fry>[]. let in () }"
        ).inputs
        a, b, c, d = (v.type for v in types)
        self.assertEqual((a.kind, a.dtype, a.bits, a.shape, a.sharding), ("array", "f32", 32, (8, "n"), ("x", "")))
        self.assertEqual((b.kind, b.inner, b.memory_space), ("ref", "i32[4]", "vmem"))
        self.assertEqual((c.memory_space, c.varying), ("host", "x,y"))
        self.assertEqual((d.dtype_kind, d.shape), ("extended", ()))
        self.assertEqual(len({a, b, c, d, a}), 4)

    def test_deep(self):
        """deeply nested values and programs are read"""
        value = "(" * 3000 + "1," + ")" * 3000
        self.assertIn("(((", repr(jaxpr.program("{ lambda ; . let foo[x=%s]  in () }" % value).equations[0].params))
        depth = 3000
        nested = "{ lambda ; . let jit[name=f jaxpr=" * depth + "{ lambda ; . let in () }" + "]  in () }" * depth
        self.assertEqual(sum(1 for _ in jaxpr.program(nested).walk()), depth)

    def test_explain(self):
        self.assertEqual(jaxpr.explain("T008"), jaxpr.explain(jaxpr.check(BAD)[0].name))
        with self.assertRaises(jaxpr.UsageError):
            jaxpr.explain("T00")


class Together(unittest.TestCase):
    def test_arguments(self):
        """no argument is cut off: by a NUL, by a number of bits, or where a version ends"""
        program = jaxpr.program(GOOD)
        for word in ("S012\0", "\0", "\ud800"):
            for call in (
                lambda: jaxpr.explain(word),
                lambda: jaxpr.check(GOOD, name=word),
                lambda: jaxpr.lint(GOOD, select=word),
                lambda: jaxpr.lint(GOOD, ignore=[word]),
                lambda: jaxpr.lint(GOOD, settings={"P303.bytes": word}),
                lambda: jaxpr.lint(GOOD, baseline=word),
                lambda: jaxpr.hash(GOOD, ignore_params=word),
                lambda: jaxpr.norm(GOOD, passes=word),
                lambda: jaxpr.contract(GOOD, forbid=[word]),
                lambda: jaxpr.contract(GOOD, {"contracts": []}, path=word),
                lambda: program.graph(focus=word),
                lambda: program.report(title=word),
            ):
                with self.assertRaises(jaxpr.UsageError) as caught:
                    call()
                self.assertTrue(str(caught.exception).replace("\n", "").isprintable(), str(caught.exception))
        for number in (-1, 2**32, 2**32 + 1, 2**64 + 1):
            for call in (
                lambda: jaxpr.fmt(GOOD, width=number),
                lambda: jaxpr.norm(GOOD, passes="args-to-consts", count=number),
                lambda: str(jaxpr.diff(GOOD, OTHER, context=number)),
                lambda: program.graph(depth=number),
                lambda: jaxpr.check("x").render(max_findings=number),
            ):
                self.assertRaises(jaxpr.UsageError, call)
        for version in ("", "0", "0.0.0", "0.4.x", "0.4.", "0.4.100", "429496.72.96", "0.4.1_0", " 0.4.1", "\uff10.\uff14"):
            self.assertRaises(jaxpr.UsageError, lambda: jaxpr.fmt(GOOD, jax=version))
        for version in ("0.4", "0.4.28rc1", "0.4.28.dev1+g1", "0.12.0.1"):
            self.assertIn("sin", jaxpr.fmt(GOOD, jax=version))

    def test_threads(self):
        """threads may read results that they share"""
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
        """memory of results is freed, with and without findings"""
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
        """importing the package imports none of its optional dependencies"""
        code = "import sys, jaxpr; print([m for m in sys.modules if m.split('.')[0] in ('jax', 'jaxlib', 'numpy', 'pytest')])"
        self.assertEqual(subprocess.check_output([sys.executable, "-c", code]).decode().strip(), "[]")


@unittest.skipUnless(PROGRAM, "JAXPR_PROGRAM is not set")
class AsTheProgram(unittest.TestCase):
    def test_module(self):
        """`python -m jaxpr` runs the program"""
        environment = dict(os.environ, PATH=os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"])
        out = subprocess.check_output([sys.executable, "-m", "jaxpr", "--version"], env=environment).decode()
        self.assertEqual(out, "jaxpr " + jaxpr.__version__ + "\n")

    def test_jax(self):
        """without JAX, and with an unknown version, functions that need it raise an error, and functions on text work"""
        script = "import sys, types\nmade = types.ModuleType('jax')\nmade.__version__ = '99.0.0'\nsys.modules['jax'] = %s\nimport jaxpr\n" \
            "for call in (jaxpr.load, jaxpr.to_python, lambda text: jaxpr.verify(text, text)):\n    try:\n        call(sys.argv[1])\n" \
            "    except jaxpr.UnsupportedJax as error:\n        print(error)\nassert jaxpr.check(sys.argv[1]).ok"
        for jax in ("None", "made"):
            done = subprocess.run([sys.executable, "-c", script % jax, GOOD], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            said = done.stdout.decode().splitlines()
            self.assertEqual((done.returncode, len(said)), (0, 3), done.stderr.decode())
            for each in said:
                self.assertRegex(each, "need JAX: |JAX 99.0.0 is not supported: ")
        done = subprocess.run([sys.executable, "-m", "jaxpr", "to-python", os.devnull], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"\Ajaxpr: to-python: ")  # with JAX, the error is that the text is empty

    def test_texts(self):
        for text in (GOOD, BAD, OTHER, BROKEN, ""):
            want, status = printed("check", text=text)
            found = jaxpr.check(text, name="<stdin>")
            self.assertEqual((found.text(), found.ok), (want, status == 0), text)

    @unittest.skipUnless(SOURCE, "JAXPR_SOURCE is not set")
    def test_inputs(self):
        paths = inputs()
        self.assertGreater(len(paths), 40)
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
    def test_tools(self):
        """the other verbs on the samples"""
        for path in sorted(glob.glob(os.path.join(SOURCE, "samples", "*.jaxpr"))):
            x = pathlib.Path(path)
            self.assertEqual(jaxpr.lint(x).render("json"), printed("lint", "--format=json", path)[0], path)
            self.assertEqual(jaxpr.lint(x).fixed, printed("lint", "--fix", text=x.read_text())[0], path)
            want, status = printed("sig", path)
            try:
                self.assertEqual((jaxpr.sig(x), 0), (want.rstrip("\n"), status), path)
                self.assertEqual(jaxpr.sig(x, in_type=True), printed("sig", "--in-type", path)[0].rstrip("\n"), path)
            except jaxpr.InvalidProgram:
                self.assertEqual(status, 1, path)
                with self.assertRaises(jaxpr.InvalidProgram):
                    jaxpr.programs(x)
                continue
            programs = jaxpr.programs(x)
            counted = json.loads(printed("stats", "--format=json", path)[0])
            costs = json.loads(printed("stats", "--cost", "--format=json", "--by=shape", "--model=live", path)[0])
            trees = json.loads(printed("json", path)[0])
            for one, want, cost, tree in zip(programs, counted, costs, trees):
                for key, value in one.stats._asdict().items():
                    self.assertEqual(value, want[key], (path, key))
                found = one.cost(by="shape", model="live")
                for key in ("flops", "transcendentals", "bytes_read", "bytes_written", "peak_bytes", "unknown", "dead"):
                    self.assertEqual(getattr(found, key), cost[key], (path, key))
                self.assertEqual([r.flops for r in found.rows], [r["flops"] for r in cost["rows"]])
                self.assertEqual(one.to_json(), tree, path)
                self.assertTrue(jaxpr.eq(one, one.text))
                total = sum(one.primitives.values())
                self.assertEqual(sum(1 for _ in one.walk()), total, path)
            self.assertEqual(len(programs), len(counted))
        log = os.path.join(SOURCE, "samples", "test_run.log")
        found = jaxpr.extract(pathlib.Path(log))
        self.assertEqual("".join(str(f.findings) + "\n" for f in found if f.findings), printed("check", "--extract", log)[0])
        self.assertEqual("\n\n".join(f.text for f in found) + "\n", printed("extract", log)[0])
        config = os.path.join(SOURCE, "samples", "training_step.yaml")
        revised = os.path.join(SOURCE, "samples", "training_step_revised.jaxpr")
        broken = jaxpr.contract(pathlib.Path(revised), pathlib.Path(config))
        self.assertEqual(broken.text(), printed("contract", "check", "--config=" + config, revised)[0])

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


class Installed(unittest.TestCase):
    def test_pygments_finds_the_lexer(self):
        try:
            from importlib import metadata
            metadata.version("jaxpr")
        except metadata.PackageNotFoundError:
            self.skipTest("the package is not installed")
        points = metadata.entry_points()
        group = points.select(group="pygments.lexers") if hasattr(points, "select") else points["pygments.lexers"]
        found = {point.name: point.value for point in group}
        self.assertEqual(found.get("jaxpr"), "jaxpr.pygments:JaxprLexer")
        try:
            from pygments.lexers import get_lexer_by_name, guess_lexer
        except ImportError:
            return
        self.assertEqual(get_lexer_by_name("jaxpr").name, "Jaxpr")
        self.assertEqual(guess_lexer("{ lambda ; a:f32[]. let  in (a,) }").name, "Jaxpr")


if __name__ == "__main__":
    unittest.main()
