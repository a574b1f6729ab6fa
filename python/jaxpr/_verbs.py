# SPDX-License-Identifier: Apache-2.0
"""The functions of the package that check, print, rewrite and compare programs."""

from __future__ import annotations

import ctypes
import re
from typing import Any, Iterable, List, Optional, Tuple, Union

from . import _library as c
from ._diff import Diff
from ._errors import Error, UsageError
from ._findings import Findings, findings_of, raise_errors
from ._library import lib
from ._source import Source, source

# in the order of enum jx_dialect, jx_dims and jx_share
_DIALECTS = ("auto", "jax", "catalyst", "catalyst-g1", "catalyst-g0", "pennylane")
_DIMS = ("auto", "vars", "symbolic")
_SHARES = ("auto", "never", "always")

Words = Union[str, Iterable[str], None]


def _index(words: Tuple[str, ...], word: str, what: str) -> int:
    try:
        return words.index(word)
    except ValueError:
        raise UsageError(f"unknown {what} `{word}`; expected one of {', '.join(words)}") from None


def _list(words: Words) -> List[str]:
    if words is None:
        return []
    return [word for word in words.split(",") if word] if isinstance(words, str) else list(words)


def _commas(words: Words) -> Optional[bytes]:
    listed = _list(words)
    return c.word(",".join(listed)) if listed else None


def passes() -> Tuple[str, ...]:
    """The names of the passes of `norm` and `diff`, in the order in which they run."""
    names: List[str] = []
    while True:
        name = lib.jx_pass_at(len(names))
        if name is None:
            return tuple(names)
        names.append(name.decode())


def _passes(words: Words) -> int:
    bits = 0
    for word in _list(words):
        written = c.word(word)
        bit = lib.jx_pass_find(written, len(written))
        if not bit:
            known = passes()
            near = lib.jx_nearest(
                written, (ctypes.c_char_p * len(known))(*(name.encode() for name in known)), len(known)
            )
            hint = f"did you mean `{near.decode()}`?" if near else f"the passes are {', '.join(known)}"
            raise UsageError(f"`{word}` is not a pass; {hint}")
        bits |= bit
    return bits


_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,2})(?:\.([0-9]{1,2})(?:\.[0-9].*)?)?(?:\.?(?:rc|a|b|dev|post|\+).*)?")


def _version(version: Optional[str]) -> int:
    if version is None:
        return 0
    match = _VERSION.fullmatch(version)
    number = sum(int(part or 0) * 100**i for i, part in enumerate(reversed(match.groups()))) if match else 0
    if number > 0:
        return number
    raise UsageError(f"expected a version such as 0.4.28, got `{version}`")


def check(
    x: Any,
    *,
    strict: bool = False,
    as_jax: bool = False,
    dialect: str = "auto",
    dims: str = "auto",
    explain: bool = False,
    name: Optional[str] = None,
) -> Findings:
    """Checks scopes, shapes and types, and returns every error once.

    `x` is text (str, bytes or another buffer), a file (an os.PathLike), or a live object of JAX: a Jaxpr, a ClosedJaxpr
    or what `jax.jit(f).trace(*args)` returns. A text may contain several programs.

    >>> import jaxpr
    >>> findings = jaxpr.check("{ lambda ; a:f32[8] b:f32[4]. let c:f32[8] = add a b in (c,) }")
    >>> findings.ok
    False
    >>> print(findings[0].code, findings[0].message)
    T008 `add` requires operands of equal shapes: `a` is f32[8], `b` is f32[4]

    strict: report an equation that cannot be verified, such as one of an unknown primitive, as an error.
    as_jax: report what JAX accepts as a warning at most.
    dialect: the system that printed the text: "auto", "jax", "catalyst", "catalyst-g1", "catalyst-g0" or "pennylane".
    dims: what `n` is in `f32[n]`: "vars", a variable of the program; "symbolic", a symbol of jax.export; or "auto".
    explain: add a note with the choices that "auto" made for each program.
    name: the name of the text in findings, instead of the path, `<text>` or `<jaxpr>`.

    `findings.raise_if_error()` raises InvalidProgram; see `Findings`. The manual is jaxpr-check(1)."""
    module = source(x, name).read()
    options = None
    if strict or as_jax or explain or dialect != "auto" or dims != "auto":
        options = c.jx_check_options(
            strict=strict,
            as_jax=as_jax,
            dialect=_index(_DIALECTS, dialect, "dialect"),
            dims=_index(_DIMS, dims, "dims"),
            explain=explain,
        )
        options = ctypes.byref(options)
    c.ok(lib.jx_check(module.handle, options), module.context)
    return findings_of(module)


