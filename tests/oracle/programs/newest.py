# SPDX-License-Identifier: Apache-2.0
"""What only recent versions can trace: hijax primitives, the third version of custom rules, new operations."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import exporting, program
from programs.custom import clipped, squash


@program("f32[3]", "f32[3]", flags={"jax_custom_vjp3": True})
def custom_vjp_third(x, y):
    return clipped(x, y), jax.grad(lambda a: clipped(a, y).sum())(x)


@program("f32[3]", flags={"jax_remat3": True})
def remat_third(x):
    f = jax.checkpoint(lambda v: jnp.sin(jnp.cos(v)).sum())
    return f(x), jax.grad(f)(x)


@program("f32[3]", flags={"jax_custom_jvp3": True})
def custom_jvp_third(x):
    return squash(x), jax.jvp(squash, (x,), (x,))


@program("f32[]")
def hijax_own(x):
    from jax._src import hijax

    class RaiseOwn(getattr(hijax, "HiPrim", None) or hijax.VJPHiPrimitive):
        def check(self, *avals):
            pass

        def __init__(self, ty, *, power):
            self.in_avals = (ty,)
            self.out_aval = ty
            self.params = dict(power=power, words=("a", "b"))
            super().__init__()

        def expand(self, v):
            return v**self.power

    return RaiseOwn(jax.typeof(x), power=3)(x)


@program("f32[5]", "f32[3]")
def small_new_operations(x, y):
    one = lax.dot_general(x, x, (((0,), (0,)), ((), ())))
    more = [getattr(lax, n)(x) for n in ("tan", "square", "one_minus_square", "log2") if hasattr(lax, n)]
    return one, more, jnp.tan(y)


@program("f32[4,3]")
def scaled_product(x):
    return jax.nn.dot_product_attention(x[None, :, None], x[None, :, None], x[None, :, None])


@program("f32[2,6,2,4]")
def scaled_product_causal(x):
    return jax.nn.dot_product_attention(x, x, x, is_causal=True, scale=0.5)


@program("f32[3]")
def reduced_precision_functions(x):
    return lax.exp(x, accuracy=lax.AccuracyMode.HIGHEST), lax.sin(x)


@program("f32[4,4]")
def more_linear_algebra(a):
    return lax.linalg.svd(a, full_matrices=False, subset_by_index=(0, 2)), lax.linalg.eigh(
        a + a.T, subset_by_index=(0, 2)
    )


@program("f32[8]")
def exported_call(x):
    exported = exporting().export(jax.jit(jnp.sin))(jax.ShapeDtypeStruct((8,), jnp.float32))
    return exported.call(x) * 2
