# SPDX-License-Identifier: Apache-2.0
"""`python -m jaxpr index` and `jaxpr.fleet`: the contents of the database, even if texts fail, processes die or runs are
interrupted. Skipped unless DuckDB, pyarrow and tqdm are installed. JAXPR_PROGRAM is the program to compare with."""

import gzip
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jaxpr

try:
    import duckdb
    import pyarrow
    from jaxpr import fleet
    from jaxpr.fleet import _workers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import edits

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = "{ lambda ; a:f32[8]. let b:f32[8] = sin a; c:f32[8] = add b a in (c,) }\n"
RENAMED = "{ lambda ; x:f32[8]. let y:f32[8] = sin x; z:f32[8] = add y x in (z,) }\n"
WIDE = "{ lambda ; a:f64[4]. let b:f64[4] = cos a in (b,) }\n"
BAD = "{ lambda ; a:f32[8] b:f32[4]. let c:f32[8] = add a b in (c,) }\n"
BROKEN = "{ lambda ; a:f32[8]. let"
CALLS = "{ lambda ; a:f32[8]. let b:f32[8] = jit[name=f jaxpr=%s] a; c:f32[8] = %s b in (c,) }\n"
TABLES = ("programs", "operations", "costs", "nested", "findings", "lines")

# a worker that is killed by texts with the word POISON, and by one with ONCE the first time
MORTAL = """
import os, signal
from jaxpr.fleet import _worker
read = _worker.read_rows
def dies(text, *rest):
    if b"POISON" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"ONCE" in text and not os.path.exists({marker!r}):
        open({marker!r}, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return read(text, *rest)
_worker.read_rows = dies
_worker.main()
"""
# an index that is killed during its third transaction
DIES = """
import os, signal, sys
from jaxpr.fleet import _index, _store
_index._ROWS, add, calls = 100, _store.Store._add_rows, []
def dies(self):
    add(self)
    calls.append(1)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
_store.Store._add_rows = dies
_index.index(sys.argv[1], sys.argv[2], jobs=2)
"""


