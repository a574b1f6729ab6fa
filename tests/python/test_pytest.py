# SPDX-License-Identifier: Apache-2.0
"""The plugin for pytest, `jaxpr review` and the extension for syrupy, each test in a directory of its own.

Run it with pytest, or as a script, which exits with 77 without pytest. Tests that need pytest-xdist, syrupy or a JAX are
skipped without it. A JAX is a Python in `~/.cache/jaxpr/venv-VERSION`, where CI keeps them."""

import glob
import importlib.metadata
import os
import pty
import re
import select
import subprocess
import sys

try:
    import pytest
except ImportError:
    print("skipped: pytest is not installed")
    sys.exit(77)

import jaxpr
from jaxpr import _snapshots as snapshots

pytest_plugins = ["pytester"]


def find_jax():
    """the Pythons with JAX that are installed, by version of JAX, oldest first"""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    found = {}
    for path in glob.glob(os.path.join(cache, "jaxpr", "venv-*", "bin", "python")):
        version = path.split("venv-")[-1].split(os.sep)[0]
        if glob.glob(os.path.join(os.path.dirname(path), "..", "lib", "python3*", "site-packages", "jax")):
            found[version] = path
    return dict(sorted(found.items(), key=lambda item: [int(n) for n in re.findall(r"\d+", item[0])]))


JAX = find_jax()  # before pytester changes HOME

SIN = "{ lambda ; a:f32[8]. let b:f32[8] = sin a in (b,) }"
SIN_RENAMED = "{ lambda ; x:f32[8] . let  y:f32[8] = sin x in (y,) }"
COS = "{ lambda ; a:f32[8]. let b:f32[8] = cos a in (b,) }"
BROKEN = "{ lambda ; a:f32[8]. let b:f32[8] = sin c in (b,) }"


def is_installed():
    """whether the plugin is installed, so that pytest finds it without -p"""
    return any(
        "jaxpr.pytest_plugin" in str(d.read_text("entry_points.txt")) for d in importlib.metadata.distributions()
    )


PLUGIN = [] if is_installed() else ["-p", "jaxpr.pytest_plugin"]


@pytest.fixture
def run(pytester, monkeypatch):
    """a function that runs pytest, in this process unless `process`; its result has the output as `out`"""
    monkeypatch.setenv("PY_COLORS", "0")

    def runs(*options, process=False):
        how = pytester.runpytest_subprocess if process else pytester.runpytest_inprocess
        result = how(*PLUGIN, "-p", "no:cacheprovider", "--import-mode=importlib", *options)
        result.out = result.stdout.str()
        return result

    return runs


def make(pytester, text, name="test_it"):
    """writes a file of tests, with definitions of SIN, COS and so on"""
    names = {"SIN": SIN, "SIN_RENAMED": SIN_RENAMED, "COS": COS, "BROKEN": BROKEN}
    head = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    path = pytester.path / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + "import pytest\n" + text)
    return path


def files(pytester):
    """the texts of all files of snapshots, by their paths in the test's directory"""
    found = pytester.path.rglob("__jaxpr__/**/*")
    return {str(path.relative_to(pytester.path)): path.read_text() for path in found if path.is_file()}


def names(pytester):
    return sorted(path.partition("__jaxpr__/")[2] for path in files(pytester))


ONE = "def test_one(jaxpr_snapshot):\n    jaxpr_snapshot(SIN)\n"
FILE = "__jaxpr__/test_it/test_one.jaxpr"


