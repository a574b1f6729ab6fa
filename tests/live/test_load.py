# SPDX-License-Identifier: Apache-2.0
"""`jaxpr.load` compared with the functions that were traced: results and gradients are the same, bit for bit."""

import os
import re
import sys
import types
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.experimental import checkify
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import jaxpr
from jaxpr.live.evaluate import bits as run_bits
from jaxpr.live.to_python import Writer
from jaxpr.live.verify import Reference


def bits(values):
    return [(str(np.asarray(each).dtype), np.shape(each), np.asarray(each).tobytes()) for each in values]


def network(w, b, x):
    hidden = jnp.tanh(x @ w + b)

    def step(carry, row):
        carry = carry * 0.5 + jnp.sin(row)
        return carry, jnp.where(carry > 0, carry, row)

    last, rows = jax.lax.scan(step, hidden[0], hidden)
    last = jax.lax.cond(last.sum() > 0, lambda v: v * 2, lambda v: v - 1, last)
    return (rows.sum(0) + last).sum()


def loop(x):
    return jax.lax.fori_loop(0, 3, lambda i, v: v * jnp.cos(v) + i, x)


REF = str(jax.make_jaxpr(lambda x: (getattr(jax, "new_ref", None) or getattr(jax, "array_ref", None) or jax._src.core.mutable_array)(x)[...])(1.0))
REF = re.search(r"= (\w+)", REF).group(1)
W, B, X = (np.random.default_rng(0).normal(size=shape).astype("float32") for shape in ((4, 3), (3,), (5, 4)))


