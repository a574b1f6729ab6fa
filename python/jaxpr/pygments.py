# SPDX-License-Identifier: Apache-2.0
"""A lexer for Pygments, which Sphinx, Jupyter and rich use: `jaxpr` is a language of code blocks.

    pygmentize -l jaxpr step.jaxpr

Pygments finds the lexer if this package is installed; this package does not install Pygments."""

from typing import Any, Iterator, Match, Tuple

from pygments.lexer import RegexLexer
from pygments.token import Text, Whitespace, string_to_tokentype

from . import _words

__all__ = ["JaxprLexer"]


def _primitive(_lexer: Any, match: Match[str]) -> Iterator[Tuple[int, Any, str]]:
    name = match.group()
    known = "control" if name in _words.CONTROL else "primitive" if name in _words.PRIMITIVES else "function"
    yield match.start(), string_to_tokentype(_words.TOKENS[known]), name


def _token(name: str) -> Any:
    return _primitive if name == "primitive" else string_to_tokentype(_words.TOKENS[name])


class JaxprLexer(RegexLexer):
    """Jaxprs, the programs that JAX prints."""

    name = "Jaxpr"
    url = "https://docs.jax.dev/en/latest/jaxpr.html"
    aliases = ["jaxpr"]
    filenames = ["*.jaxpr"]
    mimetypes = ["text/x-jaxpr"]

    tokens = {
        "root": [(r"\s+", Whitespace)] + [(rule, _token(name)) for name, rule in _words.RULES] + [(r".", Text)],
    }

    def analyse_text(text: str) -> float:
        """The probability that a text is a Jaxpr: 1 if it begins like one, else 0."""
        start = text.lstrip()[:80]
        return 1.0 if start.startswith("{ lambda ") or start.startswith("let ") and "= { lambda " in start else 0.0
