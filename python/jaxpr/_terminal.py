# SPDX-License-Identifier: Apache-2.0
"""Colours: whether to use them on a terminal, and their HTML for notebooks."""

from __future__ import annotations

import html
import os
import re
import sys
from typing import Any

# the colours of the library, readable on white and on black
_STYLES = {
    "1": "font-weight:bold",
    "2": "opacity:0.6",
    "7": "background:#8884",
    "27": "",
    "31": "color:#d33",
    "32": "color:#2a2",
    "33": "color:#b70",
    "34": "color:#47c",
    "35": "color:#a3a",
    "36": "color:#088",
}

_ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def color_wanted(file: Any = None) -> bool:
    """Whether to colour output to a file (None: standard output): if neither NO_COLOR nor CLICOLOR_FORCE decides, whether
    it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    try:
        return bool((file or sys.stdout).isatty())
    except (AttributeError, ValueError):
        return False


def interactive() -> bool:
    """Whether a result is shown in an interactive session, on a terminal with colours."""
    return hasattr(sys, "ps1") and color_wanted()


def to_html(colored: str) -> str:
    """A text with the colours of a terminal as HTML, safe to insert."""
    out, at, is_open = [], 0, False
    for match in _ESCAPE.finditer(colored):
        out.append(html.escape(colored[at : match.start()], quote=False))
        at = match.end()
        styles = [_STYLES[word] for word in match[1].split(";") if _STYLES.get(word)]
        if is_open:
            out.append("</span>")
        is_open = bool(styles)
        if is_open:
            out.append(f'<span style="{";".join(styles)}">')
    out.append(html.escape(colored[at:], quote=False))
    return f'<pre style="line-height:1.25">{"".join(out)}{"</span>" if is_open else ""}</pre>'