def test_life(pytester, run):
    """a snapshot that is missing, written, equal, respelled, changed and updated"""
    make(pytester, ONE)
    result = run()
    result.assert_outcomes(failed=1)
    assert f"the snapshot {FILE} is missing" in result.out
    assert "pytest test_it.py::test_one --jaxpr-update" in result.out
    assert "1 snapshot: 1 missing" in result.out
    assert list(files(pytester)) == [FILE + ".new"]

    run("--jaxpr-update-respelled").assert_outcomes(failed=1)
    result = run("--jaxpr-update")
    result.assert_outcomes(passed=1)
    assert "1 snapshot: 1 written" in result.out
    assert files(pytester) == {FILE: f"# test: test_it.py::test_one\n# digest: {jaxpr.hash(SIN)}\n{SIN}\n"}
    assert "1 snapshot: equal" in run().out
    assert "snapshot" not in run("-q").out

    make(pytester, ONE.replace("SIN", "SIN_RENAMED"))
    before = files(pytester)
    for option in ("-v", "--jaxpr-update"):
        result = run(option)
        result.assert_outcomes(passed=1)
        assert "1 snapshot: 1 spelled differently but equal" in result.out
        assert files(pytester) == before
    assert "1 equal and rewritten" in run("--jaxpr-update-respelled").out
    assert SIN_RENAMED in files(pytester)[FILE]
    make(pytester, ONE)
    run("--jaxpr-update-respelled")

    make(pytester, ONE.replace("SIN", "COS"))
    before = files(pytester)
    for option in ("-v", "--jaxpr-update-respelled"):
        result = run(option)
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(
            [
                ">*jaxpr_snapshot(COS)",
                "E * the program changed: 1 equation changed (test_one.jaxpr)",
                "E       !  b:f32[[]8[]] = sin a",
                "E       !      primitive: sin -> cos",
                f"E       review it: jaxpr review {FILE}",
                "E       write it:  pytest test_it.py::test_one --jaxpr-update",
                "1 snapshot: 1 changed",
            ]
        )
        assert "pytest_plugin" not in result.out
        after = before[FILE].replace(SIN, COS).replace(jaxpr.hash(SIN), jaxpr.hash(COS))
        assert files(pytester) == {**before, FILE + ".new": after}
    assert "1 snapshot: 1 updated" in run("--jaxpr-update").out
    assert list(files(pytester)) == [FILE] and COS in files(pytester)[FILE]


def test_pending_goes(pytester, run):
    """when a test passes again, its pending snapshot is removed"""
    make(pytester, ONE)
    run("--jaxpr-update")
    make(pytester, ONE.replace("SIN", "COS"))
    run()
    assert names(pytester) == ["test_it/test_one.jaxpr", "test_it/test_one.jaxpr.new"]
    make(pytester, ONE)
    run()
    assert names(pytester) == ["test_it/test_one.jaxpr"]


def test_names(pytester, run):
    """each of several snapshots of a test, and those of classes, parameters and directories, have separate files"""
    make(
        pytester,
        """
def test_many(jaxpr_snapshot):
    jaxpr_snapshot(SIN)
    jaxpr_snapshot.using(name="forward")(SIN)
    jaxpr_snapshot(COS)
    jaxpr_snapshot.using(name="a/b")(COS)
    jaxpr_snapshot.using(dce=True)(COS)

@pytest.mark.parametrize("p", ["x", "x@2", "a/b", "a:b", "../../up", "x" * 400, "", "1.5", "X Y\\n", "\\u00e9"])
def test_parameters(jaxpr_snapshot, p):
    jaxpr_snapshot(SIN)

class TestOne:
    class TestTwo:
        def test_in(self, jaxpr_snapshot):
            jaxpr_snapshot(SIN)
""",
    )
    make(pytester, ONE, "sub/folder/test_it")
    result = run("--jaxpr-update")
    result.assert_outcomes(passed=13)
    found = names(pytester)
    assert len(found) == 17
    assert len({name.lower() for name in found}) == 17
    assert "test_it/test_many@3.jaxpr" in found and "test_it/test_many@forward.jaxpr" in found
    assert "test_it/TestOne.TestTwo.test_in.jaxpr" in found
    for path in files(pytester):
        assert re.fullmatch(r"[\w/.,=+@-]+", path, re.A), path
        assert len(os.path.basename(path)) < 240
        assert "/__jaxpr__/test_it/" in "/" + path
    assert "17 snapshots: equal" in run().out


def test_one_name_for_two(pytester, run):
    """tests whose files differ only in case are reported, as some file systems ignore case"""
    make(pytester, ONE + ONE.replace("test_one", "test_ONE"))
    result = run("--jaxpr-update")
    result.assert_outcomes(passed=1, failed=1)
    assert "test_it.py::test_one has a snapshot of the same name" in result.out


