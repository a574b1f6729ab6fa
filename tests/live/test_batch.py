# SPDX-License-Identifier: Apache-2.0
"""`jaxpr.batch` as pyarrow, polars and DuckDB read it; each is skipped where it is not installed."""

import gc
import importlib
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
        """a row for each program, and one that says why for a text that cannot be read"""
        rows = list(self.batch)
        self.assertEqual([each["source"] for each in rows], [0, 1, 2, 2])
        self.assertEqual([each["equations"] for each in rows], [2, None, 1, 2])
        self.assertEqual([each["errors"] for each in rows], [0, None, 1, 0])
        self.assertEqual(rows[0]["digest"], jaxpr.hash(GOOD))
        self.assertEqual(rows[0]["flops"], jaxpr.cost(GOOD).flops)
        self.assertIn("S003", rows[1]["error"])

    def test_capsules_nobody_takes(self):
        """a capsule that is dropped releases what it has"""
        self.batch.__arrow_c_stream__()
        self.batch.__arrow_c_array__()

    def test_pyarrow(self):
        pyarrow = needed("pyarrow")
        for read in (pyarrow.table, pyarrow.record_batch):
            table = read(self.batch)
            table.validate(full=True)
            self.assertEqual(table.to_pylist(), list(self.batch))
        self.assertEqual(pyarrow.table(jaxpr.batch([])).num_rows, 0)

    def test_polars(self):
        frame = needed("polars").DataFrame(self.batch)
        self.assertEqual(frame.to_dicts(), list(self.batch))

    def test_duckdb(self):
        self.assertEqual(self.query(needed("duckdb"), self.batch), [(4, 5, 1)])

    def query(self, duckdb, programs):
        """counts over the local variable `programs`"""
        return duckdb.sql("select count(*), sum(equations), sum(errors) from programs").fetchall()


if __name__ == "__main__":
    unittest.main()