class Functions(unittest.TestCase):
    def traced(self, function, *args):
        return jaxpr.load(str(jax.make_jaxpr(function)(*args)))

    def test_results(self):
        """results are those of the function itself, also under jit and vmap"""
        loaded = self.traced(network, W, B, X)
        self.assertEqual(loaded.missing, ())
        self.assertTrue(loaded.exact)
        loaded.check()
        live = jax.make_jaxpr(network)(W, B, X)
        expected = jax.core.eval_jaxpr(getattr(live, "jaxpr", live), live.consts, W, B, X)
        self.assertEqual(bits(loaded(W, B, X)), bits(expected))
        self.assertEqual(bits(jax.jit(loaded)(W, B, X)), bits(jax.jit(lambda *args: (network(*args),))(W, B, X)))
        many = np.stack([X, X + 1])
        self.assertEqual(bits(jax.vmap(loaded, (None, None, 0))(W, B, many)), bits([jax.vmap(network, (None, None, 0))(W, B, many)]))

    def test_gradients(self):
        """gradients, forward and reverse, are those of the function itself"""
        for function, args in ((network, (W, B, X)), (lambda x: jax.lax.scan(lambda c, v: (c + jnp.sin(v), c * v), x[0], x)[1].sum(), (X,))):
            loaded = self.traced(function, *args)
            numbers = tuple(range(len(args)))
            wanted = jax.jit(jax.grad(function, numbers))(*args)
            self.assertEqual(bits(jax.jit(jax.grad(lambda *a: loaded(*a)[0], numbers))(*args)), bits(wanted))
            tangents = jax.tree_util.tree_map(jnp.ones_like, args)
            forward = lambda f: jax.jit(lambda *a: jax.jvp(f, a, tangents))(*args)
            self.assertEqual(bits(forward(lambda *a: loaded(*a)[0])), bits(forward(function)))
        loaded = self.traced(loop, np.float32(0.3))
        self.assertEqual(bits(jax.jvp(loaded, (np.float32(0.3),), (np.float32(1),))[1]), bits([jax.jvp(loop, (np.float32(0.3),), (np.float32(1),))[1]]))

    def test_gradients_of_traced(self):
        """programs of many kinds have the gradients of what was traced: op by op, forward and reverse, the same bits"""
        functions = {
            "linear algebra": (lambda a: jnp.linalg.cholesky(a @ a.T + 5 * jnp.eye(4)).sum(), (X[:4],)),
            "indices": (lambda x: x[jnp.array([2, 0, 2])].sum() + jax.lax.dynamic_slice(x, (1, 1), (2, 2)).prod() + x.at[0].set(3.0)[1:].sum(), (X,)),
            "windows": (lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2, 2), (1, 1), "VALID").sum() + jnp.cumsum(x).max(), (X,)),
            "sorting": (lambda x: (jnp.sort(x, 1) * jnp.arange(4.0)).sum() + jnp.max(x), (X,)),
            "convolution": (lambda x, k: jnp.convolve(x[0], k).var(), (X, B)),
            "remat": (jax.checkpoint(lambda w, x: jnp.sin(jnp.exp(x @ w)).sum()), (W, X)),
            "branches": (lambda x: jax.lax.switch(jnp.int32(1), [jnp.sin, jnp.cos, lambda v: v * v], x).sum(), (X,)),
            "nested loops": (lambda x: jax.lax.scan(lambda c, r: (jax.lax.scan(lambda d, v: (d * jnp.tanh(v), d), c, r)[0], c), 1.0, x)[1].sum(), (X,)),
            "complex": (lambda x: jnp.abs(jnp.fft.fft(x)).sum() + jnp.real(jnp.exp(1j * x)).sum(), (X,)),
        }
        for name, (function, args) in functions.items():
            numbers, tangents = tuple(range(len(args))), tuple(map(np.ones_like, args))
            live = jax.make_jaxpr(function)(*args)
            original = lambda *a: jax.core.eval_jaxpr(getattr(live, "jaxpr", live), live.consts, *a)[0]
            loaded = jaxpr.load(str(live), consts=live.consts)
            with self.subTest(name):
                self.assertEqual(loaded.missing, ())
                for transformed in (lambda f: jax.grad(f, numbers)(*args), lambda f: [jax.jvp(f, args, tangents)[1]]):
                    self.assertEqual(bits(transformed(lambda *a: loaded(*a)[0])), bits(transformed(original)))

    def test_wide_types(self):
        """64-bit types enable x64 during the call, and only then"""
        loaded = jaxpr.load("{ lambda ; a:f64[2]. let b:f64[2] = add a 1.0:f64[] in (b,) }")
        self.assertEqual(str(loaded(np.array([0.1, 2.0]))[0].dtype), "float64")
        self.assertFalse(jax.config.jax_enable_x64)
        source = jaxpr.to_python("{ lambda ; a:c64[]. let b:c64[] = mul a 2j:c64[] in (b,) }")
        self.assertNotIn("enable_x64", source, "complex64 has parts of 32 bits")

    def test_old_literals(self):
        """literals that JAX printed without a type have the type of the other operand"""
        one = "{ lambda ; a:%s[2]. let b:%s = %s a %s in (b,) }"
        for dtype, result, word, literal, name, expected in (
            ("bf16", "bf16[2]", "add", "1", "bfloat16", [2, 3]), ("bf16", "bool[2]", "gt", "1", "bfloat16", [0, 1]),
            ("f16", "f16[2]", "mul", "0.0999755859375", "float16", [0.09998, 0.2]), ("i4", "i4[2]", "add", "1", "int4", [2, 3]),
        ):  # fmt: skip
            loaded = jaxpr.load(one % (dtype, result, word, literal))
            loaded.check()
            np.testing.assert_allclose(np.asarray(loaded(jnp.array([1, 2], name))[0], "float32"), expected, rtol=1e-3)
        text = "{ lambda ; a:f32[3]. let b:void[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] (b'',) in (a, b) }"
        self.assertEqual(jaxpr.load(text)(X[0, :3])[1].dtype, jax.dtypes.float0)
        keys = jaxpr.load("{ lambda ; a:key<fry>[4]. let b:key<fry>[4] = convert_element_type[new_dtype=key<fry> weak_type=False] a in (b,) }")
        self.assertEqual(keys.missing, ())
        keys.check()

    def test_names_of_constants(self):
        """constants have the names of the text, even if the text must be rewritten for this JAX"""
        text = "{ lambda b:f32[] a:f32[]; c:f32[]. let d:f32[] = mul c b; e:f32[] = add d a in (e,) }"
        for each in (text, text.replace("mul c b", "mul c 2.0"), text.replace("let ", "let _:f32[] = neg c; ")):
            self.assertEqual(list(jaxpr.load(each).constants), ["b", "a"])
            self.assertEqual(float(jaxpr.load(each, consts={"a": 5.0, "b": 2.0})(np.float32(3))[0]), 11.0)

    def test_indices(self):
        """numbers in accesses of refs are literals"""
        text = "{ lambda ; a:f32[4]. let b:Ref{f32[4]} = %s a; c:f32[] <- b[1]; d:f32[2] <- b[1:3] in (c, d) }" % REF
        self.assertEqual([np.asarray(each).tolist() for each in jaxpr.load(text)(X[:4, 0])], [X[1, 0].tolist(), X[1:3, 0].tolist()])

    @unittest.skipUnless(hasattr(jax, "new_ref") or hasattr(jax, "array_ref"), "a ref of JAX before 0.7 takes the array for its own")
    def test_refs_are_new(self):
        """each run of a program makes a new ref, even if another one was made from the same value"""
        text = "{ lambda ; a:f32[]. let b:Ref{f32[]} = %s a; b[] <- 2.0:f32[]; c:Ref{f32[]} = %s a; d:f32[] <- c[] in (d,) }" % (REF, REF)
        self.assertTrue(jaxpr.verify(text, "{ lambda ; a:f32[]. let  in (a,) }"))

    def test_inside(self):
        """a program printed inside a shard_map runs on one shard; the caller provides the axes"""
        if not hasattr(jax, "shard_map") or tuple(map(int, jax.__version__.split(".")[:2])) < (0, 9):
            self.skipTest("older JAX prints types without the axes along which they vary")
        inner, mesh, spec = [], jax.sharding.Mesh(np.array(jax.devices()[:2]), ("i",)), jax.sharding.PartitionSpec("i")

        def shard(x):
            inner.append(str(jax.make_jaxpr(lambda y: jnp.sin(y) * jax.lax.psum(y, "i"))(x)))
            return jnp.sin(x) * jax.lax.psum(x, "i")

        mapped = lambda run: jax.jit(jax.shard_map(run, mesh=mesh, in_specs=spec, out_specs=spec))(jnp.arange(4.0))
        whole = mapped(shard)
        self.assertIn("{V:i}", inner[0])
        loaded = jaxpr.load(inner[0], strict=True)
        self.assertTrue(loaded.exact)
        loaded.check()
        self.assertEqual(bits([mapped(lambda x: loaded(x)[0])]), bits([whole]))

    def test_nodes(self):
        """a call that JAX marks for its derivative is loaded as the marked call"""
        from jax._src.interpreters import ad

        if not hasattr(ad, "vjp_node"):
            self.skipTest("older JAX does not mark calls")
        call = jax.make_jaxpr(lambda x: jax.jit(jnp.sin)(x))(1.0).jaxpr
        (eqn,) = call.eqns
        text = str(call.replace(eqns=[eqn.replace(primitive=ad.vjp_node(eqn.primitive))]))
        self.assertIn("vjp_node[", text)
        loaded = jaxpr.load(text, strict=True)
        self.assertTrue(loaded.exact)
        loaded.check()

    def test_exported(self):
        """an exported program that was not passed raises Missing"""
        text = "{ lambda ; a:f32[3]. let\n    b:f32[3] = call_exported[exported=Exported(fun_name=f, ...)] a\n  in (b,) }"
        loaded = jaxpr.load(text)
        self.assertTrue(loaded.exact)
        with self.assertRaisesRegex(jaxpr.Missing, "exported="):
            loaded(X[0])

    def test_sign_of_zero(self):
        """the source of a complex number keeps the signs of its zeros"""
        space = {"__name__": "source"}
        exec(jaxpr.to_python("{ lambda ; a:c64[]. let b:c64[] = mul a (-0-1j):c64[] in (b,) }"), space)
        self.assertIn("(-0-1j)", str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])))

    def test_source(self):
        """source traces to an equal program; what is missing is named"""
        for function, args in ((network, (W, B, X)), (loop, (np.float32(0.3),))):
            text, space = str(jax.make_jaxpr(function)(*args)), {"__name__": "source"}
            exec(jaxpr.to_python(text), space)
            self.assertTrue(jaxpr.eq(str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])), text))
        written, space = jaxpr.to_python(Unknown.RULE), {"__name__": "source"}
        self.assertIn("# Not in the text: line 1: custom_jvp_call: jvp=f_jvp", written)
        exec(written, space)
        self.assertTrue(jaxpr.eq(str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])), Unknown.RULE))
        with self.assertRaisesRegex(NotImplementedError, "is not in the text"):
            jax.grad(lambda x: space["program"](x)[0])(1.0)
        own = "{ lambda ; a:f32[]. let b:f32[3] c:i32[] = own[x=has blanks y=1] a in (b, c) }"
        exec(jaxpr.to_python(own), space)
        self.assertTrue(jaxpr.eq(str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])), own))

    def test_source_of_kernels(self):
        """a kernel is traced with its grid, and two classes of the same name are imported under two names"""
        from jax.experimental import pallas

        if tuple(map(int, jax.__version__.split(".")[:2])) < (0, 7):
            self.skipTest("older JAX prints grids differently")

        def kernel(x, out):
            out[...] = x[...] + pallas.program_id(0)

        block = pallas.BlockSpec((2,), lambda at: (at,))
        call = pallas.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((4,), "int32"), grid=(2,), in_specs=[block], out_specs=block)
        text, space = str(jax.make_jaxpr(call)(jnp.arange(4))), {"__name__": "source"}
        exec(jaxpr.to_python(text), space)
        self.assertTrue(jaxpr.eq(str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])), text))
        writer = Writer(jaxpr.load(text))
        self.assertEqual([writer.import_of(module, "Space") for module in ("a", "b", "a", "b")], ["Space", "Space_", "Space", "Space_"])

    def test_source_of_constants(self):
        """constants that are not in the text are arrays of their types that cannot be read; given ones are written"""
        many, keys = jnp.arange(3.0) * 2, jax.random.split(jax.random.key(0), 3)
        inner = lambda x: jax.lax.scan(lambda c, r: (c * many, r - many), jax.jit(lambda y: y + many)(x), jnp.stack([x, x]))
        text = str(jax.make_jaxpr(lambda x: (inner(x), jax.random.key_data(keys), x * jnp.float32(2)))(many))
        for loaded in (jaxpr.load(text), jaxpr.load("{ lambda c:f32[3]; a:f32[3]. let b:f32[3] = add c a in (b,) }", consts=[many])):
            space = {"__name__": "source"}
            exec(jaxpr.to_python(loaded), space)
            self.assertTrue(jaxpr.eq(str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])), loaded.text))
            if loaded.missing:
                with self.assertRaisesRegex(RuntimeError, "deleted"):
                    space["program"](many)
            else:
                self.assertEqual(bits(space["program"](many)), bits([many + many]))
        with self.assertRaisesRegex(jaxpr.NotLoadable, "constant a of type Ref"):
            jaxpr.to_python("{ lambda a:Ref{f32[2]}; . let b:f32[2] <- a[:] in (b,) }")

    def test_shardings(self):
        """types keep their sharding, a mesh may have no axes, and source inside a shard_map uses its mesh"""
        if not hasattr(jax, "shard_map") or not hasattr(jax.sharding, "AxisType"):
            self.skipTest("this JAX has no types with sharding")
        self.assertTrue(jaxpr.load("{ lambda ; a:f32[8@x,6]. let  in (a,) }").exact)
        if hasattr(jax.sharding, "UnreducedKind"):
            of = "{ lambda ; a:f32[2]{U_min:x}. let b:f32[2] = reshard[dst_sharding=P(None, unreduced={'x'}, unreduced_kind=%s)] a in (b,) }"
            self.assertTrue(jaxpr.load("{ lambda ; a:f32[2]{U_min:x}. let  in (a,) }").exact)
            with self.assertRaisesRegex(jaxpr.NotLoadable, "line 1: reshard: KeyError"):
                jaxpr.load(of % "other")
        for empty in ("Mesh(, axis_types=())", "Mesh()"):  # of 0.7 and of 0.8
            text = "{ lambda ; a:f32[8]. let b:f32[8] = sharding_constraint[context_mesh=%s layout=None sharding=NamedSharding(" \
                "mesh=Mesh('x': 2, axis_types=(Auto,)), spec=PartitionSpec('x',), memory_kind=device) unconstrained_dims=frozenset()] a in (b,) }"
            self.assertEqual(jaxpr.load(text % empty).missing, ())
            self.assertTrue(jaxpr.verify(text % empty, jaxpr.norm(text % empty)))
        mesh = jax.make_mesh((2,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
        rows, all = jax.sharding.PartitionSpec("x"), jax.sharding.PartitionSpec()
        summed = jax.shard_map(lambda x, w: jax.lax.psum((x * w).sum(), "x"), mesh=mesh, in_specs=(rows, all), out_specs=all)
        text, space = str(jax.make_jaxpr(jax.grad(summed, 1))(X[:4], X[0])), {"__name__": "source"}
        inner = re.findall(r"\w+:f32\S*{\S+}", text)
        self.assertEqual(re.findall(r"\w+:f32\S*{\S+}", str(jaxpr.load(text.replace("{V:x}", "{x}")))), inner, "as JAX 0.7 prints it")
        exec(jaxpr.to_python(text), space)
        self.assertTrue(jaxpr.eq(str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])), text))

    def test_source_of_weak_types(self):
        """arguments that were weakly typed, and constants of a scan that are read in another order, retrace to an equal program"""
        where = lambda b, x: jnp.where(b > 0, x, b)
        consts = lambda v, w, x: jax.lax.scan(lambda c, row: (c + jnp.sin(w) * v + row, c * w), v, x)
        gradient = lambda *args: jax.grad(lambda *a: consts(*a)[1].sum(), (0, 1))(*args)
        for function, args in ((where, (2.0, X)), (where, (2, np.arange(3))), (gradient, (X[0], X[1], X))):
            text, space = str(jax.make_jaxpr(function)(*args)), {"__name__": "source"}
            exec(jaxpr.to_python(text), space)
            self.assertTrue(jaxpr.eq(str(jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])), text))

    def test_sizes_as_arguments(self):
        """arguments that are sizes have the values of these sizes, and may be omitted or added if types imply them"""
        text = "{ lambda ; a:i32[] b:f32[2,a]. let c:f32[] = convert_element_type[new_dtype=float32 weak_type=False] a in (b, c) }"
        for name in ("collapse", "expand"):
            self.assertTrue(jaxpr.verify(text, jaxpr.norm(text, passes=name)))

    def test_verify(self):
        """no pass changes a bit; changes of a program are found, and so is another order of effects"""
        for function, args in ((network, (W, B, X)), (loop, (np.float32(0.3),))):
            text = str(jax.make_jaxpr(function)(*args))
            for rewritten in (jaxpr.norm(text), jaxpr.norm(text, passes="inline,dce"), jaxpr.fmt(text)):
                found = jaxpr.verify(text, rewritten, seeds=2)
                self.assertTrue(found, str(found))
                self.assertEqual(found.runs, 2)
            self.assertFalse(jaxpr.verify(text, text.replace(" = cos ", " = sin ").replace(" = tanh ", " = sin ")))
        ordered = "{ lambda ; a:f32[] b:f32[]. let\n    first[x=1] %s\n    first[x=1] %s\n  in () }"
        self.assertTrue(jaxpr.verify(ordered % ("a", "b"), ordered % ("a", "b")))
        self.assertFalse(jaxpr.verify(ordered % ("a", "b"), ordered % ("b", "a")))
        self.assertTrue(jaxpr.verify(ordered % ("a", "b"), jaxpr.norm(ordered % ("a", "b"), passes="dce")))
        shown = jaxpr.norm(str(jax.make_jaxpr(lambda x: jax.debug.print("{}", x))(1.0)))
        self.assertFalse(jaxpr.verify(shown, "{ lambda ; a:f32[]. let  in () }"))
        self.assertFalse(jaxpr.verify("{ lambda ; a:f32[]. let  in (a,) }", "{ lambda ; a:f32[2]. let  in (a,) }"))
    def test_lifted(self):
        """constants that were lifted must be in order; a constant from another place is found"""
        inner = "{ lambda c:f32[] d:f32[]; e:f32[]. let f:f32[] = mul e c; g:f32[] = add f d in (g,) }"
        text = "{ lambda ; a:f32[]. let b:f32[] = jit[\n  name=f\n  jaxpr=%s\n] a in (b,) }" % inner
        lifted = jaxpr.norm(text, passes="lift")
        reference = Reference(text, 2)
        self.assertTrue(reference.compare(lifted, True))
        swapped = lifted.replace("jit", "JIT").replace("] a b c", "] b a c")
        self.assertNotEqual(swapped.replace("JIT", "jit"), lifted)
        self.assertFalse(reference.compare(swapped.replace("JIT", "jit"), True))

    def test_unclear(self):
        """a result that reads one of several `_` is not compared, and must not be needed"""
        text = "{ lambda ; a:f32[]. let %s:f32[] %s:f32[] = jit[\n  name=f\n  jaxpr={ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = cos a in (_, _) }\n] a in (%s,) }"
        self.assertTrue(jaxpr.verify(text % ("_", "_", "a"), jaxpr.norm(text % ("_", "_", "a"), passes="dce")))
        with self.assertRaisesRegex(jaxpr.NotLoadable, "which of several variables `_`"):
            jaxpr.verify(text % ("b", "_", "b"), text % ("b", "_", "b"))

    def test_opaque(self):
        """what cannot run here is an uninterpreted function of its parameters, programs and operands"""
        text = "{ lambda ; a:f32[]. let b:f32[] = frob[x=%s f={ lambda ; c:f32[]. let d:f32[] = %s c in (d,) }] a in (b,) }"
        self.assertTrue(jaxpr.verify(text % ("1", "sin"), jaxpr.norm(text % ("1", "sin"))))
        self.assertFalse(jaxpr.verify(text % ("1", "sin"), text % ("2", "sin")))
        self.assertFalse(jaxpr.verify(text % ("1", "sin"), text % ("1", "cos")))


