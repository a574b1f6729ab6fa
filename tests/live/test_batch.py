# SPDX-License-Identifier: Apache-2.0
"""`jaxpr.batch` as pyarrow, polars and DuckDB read it; a package that is not installed is skipped."""

import gc
import importlib
import subprocess
import sys
import unittest

import jaxpr
from jaxpr import _arrow

GOOD = "{ lambda ; a:f32[8]. let b:f32[8] = sin a; c:f32[8] = add b a in (c,) }"
BAD = "{ lambda ; a:f32[8] b:f32[4]. let c:f32[8] = add a b in (c,) }"
BROKEN = "{ lambda ; a:f32[8]. let"


def needed(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise unittest.SkipTest(str(error))


class Batches(unittest.TestCase):
    def setUp(self):
        self.batch = jaxpr.batch([GOOD, BROKEN, BAD + "\n" + GOOD])

    def tearDown(self):
        del self.batch
        gc.collect()
        self.assertEqual((len(_arrow._HELD), len(_arrow._CAPSULES)), (0, 0), "nothing is kept")

    def test_rows(self):
        """a row for each program, and for a text that cannot be read one with the reason"""
        rows = list(self.batch)
        self.assertEqual([each["source"] for each in rows], [0, 1, 2, 2])
        self.assertEqual([each["equations"] for each in rows], [2, None, 1, 2])
        self.assertEqual([each["errors"] for each in rows], [0, 1, 1, 0])
        self.assertEqual(rows[0]["digest"], jaxpr.hash(GOOD))
        self.assertEqual(rows[0]["flops"], jaxpr.cost(GOOD).flops)
        self.assertIn("S003", rows[1]["error"])

    def test_unused_capsules(self):
        """a capsule that is deleted releases its contents"""
        self.batch.__arrow_c_stream__()
        self.batch.__arrow_c_array__()

    def test_pyarrow(self):
        pyarrow = needed("pyarrow")
        for read in (pyarrow.table, pyarrow.record_batch):
            table = read(self.batch)
            table.validate(full=True)
            self.assertEqual(table.to_pylist(), list(self.batch))
        self.assertEqual(pyarrow.table(jaxpr.batch([])).num_rows, 0)

    def test_details(self):
        """lists of rows, including empty ones, and numbers that are unknown or too large"""
        open_size = GOOD.replace("8", "n")
        loops = "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"
        for _ in range(7):  # more than 2^63 runs of it
            loops = "{ lambda ; a:f32[]. let b:f32[] = scan[jaxpr=%s length=1000000 linear=(False,) num_carry=1 num_consts=0" \
                " reverse=False unroll=1 _split_transpose=False] a in (b,) }" % loops
        batch = jaxpr.batch([GOOD, BROKEN, open_size, loops], details=True)
        good, broken, sized, long = batch
        self.assertEqual([each["primitive"] for each in good["operations"]], ["add", "sin"])
        self.assertEqual((broken["operations"], broken["costs"], broken["lines"]), ([], [], []))
        self.assertEqual(sized["flops"], None)
        self.assertEqual((long["transcendentals"], len(long["nested"])), (2**63 - 1, 7))
        table = needed("pyarrow").table(batch)
        table.validate(full=True)
        self.assertEqual(table.to_pylist(), list(batch))

    def test_extract(self):
        """programs in other text"""
        rows = list(jaxpr.batch(["step 1\n" + GOOD + "\ndone", "nothing"], extract=True))
        self.assertEqual([(each["source"], each["line"], each["digest"]) for each in rows], [(0, 2, jaxpr.hash(GOOD))])

    def test_alive_at_exit(self):
        """Python exits normally while a module still references a table"""
        needed("pyarrow")
        script = "import jaxpr, pyarrow, sys\nheld = sys.modules['jaxpr']._held = pyarrow.table(jaxpr.batch([sys.argv[1]]))"
        done = subprocess.run([sys.executable, "-c", script, GOOD], stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_polars(self):
        frame = needed("polars").DataFrame(self.batch)
        self.assertEqual(frame.to_dicts(), list(self.batch))

    def test_duckdb(self):
        self.assertEqual(self.query(needed("duckdb"), self.batch), [(4, 5, 2)])

    def query(self, duckdb, programs):
        """counts over the local variable `programs`"""
        return duckdb.sql("select count(*), sum(equations), sum(errors) from programs").fetchall()


if __name__ == "__main__":
    unittest.main()