def test_same_name_twice(pytester, run):
    """programs of calls with the same name must be equal, even while snapshots are written"""
    text = "def test_two(jaxpr_snapshot):\n    for p in (SIN, SIN_RENAMED, %s): jaxpr_snapshot.using(name='n')(p)\n"
    make(pytester, text % "SIN")
    run("--jaxpr-update").assert_outcomes(passed=1)
    make(pytester, text % "COS")
    for option in ("--jaxpr-update", "--jaxpr-update-respelled", "-v"):
        run(option).assert_outcomes(failed=1)
        assert SIN in files(pytester)["__jaxpr__/test_it/test_two@n.jaxpr"]
    assert "1 snapshot: 1 changed" in run().out


def test_options(pytester, run):
    """options of eq affect the comparison and the difference"""
    dead = "{ lambda ; a:f32[8]. let c:f32[8] = tanh a; b:f32[8] = sin a in (b,) }"
    text = "def test_one(jaxpr_snapshot):\n    jaxpr_snapshot.using(%s)(%s)\n"
    make(pytester, text % ("dce=True", "SIN"))
    run("--jaxpr-update")
    make(pytester, text % ("dce=True", repr(dead)))
    result = run()
    result.assert_outcomes(passed=1)
    assert "spelled differently but equal" in result.out
    make(pytester, text % ("", repr(dead)))
    run().assert_outcomes(failed=1)
    make(pytester, text % ("dce=True", repr(dead.replace("sin", "cos"))))
    result = run()
    assert "1 equation changed" in result.out and "tanh" not in result.out.partition("E  ")[2]
    make(pytester, text % ("name=''", "SIN"))
    assert "UsageError" in run().out


def test_no_program(pytester, run):
    """texts with errors, without a program, and other objects"""
    make(
        pytester,
        """
def test_broken(jaxpr_snapshot): jaxpr_snapshot(BROKEN)
def test_empty(jaxpr_snapshot): jaxpr_snapshot("")
def test_number(jaxpr_snapshot): jaxpr_snapshot(3)
def test_arguments(jaxpr_snapshot): jaxpr_snapshot(SIN, 3)
""",
    )
    for option in ("-v", "--jaxpr-update"):
        result = run(option)
        result.assert_outcomes(failed=4)
        for words in (
            "variable `c`|unknown name `c`|`c` is",
            "no program|has none",
            "got int",
            "str takes no arguments",
        ):
            assert re.search(words, result.out), words
        assert files(pytester) == {}


def test_broken_snapshot(pytester, run):
    """errors of a snapshot, as after a merge conflict, are shown, and --jaxpr-update replaces it"""
    make(pytester, ONE)
    run("--jaxpr-update")
    path = pytester.path / FILE
    good = path.read_text()
    path.write_text("<<<<<<< HEAD\n" + good + "=======\n" + good + ">>>>>>> other\n")
    result = run()
    result.assert_outcomes(failed=1)
    assert f"the snapshot {FILE} has errors" in result.out and "1 cannot be compared" in result.out
    run("--jaxpr-update").assert_outcomes(passed=1)
    assert path.read_text() == good
    path.write_text(good.replace("\n", "\r\n"))
    assert "1 snapshot: equal" in run().out
    path.write_text(SIN)  # no header
    assert "spelled" not in run().out
    path.write_text("")
    run().assert_outcomes(failed=1)


def test_text_is_cleaned(pytester, run):
    """colours are removed, and addresses replaced by zeros"""
    program = "{ lambda ; a:f32[8]. let b:f32[8] = foo[f=<function g at 0x%x>] a in (b,) }"
    make(
        pytester,
        f"P = {program!r} % 0x7f0000001234\n" + ONE.replace("SIN", "'\\x1b[1m' + P + '\\x1b[0m\\n\\n'"),
    )
    run("--jaxpr-update")
    assert files(pytester)[FILE].endswith(program.replace("%x", "0" * 12) + "\n")
    make(pytester, f"def test_one(jaxpr_snapshot):\n    jaxpr_snapshot({program!r} % 0x7f0000005678)\n")
    assert "1 snapshot: equal" in run().out


