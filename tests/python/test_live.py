# SPDX-License-Identifier: Apache-2.0
"""The Python package on live objects of the JAX of this Python: any object with a Jaxpr is printed with source lines."""

import sys
import unittest

import jaxpr

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    jax = None


def step(x, w):
    def body(carry, _):
        return jnp.tanh(carry @ w), carry.sum()

    return jax.lax.scan(body, x, None, length=3)


@unittest.skipIf(jax is None, "JAX is not installed")
class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.arguments = (jnp.ones((4, 4)), jnp.ones((4, 4)))
        cls.closed = jax.make_jaxpr(step)(*cls.arguments)

    def objects(self):
        """the kinds of JAX's objects that contain this Jaxpr"""
        yield self.closed
        yield self.closed.jaxpr
        if hasattr(jax.jit(step), "trace"):
            yield jax.jit(step).trace(*self.arguments)

    def test_check(self):
        for x in self.objects():
            found = jaxpr.check(x)
            self.assertEqual((list(found), found.unverified), ([], 0), type(x))

    def test_same(self):
        text = str(self.closed)
        for x in self.objects():
            self.assertIn("f32[4,4]", jaxpr.sig(x))
        self.assertTrue(jaxpr.eq(self.closed, text))
        self.assertFalse(jaxpr.diff(self.closed, text))
        self.assertEqual(jaxpr.fmt(self.closed, strip_comments=True), text + "\n")

    def test_sources(self):
        """equations have the line of Python that they come from, and differences show it"""
        scan = [e for e in jaxpr.program(self.closed).walk() if e.primitive == "scan"][0]
        self.assertIn("test_live.py:%d" % (step.__code__.co_firstlineno + 4), scan.source)
        other = jax.make_jaxpr(lambda x, w: step(x * 2, w))(*self.arguments)
        d = jaxpr.diff(self.closed, other)
        self.assertEqual(d.added, 1)
        self.assertIn("test_live.py", str(d))

    def test_colors(self):
        """JAX's setting for colours does not change the text that is read"""
        try:
            jax.config.update("jax_pprint_use_color", True)
        except AttributeError:
            self.skipTest("this JAX has no colours")
        self.assertNotIn("\x1b", jaxpr.program(self.closed).text)
        self.assertTrue(jaxpr.check(self.closed).ok)

    def test_functions(self):
        for f in (step, jax.jit(step)):
            with self.assertRaisesRegex(jaxpr.UnsupportedObject, r"jax\.make_jaxpr\(step\)"):
                jaxpr.check(f)

    def test_abstract(self):
        """symbolic sizes of jax.export"""
        try:
            from jax import export
        except ImportError:
            self.skipTest("this JAX has no jax.export")
        (n,) = export.symbolic_shape("n")
        x = jax.ShapeDtypeStruct((n, 4), jnp.float32)
        closed = jax.make_jaxpr(lambda x: jnp.sin(x).sum(0))(x)
        self.assertTrue(jaxpr.check(closed).ok, str(closed))
        self.assertEqual(jaxpr.program(closed).inputs[0].type.shape, ("n", 4))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