# a shard_map of JAX before 0.7, which every JAX loads; %s are the equations of its program
SHARDED = """{ lambda ; a:f32[8,3]. let
    b:f32[8,3] = shard_map[
      auto=frozenset()
      check_rep=False
      in_names=({0: ('x',)},)
      jaxpr={ lambda ; c:f32[4,3]. let %s in (%s,) }
      mesh=Mesh('x': 2)
      out_names=({0: ('x',)},)
      rewrite=False
    ] a
  in (b,) }"""


@unittest.skipUnless(jax.device_count() > 1, "needs two devices")
class Shards(unittest.TestCase):
    def mapped(self, function, ins, outs):
        make = getattr(jax, "shard_map", None) or __import__("jax.experimental.shard_map", fromlist=["shard_map"]).shard_map
        mesh, more = jax.sharding.Mesh(np.array(jax.devices()[:2]), ("x",)), "check_vma" if hasattr(jax, "shard_map") else "check_rep"
        return make(function, mesh=mesh, in_specs=ins, out_specs=outs, **{more: False})

    def test_shards(self):
        """equation by equation, shards compute what they do in one compiled program, and a changed collective is found"""

        def body(x, w):
            at, total = jax.lax.axis_index("x"), jax.lax.psum(jnp.sin(x) * w, "x")
            step = lambda c, row: (c + jax.lax.ppermute(row, "x", [(0, 1), (1, 0)]), jax.lax.pmax(row * c, "x"))
            last, rows = jax.lax.scan(step, total[0], x)
            last = jax.lax.while_loop(lambda v: jnp.abs(v).sum() < 50, lambda v: v * 2 + jax.lax.pmean(v, "x") + 1, last)
            return jax.lax.cond(at > 0, lambda v: v * 2, lambda v: v - 1, last) + at, rows, total

        rows, all = jax.sharding.PartitionSpec("x"), jax.sharding.PartitionSpec()
        text = str(jax.make_jaxpr(self.mapped(body, (rows, all), (rows, rows, all)))(X[:4], X[0]))
        loaded = jaxpr.load(text)
        run = Reference(loaded, 1).runs[0]
        self.assertEqual([run_bits(loaded.names, each) for each in loaded(*run.inputs)], run.found[0])
        self.assertTrue(jaxpr.verify(text, jaxpr.norm(text, passes="inline,dce")))
        for one, two in (("pmax", "pmin"), ("(1, 0)", "(0, 0)")):
            self.assertFalse(jaxpr.verify(text, text.replace(one, two)))

    def test_what_cannot_run(self):
        """an equation in a shard_map that JAX cannot run is an uninterpreted function of all shards; a dead one is not
        run"""
        frob = "d:f32[4,3] = frob[axes=('x',)] c"
        dead, live, without = SHARDED % (frob, "c"), SHARDED % (frob + "; e:f32[4,3] = mul c d", "e"), SHARDED % ("", "c")
        self.assertTrue(jaxpr.verify(dead, without))
        self.assertTrue(jaxpr.verify(live, live.replace("mul c d", "mul d c")))
        self.assertFalse(jaxpr.verify(live, without))
        self.assertFalse(jaxpr.verify(live, live.replace("frob[", "frob[more=1 ")))

    def test_of_one_name(self):
        """if two primitives have one name, or a version has another name, an equation uses the one that accepts its parameters"""
        text = SHARDED % ("d:f32[4,3] = pbroadcast[axes=('x',) axis_index_groups=None] c; e:f32[4,3] = mul c d", "e")
        self.assertEqual(jaxpr.load(text).missing, ())
        np.testing.assert_array_equal(jaxpr.load(text)(X.repeat(2, 0)[:8, :3])[0], X.repeat(2, 0)[:8, :3] ** 2)