def test_read_only(pytester, run):
    """if no file can be written, the failure is the same, without a hint at a review"""
    make(pytester, ONE)
    (pytester.path / "__jaxpr__").write_text("a file where the directory should be")
    result = run()
    result.assert_outcomes(failed=1)
    assert "is missing" in result.out and "review it" not in result.out


# ---- snapshots that no test uses ----

THREE = """
def test_a(jaxpr_snapshot): jaxpr_snapshot(SIN)
def test_b(jaxpr_snapshot): jaxpr_snapshot(SIN); jaxpr_snapshot(COS)
class TestC:
    @pytest.mark.parametrize("p", [1, 2])
    def test_c(self, jaxpr_snapshot, p): jaxpr_snapshot(SIN)
"""
LESS = """
def test_b(jaxpr_snapshot): jaxpr_snapshot(SIN)
class TestC:
    @pytest.mark.parametrize("p", [1])
    def test_c(self, jaxpr_snapshot, p): jaxpr_snapshot(SIN)
"""
GONE = ["test_it/TestC.test_c-2.jaxpr", "test_it/test_a.jaxpr", "test_it/test_b@2.jaxpr"]


def unreferenced(result):
    out = result.out.partition("no test uses")[2]
    return re.findall(r"^  \S*__jaxpr__/(\S+)$", out, re.M)


def test_unreferenced(pytester, run):
    make(pytester, THREE)
    make(pytester, ONE, "test_other")
    run("--jaxpr-update").assert_outcomes(passed=5)
    everything = names(pytester)
    assert unreferenced(run()) == []

    make(pytester, LESS)
    result = run()
    assert unreferenced(result) == GONE and result.ret == 0
    assert "no test uses 3 snapshots; --jaxpr-unreferenced=delete deletes them" in result.out
    assert unreferenced(run("test_it.py")) == GONE
    assert unreferenced(run("test_other.py")) == []
    # snapshots of tests that were not collected or did not run are not reported
    assert unreferenced(run("test_it.py::test_b")) == GONE[2:]
    assert unreferenced(run("-k", "TestC")) == GONE[:2]
    assert unreferenced(run("--deselect", "test_it.py::test_b")) == GONE[:2]
    assert unreferenced(run("--collect-only")) == []
    assert names(pytester) == everything

    result = run("--jaxpr-unreferenced=fail")
    assert result.ret == 1 and unreferenced(result) == GONE
    result = run("--jaxpr-unreferenced=delete")
    assert "deleted 3 snapshots that no test uses" in result.out and unreferenced(result) == GONE
    assert names(pytester) == [name for name in everything if name not in GONE]


def test_unreferenced_failed(pytester, run):
    """a test that fails, skips or is expected to fail keeps its snapshots"""
    make(pytester, THREE)
    run("--jaxpr-update")
    make(
        pytester,
        """
def test_a(jaxpr_snapshot): pytest.skip("not now")
@pytest.mark.xfail
def test_b(jaxpr_snapshot): assert False
class TestC:
    @pytest.mark.parametrize("p", [1, 2])
    def test_c(self, jaxpr_snapshot, p): assert p == 2
""",
    )
    assert unreferenced(run()) == GONE[:1]
    make(pytester, "pytest.skip('all of it', allow_module_level=True)\n")
    assert unreferenced(run()) == []
    make(pytester, "import nonexistent_module\n")
    assert unreferenced(run()) == []
    make(pytester, "")
    assert len(unreferenced(run())) == 5


def test_unreferenced_file(pytester, run):
    """the snapshots of a deleted test file; directories are deleted with their last snapshot"""
    path = make(pytester, THREE, "sub/test_it")
    run("--jaxpr-update")
    path.unlink()
    assert len(unreferenced(run())) == 5
    make(pytester, ONE, "sub/test_other")
    result = run("--jaxpr-update", "--jaxpr-unreferenced=delete")
    assert len(unreferenced(result)) == 5
    assert names(pytester) == ["test_other/test_one.jaxpr"]
    (pytester.path / "sub/test_other.py").unlink()
    run("--jaxpr-unreferenced=delete")
    assert not (pytester.path / "sub/__jaxpr__").exists()