def fmt(
    x: Any,
    *,
    width: int = 80,
    strip_comments: bool = False,
    jax: Optional[str] = None,
    name: Optional[str] = None,
) -> str:
    """Returns the text of every program in JAX's layout, each followed by a newline.

    `x` is text, a file or a live object, as for `check`. A text with syntax errors raises InvalidProgram; if `jax` is given,
    scope errors do, too.

    >>> print(jaxpr.fmt("{ lambda ; a:f32[]. let b:f32[] = sin a\\n in (b,) }"), end="")
    { lambda ; a:f32[]. let b:f32[] = sin a in (b,) }

    width: columns of a line.
    strip_comments: omit comments, such as ` # file.py:3:6 (f)`, except `# jaxpr: ignore`.
    jax: print as this version of JAX would, such as "0.4.28", in 80 columns and with comments.

    The manual is jaxpr-fmt(1)."""
    if width < 1:
        raise UsageError(f"width must be at least 1, got {width}")
    version = _version(jax)
    if version and (width != 80 or strip_comments):
        raise UsageError("`jax` cannot be used with `width` or `strip_comments`")
    module = source(x, name).read()
    raise_errors(module)
    if version:
        return _normalized(module, c.jx_normal_options(passes=_passes("spell"), jax=version))
    options = c.jx_format_options(width=width, strip_comments=strip_comments)
    written = c.write(lib.jx_format, module.handle, ctypes.byref(options), context=module.context)
    raise_errors(module)  # errors of values that cannot be formatted
    return written.decode("utf-8", "replace")


def _normalized(module: Any, options: Any) -> str:
    chunks: List[bytes] = []
    options.in_place = True
    c.ok(lib.jx_normalize(module.handle, ctypes.byref(options), c.collect, chunks, None), module.context)
    raise_errors(module)
    return b"".join(chunks).decode("utf-8", "replace")


def norm(
    x: Any,
    *,
    passes: Words = None,
    count: Optional[int] = None,
    jax: Optional[str] = None,
    share: str = "auto",
    dialect: str = "auto",
    name: Optional[str] = None,
) -> str:
    """Returns the canonical form, which is the same for equal programs; or, with `passes`, the programs after these passes.

    `x` is text, a file or a live object, as for `check`. The canonical form of equal programs is the same, except for
    parameters such as `name`: it does not depend on the names of variables, the layout, the order of independent equations,
    or the version of JAX that printed the programs. Errors of syntax, and most errors of scope, raise InvalidProgram.

    >>> print(jaxpr.norm("{ lambda ; x:f32[]. let y:f32[] = sin x; z:f32[] = cos x in (y,) }", passes="dce"), end="")
    { lambda ; a:f32[]. let b:f32[] = sin a in (b,) }

    passes: names of passes, such as "dce" or ["inline", "dce"]; `jaxpr.passes()` lists them, jaxpr-norm(1) explains
        them. They run in the order of this list.
    count: the number of arguments that the pass "args-to-consts" turns into constants.
    jax: print as this version of JAX would, such as "0.4.28". By default, passes keep the spelling of the text, and the
        canonical form has one spelling for all versions.
    share: which nested programs the canonical form prints first, as `let`: "auto", "never" or "always".
    dialect: the system for whose loops the pass "expand" prints parameters, as for `check`.

    The manual is jaxpr-norm(1)."""
    bits = _passes(passes)
    takes_count = bool(bits & _passes("args-to-consts"))
    if takes_count != (count is not None):
        raise UsageError("the pass `args-to-consts` and `count`, its number of arguments, must be given together")
    options = c.jx_normal_options(
        passes=bits,
        count=count or 0,
        jax=_version(jax),
        share=_index(_SHARES, share, "share"),
        dialect=_index(_DIALECTS, dialect, "dialect"),
    )
    return _normalized(source(x, name).read(), options)