def run(*words, **more):
    """`python -m jaxpr` as a process"""
    return subprocess.run([sys.executable, "-m", "jaxpr", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


class Indexes(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.dumps = self.place / "dumps"
        self.dumps.mkdir()
        self.database = self.place / "fleet.duckdb"

    def put(self, **texts):
        for name, text in texts.items():
            path = self.dumps / (name.replace("__", "/") + ".jaxpr")
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def index(self, **options):
        return fleet.index(self.dumps, self.database, jobs=2, **options)

    def ask(self, query, database=None):
        with duckdb.connect(str(database or self.database), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def everything(self, database=None):
        """all tables, without the runs"""
        shared = "source, program, line, digest, signature, equations, flops, peak_bytes, errors, error"
        return {t: self.ask(f"SELECT {shared if t == 'programs' else '*'} FROM {t} ORDER BY ALL", database) for t in TABLES}

    def test_rows(self):
        """a row for each program, with the error of each that failed, and details by digest"""
        self.put(a__good=GOOD, a__copy=RENAMED, bad=BAD, empty="", three=GOOD + BROKEN + "\n" + WIDE)
        self.put(zipped=gzip.compress(WIDE.encode()), torn=gzip.compress(WIDE.encode())[:30])
        (self.dumps / "notes.txt").write_text("not a program")
        (self.dumps / "gone.jaxpr").symlink_to("nowhere")
        done = self.index()
        rows = self.ask("SELECT source, program, equations, errors, error FROM programs ORDER BY ALL")
        self.assertEqual(sorted({row[0] for row in rows}),
                         ["a/copy.jaxpr", "a/good.jaxpr", "bad.jaxpr", "empty.jaxpr", "three.jaxpr", "torn.jaxpr", "zipped.jaxpr"])
        by = {row[:2]: row[2:] for row in rows}
        self.assertEqual(by["bad.jaxpr", 0], (1, 1, None))
        self.assertIn("S006", by["empty.jaxpr", 0][2])
        self.assertEqual(by["three.jaxpr", 0], (2, 0, None))
        self.assertIn("EOFError", by["torn.jaxpr", 0][2])
        self.assertEqual((done["files"], done["programs"]), (7, len(rows)))
        self.assertEqual(done["failed"], sum(row[4] is not None for row in rows))
        ((digest, copies),) = self.ask("SELECT digest, copies FROM dups WHERE equations = 2")
        self.assertEqual((digest, copies), (jaxpr.hash(GOOD), 3))
        operations = self.ask(f"SELECT primitive, type, dtype, equations FROM operations WHERE digest = '{digest}' ORDER BY ALL")
        self.assertEqual(operations, [("add", "f32[8]", "f32", 1), ("sin", "f32[8]", "f32", 1)])
        self.assertEqual({row[0] for row in self.ask("SELECT source FROM uses_f64")} - {"three.jaxpr"}, {"zipped.jaxpr"})
        self.assertIn(("bad.jaxpr", "T008"), self.ask("SELECT source, code FROM findings"))

    def test_numbers(self):
        """numbers are those of the package's functions, also for unknown sizes and for sums that overflow"""
        texts = [path.read_text() for path in sorted((ROOT / "samples").glob("*.jaxpr"))]
        texts += [path.read_text() for path in sorted((ROOT / "tests/golden/stats").rglob("*.jaxpr"))]
        self.put(**{f"p{i}": text for i, text in enumerate(texts)})
        self.index()
        asked = 0
        for source, program, equations, flops, peak in self.ask(
            "SELECT source, program, equations, flops, peak_bytes FROM programs WHERE digest IS NOT NULL"
        ):
            try:
                one = jaxpr.programs(texts[int(source[1:].split(".")[0])])[program]
            except jaxpr.Error:  # another program of the file has errors
                continue
            cost = one.cost()
            self.assertEqual(equations, min(one.stats.equations, 2**63 - 1), source)
            self.assertEqual(flops, min(cost.flops, 2**63 - 1) if isinstance(cost.flops, int) else None, source)
            self.assertEqual(peak, min(cost.peak_bytes, 2**63 - 1) if isinstance(cost.peak_bytes, int) else None, source)
            asked += 1
        self.assertGreater(asked, 20)
        sums = "SELECT DISTINCT p.digest FROM programs p JOIN (SELECT digest, sum(equations) AS n FROM operations GROUP BY ALL) o "
        self.assertEqual(self.ask(sums + "USING (digest) WHERE p.equations <> o.n AND o.n < 9223372036854775807"), [])
        for view in ("distinct_programs", "changes", "changed_since_yesterday", "uses_f64", "largest_peak", "repeated_nested",
                     "dups", "problems", "hot_lines", "failures"):
            self.assertTrue(self.ask(f"FROM {view}"), view)

    def test_changes(self):
        """a second run reads only what changed, and keeps the rest"""
        self.put(same=GOOD, edited=GOOD, gone=WIDE, respelled=GOOD)
        self.index()
        first = self.everything()
        self.assertEqual(self.index()["unchanged"], 4)
        self.assertEqual(self.everything(), first)
        self.put(edited=WIDE, respelled=RENAMED, new=BAD)
        os.utime(self.dumps / "same.jaxpr", (1, 1))
        (self.dumps / "gone.jaxpr").unlink()
        done = self.index()
        self.assertEqual((done["run"], done["files"], done["unchanged"], done["programs"]), (3, 4, 1, 3))
        good, wide, bad = map(jaxpr.hash, (GOOD, WIDE, BAD))
        changes = self.ask("SELECT source, what, before, after FROM changed_since_yesterday WHERE run = 3 ORDER BY ALL")
        self.assertEqual(changes, [("edited.jaxpr", "changed", good, wide), ("gone.jaxpr", "gone", wide, None),
                                   ("new.jaxpr", "new", None, bad)])
        self.put(edited=GOOD)
        self.index()
        changes = self.ask("SELECT run, what, before, after FROM changes WHERE source = 'edited.jaxpr' ORDER BY ALL")
        self.assertEqual(changes, [(1, "new", None, good), (3, "changed", good, wide), (4, "changed", wide, good)])
        fresh = self.place / "fresh.duckdb"
        fleet.index(self.dumps, fresh, jobs=1)
        now, then = self.everything(), self.everything(fresh)
        for table in ("programs", "findings", "lines"):
            self.assertEqual(now[table], then[table], table)
        self.assertEqual(self.ask("SELECT digest FROM operations GROUP BY ALL HAVING count(*) > 2"), [], "details are kept once")

    def test_directories(self):
        """a directory for each day, and programs of several directories; hidden files and directories are skipped"""
        self.put(model=GOOD, other=GOOD)
        self.put(**{".git__model": WIDE, ".draft": WIDE})
        (self.dumps / ".jaxpr.yaml").write_text("contracts: []\n")
        self.index()
        self.dumps = self.place / "tomorrow"
        self.dumps.mkdir()
        self.put(model=WIDE, other=GOOD)
        done = self.index()
        self.assertEqual((done["unchanged"], done["programs"]), (1, 1))
        self.assertEqual(self.ask("SELECT source, what FROM changes WHERE run = 2"), [("model.jaxpr", "changed")])
        self.dumps = self.place / "team"
        self.dumps.mkdir()
        self.put(third=BAD)
        self.index(add=True)
        self.assertEqual(self.ask("SELECT count(*) FROM programs"), [(3,)])

    def test_extract(self):
        """programs in logs"""
        (self.dumps / "train.log").write_text("I1123 step 4\nI1123 " + GOOD + "done\n" + WIDE)
        (self.dumps / "quiet.log").write_text("nothing\n")
        self.index(extract=True)
        rows = self.ask("SELECT source, program, line, digest FROM programs ORDER BY ALL")
        self.assertEqual(rows, [("train.log", 0, 2, jaxpr.hash(GOOD)), ("train.log", 1, 4, jaxpr.hash(WIDE))])

    def test_dups(self):
        """the view has the groups of `jaxpr dups`"""
        inner = "{ lambda ; x:f32[8]. let y:f32[8] = sin x; z:f32[8] = mul y y in (z,) }"
        self.put(one=CALLS % (inner, "cos"), two=CALLS % (inner, "exp") + GOOD, three=GOOD * 2, four=inner)
        self.index()
        program = os.environ.get("JAXPR_PROGRAM") or str(ROOT / "build/jaxpr")
        shown = subprocess.run([program, "dups", str(self.dumps)], stdout=subprocess.PIPE, check=True).stdout.decode()
        groups = re.findall(r"^(jx2:\w+)\.\.  (\d+) equations?, (\d+) copies", shown, re.M)
        found = self.ask("SELECT digest, equations, copies FROM dups")
        self.assertEqual(sorted((d[:20], str(e), str(c)) for d, e, c in found), sorted((d[:20], e, c) for d, e, c in groups))
        self.assertGreaterEqual(len(groups), 2)
        ((nested, programs),) = self.ask("SELECT nested, programs FROM repeated_nested")
        self.assertEqual((nested, programs), (jaxpr.hash(inner), 2))

    def many(self, number):
        texts = edits.read(ROOT / "tests/oracle/cases/0.12.0.1.jsonl.xz")
        edits.write(texts, number, 3, self.dumps)

    def test_killed(self):
        """rows committed before the process is killed are kept, and the next run has the same result"""
        self.many(1500)
        fresh = self.place / "fresh.duckdb"
        fleet.index(self.dumps, fresh, jobs=2)
        done = subprocess.run([sys.executable, "-c", DIES, str(self.dumps), str(self.database)])
        self.assertEqual(done.returncode, -signal.SIGKILL)
        before = self.ask("SELECT count(*) FROM files")[0][0]
        self.assertEqual(self.ask("SELECT count(DISTINCT source) FROM programs"), [(before,)])
        self.assertEqual(before, 400, "two of the transactions")
        self.assertEqual(self.index()["unchanged"], before)
        self.assertEqual(self.everything(), self.everything(fresh))
        self.assertEqual(self.ask("SELECT count(*) FILTER (WHERE finished IS NULL) FROM runs"), [(1,)])

    def test_interrupted(self):
        """Ctrl-C keeps what was read, and prints how to continue"""
        self.many(3000)
        process = subprocess.Popen([sys.executable, "-m", "jaxpr", "index", str(self.dumps), "-o", str(self.database)],
                                   stderr=subprocess.PIPE)
        while not self.database.exists():
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        if process.returncode:  # otherwise it ended before the signal
            self.assertEqual(process.returncode, 130)
            self.assertEqual(errors.decode(), "jaxpr: index: interrupted; the same command continues from here\n")
        self.index()
        self.assertEqual(self.ask("SELECT count(DISTINCT source) FROM programs"), [(3000,)])

    def mortal(self):
        code = MORTAL.format(marker=str(self.place / "died"))
        before = _workers.CODE
        _workers.CODE = code
        self.addCleanup(setattr, _workers, "CODE", before)

    def test_worker_dies(self):
        """a text that kills its worker gets a row with an error; a worker killed once loses no text"""
        self.many(1000)
        fresh = self.place / "fresh.duckdb"
        self.put(**{"0000__once": GOOD + "# ONCE\n"})
        fleet.index(self.dumps, fresh, jobs=2)
        self.mortal()
        self.put(**{"0000__poison": GOOD + "# POISON\n", "0000__zpoison": "POISON"})
        done = self.index()
        self.assertTrue((self.place / "died").exists())
        self.assertEqual((done["files"], done["programs"]), (1003, 1003 + self.ask("SELECT count(*) FROM programs", fresh)[0][0] - 1001))
        rows = self.ask("SELECT source, error FROM programs WHERE contains(source, 'poison') ORDER BY ALL")
        why = "the process that read it was killed by SIGSEGV, twice"
        self.assertEqual(rows, [("0000/poison.jaxpr", why), ("0000/zpoison.jaxpr", why)])
        for table, rows in self.everything().items():
            rest = [row for row in rows if "poison" not in str(row[0])]
            self.assertEqual(rest, self.everything(fresh)[table], table)

    def test_engine(self):
        """`rows` for any engine"""
        self.mortal()
        texts = [GOOD.encode(), b"POISON", gzip.compress(WIDE.encode())]
        batch = pyarrow.record_batch({"source": ["a", "b", "c"], "text": texts})
        table = pyarrow.Table.from_batches(fleet.rows([batch]), fleet.schema())
        self.assertEqual(table.column("digest").to_pylist(), [jaxpr.hash(GOOD), None, jaxpr.hash(WIDE)])
        self.assertEqual(table.column("nested").to_pylist(), [[], [], []])

    def test_usage(self):
        """usage errors have a message"""
        done = run("index", str(self.place / "nowhere"), "-o", str(self.database))
        self.assertEqual((done.returncode, done.stderr.decode()), (2, f"jaxpr: index: {self.place}/nowhere is not a directory\n"))
        self.assertFalse(self.database.exists())
        self.put(good=GOOD)
        with duckdb.connect(str(self.database)):
            done = run("index", str(self.dumps), "-o", str(self.database))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"lock", done.stderr)
        done = run("index", str(self.dumps), "-o", str(self.database), "-j", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout.decode(), r"^1 file, 1 of them new or changed: 1 program, 0 failed\n")
        done = run("index", str(self.dumps), "-qo", str(self.database))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))


if __name__ == "__main__":
    unittest.main()