def test_xdist(pytester, run):
    """outcomes with several workers are those of one process"""
    pytest.importorskip("xdist")
    make(pytester, THREE)
    make(pytester, ONE, "test_other")
    result = run("-n2", "--jaxpr-update", process=True)
    result.assert_outcomes(passed=5)
    assert "6 snapshots: 6 written" in result.out
    make(pytester, LESS)
    make(pytester, ONE.replace("SIN", "COS"), "test_other")
    result = run("-n2", "--dist=loadgroup", process=True)
    result.assert_outcomes(passed=2, failed=1)
    assert "3 snapshots: 1 changed" in result.out and "primitive: sin -> cos" in result.out
    assert unreferenced(result) == GONE
    assert unreferenced(run("-n2", "--jaxpr-unreferenced=delete", process=True)) == GONE
    assert names(pytester) == [
        "test_it/TestC.test_c-1.jaxpr",
        "test_it/test_b.jaxpr",
        "test_other/test_one.jaxpr",
        "test_other/test_one.jaxpr.new",
    ]


# ---- review ----


def review(pytester, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "jaxpr.review", *arguments],
        cwd=pytester.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout.decode()


def on_terminal(pytester, keys):
    """the output of a review on a terminal, with one of the keys pressed after each prompt"""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(pytester.path)
        os.environ["NO_COLOR"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "jaxpr.review"])
    out = b""
    while True:
        if not select.select([terminal], [], [], 60)[0]:
            os.kill(child, 9)
        try:
            out += os.read(terminal, 65536)
        except OSError:
            break
        if keys and out.endswith(b"? keys > "):
            os.write(terminal, keys[0].encode())
            out, keys = out + b"\n", keys[1:]
    status = os.waitpid(child, 0)[1]
    assert status == 0, out.decode()
    return out.decode().replace("\r\n", "\n")


@pytest.fixture
def pending(pytester, run):
    """three pending snapshots: a changed, b@2 changed, c new"""
    make(pytester, THREE)
    run("--jaxpr-update", "-k", "not TestC")
    make(
        pytester,
        THREE.replace("(SIN)", "(COS)", 1)
        .replace("(COS)\nclass", "(SIN_RENAMED.replace('sin', 'tan'))\nclass")
        .replace("[1, 2]", "[1]"),
    )
    run()
    return pytester


def test_review_list(pending):
    status, out = review(pending, "--list")
    assert status == 0
    assert out.splitlines() == [
        "__jaxpr__/test_it/TestC.test_c-1.jaxpr: new",
        "__jaxpr__/test_it/test_a.jaxpr: 1 equation changed",
        "__jaxpr__/test_it/test_b@2.jaxpr: 1 equation changed",
    ]
    status, out = review(pending)
    assert status == 2 and "3 snapshots are pending, but this is not a terminal" in out


def test_review_paths(pending, run):
    folder = "__jaxpr__/test_it"
    status, out = review(pending, "accept", f"{folder}/test_a.jaxpr", f"{folder}/TestC.test_c-1.jaxpr.new")
    assert status == 0 and out.count("accepted") == 2
    assert COS in files(pending)[f"{folder}/test_a.jaxpr"]
    status, out = review(pending, "reject", folder)
    assert status == 0 and out == f"rejected {folder}/test_b@2.jaxpr\n"
    assert not [name for name in names(pending) if name.endswith(".new")]
    status, out = review(pending, "accept", f"{folder}/test_a.jaxpr")
    assert status == 2 and "nothing is pending" in out
    run().assert_outcomes(passed=2, failed=1)


def test_review_keys(pending, run):
    out = on_terminal(pending, "aidd?dxsr")
    assert "[1/3]" in out and "test_it.py::TestC::test_c[1]: new" in out
    assert "primitive: sin -> cos" in out and "primitive: cos -> tan" in out
    assert str(pending.path / "__jaxpr__/test_it/test_a.jaxpr") in out
    assert out.splitlines()[-1] == "1 accepted, 1 rejected, 1 skipped"
    assert names(pending) == [
        f"test_it/{name}"
        for name in ("TestC.test_c-1.jaxpr", "test_a.jaxpr", "test_a.jaxpr.new", "test_b.jaxpr", "test_b@2.jaxpr")
    ]
    assert SIN in files(pending)["__jaxpr__/test_it/test_a.jaxpr"]
    run()
    assert on_terminal(pending, "q").splitlines()[-1] == "2 skipped"
    assert on_terminal(pending, "A").splitlines()[-1] == "2 accepted"
    assert on_terminal(pending, "") == "no snapshots are pending\n"
    run().assert_outcomes(passed=3)