# the programs in three issues of JAX's tracker, each of another version
REPORTS = {
    15736: ("{ lambda ; a:f32[] b:f32[]. let\n    c:f32[] = div a b\n    d:f32[] = exp b\n    e:f32[] = sub c d\n    f:f32[] = div a b\n"
            "    g:f32[] = sin f\n    h:f32[] = div a b\n    i:f32[] = add g h\n    j:f32[] = exp b\n    k:f32[] = sub i j\n"
            "    l:f32[] = mul e k\n  in (l,) }", lambda x, y: (x / y - jnp.exp(y)) * (jnp.sin(x / y) + x / y - jnp.exp(y)), (1.0, 2.0)),
    18802: ("{ lambda ; a:i32[]. let\n     = debug_callback[\n      callback=<function debug_callback.<locals>._flat_callback at 0x7c30cf833ac0>\n"
            "      effect=Debug\n    ] a\n  in (a,) }", lambda x: x, (np.int32(1),)),
    14397: ("{ lambda ; a:f32[]. let\n    b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,)] \n"
            "    c:f32[3] = convert_element_type[new_dtype=float32 weak_type=True] b\n    d:f32[3] = pow a c\n"
            "    e:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] 1.0\n    f:f32[3] = sub c e\n"
            "    g:f32[3] = pow a f\n    h:f32[3] = mul c g\n"
            "    i:f32[3] = convert_element_type[new_dtype=float32 weak_type=False] d\n"
            "    _:f32[] = reduce_sum[axes=(0,)] i\n"
            "    j:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] 1.0\n"
            "    k:f32[3] = convert_element_type[new_dtype=float32 weak_type=True] j\n    l:f32[3] = mul k h\n"
            "    m:f32[] = reduce_sum[axes=(0,)] l\n  in (m,) }", lambda x: 1 + 2 * x, (2.0,)),
}  # fmt: skip