def hashes(
    x: Any, *, dce: bool = False, commute: bool = False, ignore_params: Words = None, name: Optional[str] = None
) -> Tuple[str, ...]:
    """Returns the digest of each program of a text; see `hash`."""
    module = source(x, name).read()
    options = c.jx_compare_options(dce=dce, commute=commute, without=_commas(ignore_params), in_place=True)
    with c.result(
        lib.jx_digests, lib.jx_digest_list_free, module.handle, ctypes.byref(options), context=module.context
    ) as found:
        raise_errors(module)
        return tuple(c.text(lib.jx_digest_at(found, i)) for i in range(lib.jx_program_count(module.handle)))


def hash(
    x: Any, *, dce: bool = False, commute: bool = False, ignore_params: Words = None, name: Optional[str] = None
) -> str:
    """Returns the digest of a program, which is the same for equal programs: "jx2:" and 64 hexadecimal digits.

    `x` is text, a file or a live object, as for `check`, with exactly one program; `hashes` takes any number.
    Equality, options and exceptions are those of `eq`.

    >>> jaxpr.hash("{ lambda ; a:f32[]. let in (a,) }") == jaxpr.hash("{ lambda ; b:f32[] . let  in (b,) }")
    True

    The manual is jaxpr-hash(1)."""
    found = hashes(x, dce=dce, commute=commute, ignore_params=ignore_params, name=name)
    if len(found) != 1:
        raise Error(f"expected a text with one program, found {len(found)}; `jaxpr.hashes` returns a digest for each")
    return found[0]


def eq(a: Any, b: Any, *, dce: bool = False, commute: bool = False, ignore_params: Words = None) -> bool:
    """Returns whether two texts contain equal programs in the same order.

    `a` and `b` are text, files or live objects, as for `check`. Names of variables, the layout, the order of independent
    equations, and the version of JAX that printed the programs do not matter. A text with errors of syntax or scope, other
    than captured variables (S016), raises InvalidProgram.

    >>> jaxpr.eq("{ lambda ; a:f32[]. let in (a,) }", "{ lambda ; b:f32[] . let  in (b,) }")
    True

    dce: ignore equations that no result depends on.
    commute: ignore the order of operands of commutative primitives.
    ignore_params: keys of parameters to ignore, such as "name,donated_invars" or ["name"].

    `diff` returns the differences. The manual is jaxpr-eq(1)."""
    return hashes(a, dce=dce, commute=commute, ignore_params=ignore_params) == hashes(
        b, dce=dce, commute=commute, ignore_params=ignore_params
    )


def diff(
    a: Any,
    b: Any,
    *,
    dce: bool = False,
    commute: bool = False,
    ignore_params: Words = None,
    signature: bool = False,
    passes: Words = None,
    context: int = 3,
    name_a: Optional[str] = None,
    name_b: Optional[str] = None,
) -> Diff:
    """Returns the differences between `a` and `b`, equation by equation, in the names of `a`. The result is false if there
    are none.

    `a` and `b` are text, files or live objects, as for `check`. Equations are matched by what they compute, not by the names
    of their results. A text with errors of syntax or scope, other than captured variables (S016), raises InvalidProgram.

    >>> d = jaxpr.diff("{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }", "{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }")
    >>> bool(d), d.changed
    (True, 1)

    dce, commute, ignore_params: as for `eq`.
    signature: compare only arguments and results.
    passes: passes of `norm` to run on both first, such as "inline,dce".
    context: the number of equations to show before and after a difference.
    name_a, name_b: the names of both sides in the result, instead of their paths.

    `print(d)` shows the differences; an interactive Python and a notebook show them in colour. See `Diff`. The manual is
    jaxpr-diff(1)."""
    if context < 0:
        raise UsageError(f"`context` must be at least 0, got {context}")
    options = dict(
        dce=dce,
        commute=commute,
        without=_commas(ignore_params),
        signature=signature,
        passes=_passes(passes),
        context=context + 1,
    )
    return Diff(_side(a, name_a, "a"), _side(b, name_b, "b"), options)


def _side(x: Any, name: Optional[str], otherwise: str) -> Source:
    side = source(x, name).keep()
    return Source(otherwise, side.data) if name is None and side.name in ("<text>", "<jaxpr>") else side