def test_review_shows_no_controls(pending):
    path = pending.path / "__jaxpr__/test_it/test_a.jaxpr.new"
    path.write_text(path.read_text() + "# \x1b]0;title\x07 \u202e \u200b \x9b31m\n")
    out = on_terminal(pending, "sdss")
    assert "# \\x1b]0;title\\x07 \\u202e \\u200b \\x9b31m" in out
    assert not [c for c in out if not (c.isprintable() or c == "\n")]


# ---- syrupy, contracts ----


def test_syrupy(pytester, run):
    pytest.importorskip("syrupy")
    text = """
from jaxpr.syrupy import JaxprExtension
@pytest.fixture
def snapshot_jaxpr(snapshot):
    return snapshot.use_extension(JaxprExtension)
def test_one(snapshot_jaxpr):
    assert SIN == snapshot_jaxpr
def test_again(snapshot_jaxpr):
    assert COS == snapshot_jaxpr(name="forward")
"""
    make(pytester, text)
    run(process=True).assert_outcomes(failed=2)
    run("--snapshot-update", process=True).assert_outcomes(passed=2)
    path = pytester.path / "__snapshots__/test_it/test_one.jaxpr"
    assert path.read_text() == SIN + "\n"
    make(pytester, text.replace("SIN", "SIN_RENAMED"))
    run(process=True).assert_outcomes(passed=2)
    make(pytester, text.replace("SIN", "COS"))
    result = run(process=True)
    result.assert_outcomes(passed=1, failed=1)
    assert "1 equation changed" in result.out and "primitive: sin -> cos" in result.out
    path.write_text("<<<<<<<\n")
    assert "this is not a program" in run(process=True).out


def test_equal():
    jaxpr.assert_eq(SIN, SIN_RENAMED)
    with pytest.raises(AssertionError, match="not equal: 1 equation changed(.|\\n)*primitive: sin -> cos"):
        jaxpr.assert_eq(SIN, COS)
    one, other = ("{ lambda ; a:f32[8] b:f32[8]. let c:f32[8] = mul %s in (c,) }" % pair for pair in ("a b", "b a"))
    with pytest.raises(AssertionError, match="operand 1: a -> b"):
        jaxpr.assert_eq(one, other)
    jaxpr.assert_eq(one, other, commute=True)


def test_contract(pytester):
    nested = "{ lambda ; scan:f32[8]. let b:f32[8] = pjit[name=f jaxpr={ lambda ; a:f32[8]. let c:f32[8] = sin a in (c,) }] scan in (b,) }"
    jaxpr.assert_contract(nested, forbid=["scan", "cos"], require=["sin", "jit"], count={"sin": 1})
    with pytest.raises(AssertionError, match="violates its contract(.|\n)*the contract forbids `sin`"):
        jaxpr.assert_contract(nested, forbid="sin")
    with pytest.raises(AssertionError, match="2 errors"):
        jaxpr.assert_contract(nested, forbid="sin", config=None, require="cos")
    with pytest.raises(jaxpr.UsageError, match="did you mean `forbid`"):
        jaxpr.assert_contract(nested, forbit="sin")
    with pytest.raises(jaxpr.UsageError):
        jaxpr.assert_contract(nested)
    path = pytester.path / "it.jaxpr"
    path.write_text(nested)
    jaxpr.assert_contract(path, config={"contracts": [{"forbid": ["cos"]}]})


# ---- JAX ----