class Reports(unittest.TestCase):
    def test_reports(self):
        """the text of a bug report computes the same as the function of its author"""
        for number, (text, function, args) in REPORTS.items():
            seen = []
            loaded = jaxpr.load(text, rules={"_flat_callback": lambda *values: seen.append(values)}, strict=True)
            with self.subTest(number):
                np.testing.assert_allclose(loaded(*args)[0], function(*args), rtol=1e-6)
                jax.effects_barrier()
                self.assertEqual(len(seen), "debug_callback" in text)
        self.assertTrue(np.isnan(jaxpr.load(REPORTS[14397][0])(0.0)[0]), "as reported, and as today's JAX does not trace it")
        text, function, args = REPORTS[15736]
        loaded = jaxpr.load(jaxpr.norm(text, passes="cse") if "cse" in jaxpr.passes() else text)
        for one, two in zip(jax.grad(lambda *a: loaded(*a)[0], (0, 1))(*args), jax.grad(function, (0, 1))(*args)):
            np.testing.assert_allclose(one, two, rtol=1e-5)


class Unknown(unittest.TestCase):
    RULE = "{ lambda ; a:f32[]. let b:f32[] = custom_jvp_call[\n  name=f\n  call_jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }\n  jvp=f_jvp\n  symbolic_zeros=False\n] a in (b,) }"

    def test_constants(self):
        """constants by order and by name; without them a read raises, and strict raises NotLoadable"""
        text = "{ lambda a:f32[2]; b:f32[2]. let c:f32[2] = add a b in (c,) }"
        one = np.ones(2, "float32")
        for consts in ([one], {"a": one}):
            self.assertEqual(jaxpr.load(text, consts=consts, strict=True)(one)[0].tolist(), [2, 2])
        loaded = jaxpr.load(text)
        self.assertEqual([each.parameter for each in loaded.missing], ["a"])
        with self.assertRaisesRegex(jaxpr.Missing, "constant a of type f32"):
            loaded(one)
        within = "{ lambda ; x:f32[2]. let y:f32[2] = mul x [...]:f32[2] in (y,) }"
        arrays = jaxpr.load("{ lambda ; a:f32[2]. let\n  b:f32[2] = add a [...]:f32[2]\n  c:f32[2] = jit[name=f jaxpr=%s] b\nin (c,) }" % within)
        self.assertEqual([(each.line, each.primitive) for each in arrays.missing], [(2, "add"), (3, "mul")])
        for wrong in ([], {"z": one}, [np.ones(3, "float32")], {"a": np.ones(2, "int32")}):
            with self.assertRaises(jaxpr.NotLoadable):
                jaxpr.load(text, consts=wrong)
        with self.assertRaisesRegex(jaxpr.NotLoadable, "constant a"):
            jaxpr.load(text, strict=True)

    def test_constants_of_one_value(self):
        """constants whose type has one value are known; `verify` compares programs in which they are moved"""
        text = "{ lambda a:f32[0] b:float0[3]; c:f32[2]. let\n    d:f32[2] = concatenate[dimension=0] a c\n    e:f32[0] = sin [...]:f32[0]\n  in (d, e) }"
        loaded = jaxpr.load(text, strict=True)
        self.assertEqual([each.tolist() for each in loaded(np.ones(2, "float32"))], [[1, 1], []])
        for passes in ("constants", "lift", "lift,constants"):
            self.assertTrue(jaxpr.verify(text, jaxpr.norm(text, passes=passes)))

    def test_constants_of_functions(self):
        """constants of a jitted function are found if a function of a module traces to the text; others are not used"""
        table = np.arange(3, dtype="float32")

        @jax.jit
        def looked_up(x):
            return (table * x).sum()

        module = sys.modules["looked_up"] = types.ModuleType("looked_up")
        module.looked_up = looked_up
        self.addCleanup(sys.modules.pop, "looked_up")
        text = str(jax.make_jaxpr(lambda x: looked_up(x) * 2)(np.float32(1)))
        if not re.search(r"\n.*\{ lambda \w", text, re.DOTALL):
            self.skipTest("this JAX passes constants to jitted functions")
        loaded = jaxpr.load(text, strict=True)
        self.assertTrue(loaded.exact)
        self.assertEqual(loaded(np.float32(1))[0], 6)
        self.assertTrue(jaxpr.verify(text, jaxpr.norm(text, passes="lift")))
        self.assertTrue(jaxpr.load(text.replace(" mul ", " add ")).missing)

    def test_sizes(self):
        """symbols in sizes are solved from sizes that determine them, and from no others"""
        text = "{ lambda ; a:f32[2*b + 1]. let c:f32[2*b + 1] = sin a in (c,) }"
        self.assertEqual(jaxpr.load(text)(np.zeros(7, "float32"))[0].shape, (7,))
        for size in ("mod(b, 2)", "max(b, 3)", "floordiv(b, 2) + 1"):
            with self.assertRaisesRegex(jaxpr.NotLoadable, "do not determine b"):
                jaxpr.load(text.replace("2*b + 1", size))(np.zeros(1, "float32"))

    def test_types_of_results(self):
        """the type of a result that is a literal is assumed if the text does not contain it"""
        loaded = jaxpr.load("{ lambda ; a:f32[2]. let  in (1.0, a) }")
        self.assertEqual([each.assumed for each in loaded.missing], [True])
        with self.assertRaisesRegex(jaxpr.NotLoadable, "the type of the result 1.0"):
            jaxpr.load(loaded.text, strict=True)

    def test_older(self):
        """a parameter that is not printed and that only the lowering needs has its default"""
        text = "{ lambda ; a:f32[3,3]. let b:f32[3,3] c:f32[3,3] = qr[full_matrices=False%s] a in (b, c) }"
        matrix = np.diag(np.arange(1, 4)).astype("float32")
        for more in ("", " pivoting=False use_magma=None"):
            q, r = jaxpr.load(text % more)(matrix)
            np.testing.assert_allclose(q @ r, matrix)

    @unittest.skipUnless(hasattr(jax.sharding, "AxisType") and jax.device_count() > 1, "needs axes of types, and two devices")
    def test_mesh(self):
        """sizes of mesh axes that are not printed are those of the arguments, or of the current mesh; nothing is assumed"""
        text = "{ lambda ; a:f32[8@x,4]. let b:f32[8@x,4] = sin a; c:f32[4] = reduce_sum[axes=(0,) out_sharding=None] b in (b, c) }"
        mesh = jax.make_mesh((2,), ("x",), axis_types=(jax.sharding.AxisType.Explicit,))
        loaded = jaxpr.load(text, strict=True)
        self.assertEqual((loaded.missing, loaded.mesh_axes), ((), ("x",)))
        plain = np.arange(32, dtype="float32").reshape(8, 4)
        placed = jax.device_put(plain, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x", None)))
        for run in (loaded, jax.jit(loaded)):
            self.assertEqual(dict(run(placed)[0].sharding.mesh.shape), {"x": 2})
            np.testing.assert_allclose(run(placed)[1], np.sin(plain).sum(0), rtol=1e-5)
        np.testing.assert_allclose(loaded(plain)[1], np.sin(plain).sum(0), rtol=1e-5)
        with jax.set_mesh(mesh) if hasattr(jax, "set_mesh") else jax.sharding.use_mesh(mesh):
            self.assertEqual(dict(loaded(placed)[0].sharding.mesh.shape), {"x": 2})
        self.assertEqual(jaxpr.load(text, mesh=mesh, strict=True).mesh_axes, ())

    def test_derived(self):
        """a parameter that follows from another is not missing: the function of a reduction is its program"""
        body = "{ lambda ; c:f32[] d:f32[]. let e:f32[] = max c d in (e,) }"
        text = "{ lambda ; a:f32[3]. let b:f32[] = reduce[computation=<lambda> dimensions=(0,) jaxpr=%s] a -inf:f32[] in (b,) }" % body
        loaded = jaxpr.load(text, strict=True)
        self.assertEqual(np.asarray(loaded(np.array([1, 3, 2], "float32"))[0]), 3)
        (reduce,) = getattr(loaded.jaxpr, "jaxpr", loaded.jaxpr).eqns
        self.assertEqual([float(each) for each in reduce.params["computation"](1.0, 2.0)], [2])
        self.assertEqual(str(reduce.params["computation"]), "<lambda>")

    def test_checks(self):
        """a check fails if its operand requires it, also inside checkify; only its message is missing"""
        loaded = jaxpr.load("{ lambda ; a:bool[] b:f32[]. let check[debug=False] a 0:i32[] b in (b,) }")
        self.assertEqual([each.parameter for each in loaded.missing], ["err_tree"])
        self.assertEqual(float(loaded(False, 2.0)[0]), 2)
        with self.assertRaisesRegex(ValueError, "its message is not in the text"):
            loaded(True, 2.0)
        for failed in (False, True):
            error, _ = checkify.checkify(jax.jit(loaded))(failed, 2.0)
            self.assertEqual(error.get() is not None, failed)

    def test_rules(self):
        """a rule that only has a name raises when it is needed; a given one differentiates"""
        if tuple(map(int, jax.__version__.split(".")[:2])) < (0, 12):
            self.skipTest("older JAX prints rules differently")
        loaded = jaxpr.load(self.RULE)
        self.assertEqual([(each.line, each.parameter) for each in loaded.missing], [(1, "jvp")])
        older = "{ lambda ; c:f32[]. let d:f32[] = pjit[name=g jaxpr=" + self.RULE + "] c in (d,) }"
        self.assertEqual([(each.line, each.parameter) for each in jaxpr.load(older).missing], [(1, "jvp")])
        self.assertEqual(bits(loaded(np.float32(2))), bits([jnp.sin(np.float32(2))]))
        with self.assertRaisesRegex(jaxpr.Missing, "f_jvp"):
            jax.grad(lambda x: loaded(x)[0])(1.0)
        given = jaxpr.load(self.RULE, rules={"f_jvp": lambda primals, tangents: (jnp.sin(primals[0]), 7.0 * tangents[0])}, strict=True)
        self.assertEqual(jax.grad(lambda x: given(x)[0])(1.0), 7.0)
        own = jax.custom_jvp(jnp.sin)
        own.defjvp(lambda primals, tangents: (jnp.sin(primals[0]), 5.0 * tangents[0]))
        given = jaxpr.load(self.RULE, rules={"f": own}, strict=True)
        self.assertEqual(jax.grad(lambda x: given(x)[0])(1.0), 5.0)

    def test_rules_of_jax(self):
        """rules of JAX's own functions need not be given, even for weakly typed or batched operands; those of a user's
        function of the same name are missing"""
        if tuple(map(int, jax.__version__.split(".")[:2])) < (0, 7):
            self.skipTest("older JAX does not print the names of rules")
        for function, args in ((jax.nn.relu, (0.0,)), (jnp.logaddexp, (X, 2.0)), (jax.scipy.special.xlogy, (X, 0.5)),
                               (jax.vmap(jax.scipy.special.xlogy, (0, None)), (X[0], 0.5))):  # fmt: skip
            loaded = jaxpr.load(str(jax.make_jaxpr(function)(*args)), strict=True)
            for one, two in zip(jax.jvp(lambda *a: loaded(*a)[0], args, args), jax.jvp(function, args, args)):
                np.testing.assert_allclose(one, two, rtol=1e-5)
        for function in (jnp.sinc, jnp.linalg.pinv):  # of an argument that is not differentiated: a number, or its default
            jaxpr.load(str(jax.make_jaxpr(function)(X)), strict=True)
        own = jax.custom_jvp(jax.jit(lambda x: jnp.maximum(x, 1)))
        own.__name__ = "relu"
        own.defjvps(lambda g, out, x: g)
        self.assertEqual([each.parameter for each in jaxpr.load(str(jax.make_jaxpr(own)(1.0))).missing], ["jvp"])

    def test_spaces(self):
        """the memory space of an array is not that of a kernel with the same name"""
        from jax._src import core

        if not hasattr(core, "MemorySpace"):
            self.skipTest("older JAX does not print memory spaces of types")
        loaded = jaxpr.load("{ lambda ; a:f32<host>[8]. let  in (a,) }", strict=True)
        self.assertIs(loaded.jaxpr.in_avals[0].memory_space, core.MemorySpace.Host)
        self.assertTrue(loaded.exact)

    def test_members(self):
        """a member of an enum is found by its repr"""
        mode = jax.lax.GatherScatterMode.CLIP
        text = str(jax.make_jaxpr(lambda x: jnp.take(x, jnp.arange(2), mode="clip"))(X)).replace(str(mode), repr(mode))
        self.assertEqual(jaxpr.load(text).missing, ())
        wrong = jaxpr.load(text.replace(repr(mode), repr(mode).replace("1", "7")))
        self.assertEqual([each.parameter for each in wrong.missing], ["mode"])

    def test_policies(self):
        """a policy that jax.checkpoint_policies has is found by its name"""
        policies = jax.checkpoint_policies
        text = lambda policy: str(jax.make_jaxpr(jax.checkpoint(jnp.sin, policy=policy))(1.0))
        loaded = jaxpr.load(text(policies.dots_with_no_batch_dims_saveable), strict=True)
        (only,) = getattr(loaded.jaxpr, "jaxpr", loaded.jaxpr).eqns
        self.assertIs(only.params["policy"], policies.dots_with_no_batch_dims_saveable)
        self.assertEqual([each.parameter for each in jaxpr.load(text(policies.save_only_these_names("a"))).missing], ["policy"])

    def test_refused(self):
        """texts that are not one whole program, or that contain what JAX does not define"""
        for text in ("{ lambda ; a:f32[]. let b:f32[] = sin c in (b,) }", "", "{ lambda ; a:f32[]. let\n    ...\n  in (a,) }",
                     "{ lambda ; a:nonsense[]. let  in (a,) }"):  # fmt: skip
            with self.assertRaises(jaxpr.Error):
                jaxpr.load(text)
        loaded = jaxpr.load("{ lambda ; a:f32[]. let b:f32[] = frobnicate[x=__import__('os').system('false')] a in (b,) }")
        with self.assertRaisesRegex(jaxpr.Missing, "frobnicate"):
            loaded(np.float32(1))

    def test_undefined(self):
        """a primitive that JAX does not define is missing in each program, and has the types of that program"""
        loads = [jaxpr.load("{ lambda ; a:f32[]. let b:%s = nowhere a in (b,) }" % of) for of in ("f32[]", "f32[3]", "i32[2]")]
        self.assertEqual([len(each.missing) for each in loads], [1, 1, 1])
        self.assertEqual([each.jaxpr.out_avals[0].shape for each in loads], [(), (3,), (2,)])
        for each in loads:
            each.check()

    def test_nothing_is_evaluated(self):
        """names of functions and classes in a text are not looked up"""
        for value in ("<function os.system at 0x7f0000000000>", "Popen(args='false')", "__import__('os')", "PyTreeDef(os.system('false'))"):
            text = f"{{ lambda ; a:f32[2]. let b:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides={value}] a in (b,) }}"
            try:
                loaded = jaxpr.load(text)
            except jaxpr.Error:
                continue
            self.assertNotEqual(loaded.missing, ())


if __name__ == "__main__":
    unittest.main()
