# SPDX-License-Identifier: Apache-2.0
"""`python -m jaxpr contract-from`: what tests assert of text, and the contracts proposed for it."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import jaxpr
from jaxpr.__main__ import main
from jaxpr._propose import contracts_from

TEST = '''
import jax
WORDS = ("sin", "exp")
class TestStep:
    def test_step(self):
        jaxpr = jax.make_jaxpr(step)(1)
        text = str(jaxpr)
        %s
'''
PROGRAM = "{ lambda ; a:f32[8,8]. let b:f32[8,8] = tanh a; c:f32[8,8] = tanh b; d:f32[8,8] = sin c in (d,) }"


class Proposals(unittest.TestCase):
    def proposed(self, assertion):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "test_step.py")
            path.write_text(TEST % assertion, encoding="utf-8")
            return contracts_from([directory], []).replace(str(path), "test_step.py")

    def keys(self, assertion):
        """The lines of the proposed contracts, except `files`."""
        return [line.strip() for line in self.proposed(assertion).splitlines() if not line.strip().startswith(("#", "- files", "contracts"))]

    def test_forms(self):
        """each form of assertion becomes a contract with the same meaning"""
        for assertion, wanted in {
            'assert "pow" not in text': 'forbid: ["*pow*"]',
            'assert " pow " not in str(jaxpr)': "forbid: [pow]",
            'assert not ("= sin" in f"{jaxpr}")': 'forbid: ["sin*"]',
            'assert "scan[" in repr(jaxpr)': 'require: ["*scan"]',
            'assert text.count("tanh") >= 2': 'count: {"*tanh*": ">= 2"}',
            'assert 2 == text.count(" tanh ")': "count: {tanh: 2}",
            'assert 3 > text.count("tanh")': 'count: {"*tanh*": "< 3"}',
            'assert text.count("pjit") == 0': 'forbid: ["*pjit*"]',
            'assert not text.count(" sin ") > 1': 'count: {sin: "<= 1"}',
            'assert not (" sin " in text or " cos " in text)': "forbid: [sin, cos]",
            'self.assertNotIn("f64[", text)': "dtypes: {forbid: [f64]}",
            'self.assertEqual(text.count(" scan["), 1)': "count: {scan: 1}",
            'self.assertTrue(" sin " in jax.make_jaxpr(f)(1).pretty_print())': "require: [sin]",
            'self.assertIn(" sin ", jaxpr_text(f, 1))': "require: [sin]",
            'assert " sin " in str(scan.params["jaxpr"])': "require: [sin]",
            'assert "8,8" not in text': 'shapes: {forbid: ["[...,8,8]", "[8,8,...]"]}',
            'assert "f32[8,8]" not in text': 'shapes: {forbid: ["f32[8,8]"]}',
            'for word in WORDS: assert word not in text': 'forbid: ["*sin*", "*exp*"]',
        }.items():
            self.assertEqual(self.keys(assertion), [wanted], assertion)

    def test_several(self):
        """each program of a test gets a contract for its own snapshot"""
        again = 'assert " sin " in text; jaxpr = jax.make_jaxpr(other)(1); text = str(jaxpr); assert " sin " not in text'
        self.assertEqual(self.keys(again), ["require: [sin]", "forbid: [sin]"])
        self.assertIn('files: ["TestStep.test_step@2.jaxpr"]', self.proposed(again))
        for assigned in ("_, f = linearize(1)", "(f, g) = 1, 2"):
            again = f'assert " sin " in str(f.jaxpr); {assigned}; assert " sin " not in str(f.jaxpr)'
            self.assertEqual(self.keys(again), ["require: [sin]", "forbid: [sin]"], assigned)
        pair = 'fwd, bwd = jaxpr_texts(f); assert " sin " in fwd; assert " sin " not in bwd; fwd, bwd = jaxpr_texts(g); assert " sin " not in fwd'
        self.assertEqual(self.keys(pair), ["require: [sin]", "forbid: [sin]", "forbid: [sin]"])
        against = 'assert " sin " in text; assert " sin " not in text'
        self.assertEqual(self.keys(against), ["require: [sin]"])
        self.assertIn("# no contract can express:", self.proposed(against))

    def test_left(self):
        """assertions that no contract can express are listed with their line; those not about a program are ignored"""
        for assertion in ('assert "name=f" in text', "assert text == other", 'assert "f64[" in text', 'assert word in text',
                          "assert len(text) < 200", 'assert text.count("sin") + 1 == 2'):
            self.assertIn(f"# test_step.py:8: {assertion}", self.proposed(assertion))
            self.assertEqual(self.keys(assertion), [], assertion)
        inner = "def other():\n            text = str(hlo)\n        "
        self.assertEqual(self.keys(inner + 'assert " sin " in text'), ["require: [sin]"])
        for assertion in ('assert "sin" in str(hlo)', 'assert "sin" in str(jaxpr.eqns[0].source_info)', 'text = str(hlo); assert "sin" in text', 'assert x.count("sin") == 1', 'assert "sin" in names'):
            self.assertEqual(self.proposed(assertion), "", assertion)

    def test_contracts(self):
        """a program keeps a proposed contract exactly if it passes the assertion"""
        for assertion, holds in {'assert "sin" not in text': False, 'assert text.count("tanh") == 2': True, 'assert text.count("tanh") > 2': False,
                                 'assert "8,8" not in text': False, 'assert "f64[" not in text': True, 'assert "cos" in text': False, 'assert "tan" in text': True, 'assert " tan " in text': False}.items():  # fmt: skip
            lines = [line for line in self.proposed(assertion).splitlines() if not line.startswith("  - files")]
            keys = "\n".join(line for line in lines if not line.strip().startswith("#")).replace("contracts:\n    ", "contracts:\n  - ")
            self.assertEqual(jaxpr.contract(PROGRAM, keys).ok, holds, keys)

    def test_program(self):
        """the command prints the proposal, or an error if there is none"""
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "test_a.py")
            for text, status in ((TEST % 'assert "sin" in text', 0), ("x = 1\n", 1), ("def\n", 1)):
                path.write_text(text, encoding="utf-8")
                out, err = io.StringIO(), io.StringIO()
                with mock.patch.object(sys, "argv", ["jaxpr", "contract-from", directory]), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                    with self.assertRaises(SystemExit) as ended:
                        main()
                self.assertEqual(int(ended.exception.code), status, err.getvalue())
                self.assertEqual(bool(out.getvalue()), status == 0)
                self.assertEqual(bool(err.getvalue()), status != 0)


if __name__ == "__main__":
    unittest.main()