LIVE = """
import functools, jax, jax.numpy as jnp
def step(w, x):
    h = jnp.sin(x @ w) * 2.0
    return jax.lax.cond(h.sum() > 0, lambda h: jnp.exp(h) * SCALE, lambda h: h, h)
w, x = jnp.ones((3, 4)), jnp.ones((2, 3))
def test_function(jaxpr_snapshot): jaxpr_snapshot(step, w, x)
def test_jaxpr(jaxpr_snapshot): jaxpr_snapshot(jax.make_jaxpr(jax.grad(lambda w: jnp.sin(x @ w).sum() * SCALE))(w))
def test_static(jaxpr_snapshot):
    jaxpr_snapshot(jax.jit(lambda x, n: jnp.sin(x) * n, static_argnums=1), x, 3)
    jaxpr_snapshot(lambda x, n: x * n, x, n=2.0)
    jaxpr_snapshot(functools.partial(step, w), x)
def test_scan(jaxpr_snapshot):
    jaxpr_snapshot(lambda x: jax.lax.scan(lambda c, y: (c + y, jnp.sin(c)), 0.0, x), jnp.ones(5))
def test_no_array(jaxpr_snapshot):
    with pytest.raises(TypeError):
        jaxpr_snapshot(step, "a", "b")
"""


def under(python, pytester, *options):
    """runs pytest with the Python of another environment, with the pytest and the package of this one"""
    packages = pytester.path.parent / "packages"
    packages.mkdir(exist_ok=True)
    wanted = {os.path.dirname(jaxpr.__file__)}
    for name in ("pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        distribution = importlib.metadata.distribution(name)
        tops = {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}
        wanted |= {str(distribution.locate_file(top)) for top in tops}
    for path in wanted:
        if not (packages / os.path.basename(path)).exists():
            os.symlink(path, packages / os.path.basename(path))
    environment = {
        **os.environ,
        "PYTHONPATH": str(packages),
        "JAX_PLATFORMS": "cpu",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [python, "-m", "pytest", "-p", "jaxpr.pytest_plugin", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=pytester.path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode()


@pytest.mark.parametrize("older", list(JAX)[:-1] or [None])
def test_survives(pytester, older):
    """snapshots of an older JAX pass with the newest, without an update; a changed program is shown with its line"""
    if older is None:
        pytest.skip("fewer than two versions of JAX in ~/.cache/jaxpr/venv-VERSION")
    found = [JAX[older], *JAX.values()]
    make(pytester, LIVE.replace("SCALE", "2.0"))
    status, out = under(found[0], pytester, "--jaxpr-update")
    assert status == 0 and "6 snapshots: 6 written" in out, out
    written = files(pytester)
    assert all("\n# jax: " in text and "test_it.py:" not in text.partition("{")[2] for text in written.values())
    status, out = under(found[0], pytester)
    assert status == 0 and "6 snapshots: equal" in out, out

    status, out = under(found[-1], pytester)
    assert status == 0 and re.search(r"6 snapshots: \d spelled differently but equal\n", out), out
    assert files(pytester) == written
    if older != list(JAX)[-2]:
        return
    status, out = under(found[-1], pytester, "--jaxpr-update-respelled")
    assert status == 0 and files(pytester) != written, out
    status, out = under(found[-1], pytester)
    assert status == 0 and "6 snapshots: equal" in out, out

    make(pytester, LIVE.replace("SCALE", "3.0"))
    status, out = under(found[-1], pytester)
    assert status == 1, out
    assert re.search(r"2\.0.* -> 3\.0", out), out
    assert re.search(r"# test_it\.py:\d+(:\d+)? \(", out), out
    assert str(pytester.path) not in "".join(files(pytester).values())
    status, out = review(pytester, "accept", ".")
    assert status == 0, out
    assert all("test_it.py:" not in text.partition("{")[2] for text in files(pytester).values())
    status, out = under(found[-1], pytester)
    assert status == 0 and "6 snapshots: equal" in out, out


def test_no_jax_imported(pytester, run):
    """the plugin and snapshots of text do not import JAX"""
    make(pytester, ONE + "def test_modules(jaxpr_snapshot):\n    import sys; assert 'jax' not in sys.modules\n")
    run("--jaxpr-update", process=True).assert_outcomes(passed=2)


if __name__ == "__main__":
    arguments = ["-m", "pytest", __file__, "-q", "-p", "no:cacheprovider", *PLUGIN, *sys.argv[1:]]
    sys.exit(subprocess.run([sys.executable, *arguments]).returncode)
