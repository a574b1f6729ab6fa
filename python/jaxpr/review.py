# SPDX-License-Identifier: Apache-2.0
"""`jaxpr review`, also `jaxpr-review` and `python -m jaxpr review`: accepts or rejects pending snapshots of tests.

A test that fails because its program changed, or because it has no snapshot yet, leaves the new text in a file whose name
ends in `.new`. Without a verb the review shows each change and asks; `accept` and `reject` do not ask."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import Dict, Iterator, List, Optional

from . import _snapshots as snapshots
from ._errors import Error, InvalidProgram, visible
from ._terminal import color_wanted
from ._verbs import check

_KEYS = """\
  a  accept  the new program becomes the snapshot
  r  reject  the snapshot is kept, the new program is discarded
  s  skip    decide later
  A R S      the same for this and all following snapshots
  d  diff    show the new program, the snapshot or the difference
  i  info    show where the files are, and what `jaxpr check` finds
  q  quit
"""
_PAST = {"accept": "accepted", "reject": "rejected", "skip": "skipped"}


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the program with the arguments of the command line; returns its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if given[:1] in (["accept"], ["reject"]):
            return _settle(given[0], given[1:])
        return _walk(given)
    except (Error, OSError) as error:
        print(f"jaxpr review: {visible(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print()
        return 130


def _settle(verb: str, given: List[str]) -> int:
    """Runs `accept` or `reject`; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"jaxpr review {verb}",
        description=f"{verb.capitalize()} pending snapshots without asking.",
    )
    parser.add_argument("path", nargs="+", help="a snapshot, its .new file, or a directory (all below it)")
    paths = _pending(parser.parse_args(given).path)
    for path in paths:
        _decide(path, verb)
        print(f"{_PAST[verb]} {visible(path)}")
    if not paths:
        print("no snapshots are pending")
    return 0


def _decide(path: str, verb: str) -> None:
    if verb == "accept":
        snapshots.accept(path)
    else:
        snapshots.remove(path + snapshots.PENDING)
        snapshots.remove_empty(os.path.dirname(path))


def _pending(paths: List[str]) -> List[str]:
    """The pending snapshots in the given paths; raises Error for a file without one."""
    found: List[str] = []
    for path in paths:
        if os.path.isdir(path):
            found += [os.path.normpath(each) for each in snapshots.find_pending(path)]
            continue
        snapshot = snapshots.snapshot_of(path)
        if not os.path.exists(snapshot + snapshots.PENDING):
            raise Error(f"nothing is pending for {snapshot}; `jaxpr review --list` lists pending snapshots")
        found.append(snapshot)
    return list(dict.fromkeys(found))


def _walk(given: List[str]) -> int:
    """Runs the review without a verb; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="jaxpr review",
        usage="jaxpr review [--list] [PATH ...]\n       jaxpr review {accept,reject} PATH ...",
        description="Show each pending snapshot, and ask whether to accept or reject it.",
        epilog="keys:\n" + _KEYS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", nargs="*", help="a snapshot, its .new file, or a directory (default: the current one)")
    parser.add_argument("--list", action="store_true", help="list pending snapshots and their changes")
    options = parser.parse_args(given)
    paths = _pending(options.path or ["."])
    if options.list:
        for path in paths:
            print(f"{visible(path)}: {visible(_state(path))}")
        return 0
    if not paths:
        print("no snapshots are pending")
        return 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(
            f"jaxpr review: {_number(len(paths))} pending, but this is not a terminal; "
            "use `jaxpr review accept PATH`, `reject PATH` or `--list`",
            file=sys.stderr,
        )
        return 2
    with _single_keys():
        counts = _ask_all(paths)
    print(", ".join(f"{n} {_PAST[verb]}" for verb, n in counts.items() if n))
    return 0


def _ask_all(paths: List[str]) -> Dict[str, int]:
    """Asks about each snapshot and acts on the answer; returns the number of snapshots for each answer."""
    counts = {"accept": 0, "reject": 0, "skip": 0}
    for_all = ""
    for i, path in enumerate(paths):
        verb = for_all or _ask(path, f"{i + 1}/{len(paths)}")
        if verb == "quit":
            counts["skip"] += len(paths) - i
            break
        if verb.isupper():
            verb = for_all = verb.lower()
        if verb != "skip":
            _decide(path, verb)
        counts[verb] += 1
    return counts


def _ask(path: str, which: str) -> str:
    """Shows a change until a key decides; returns the verb, in capitals if it applies to all following snapshots, too."""
    view, info = 0, False
    keys = {"a": "accept", "r": "reject", "s": "skip", "q": "quit", "A": "ACCEPT", "R": "REJECT", "S": "SKIP"}
    _show(path, which, view, info)
    while True:
        key = _read_key("a accept  r reject  s skip  d diff  i info  q quit  ? keys > ")
        if key in keys:
            return keys[key]
        if key == "d":
            view = (view + 1) % 3
        elif key == "i":
            info = not info
        else:
            print(_KEYS)
            continue
        _show(path, which, view, info)


def _show(path: str, which: str, view: int, info: bool) -> None:
    """Prints a pending snapshot."""
    bold, plain = ("\x1b[1m", "\x1b[0m") if color_wanted() else ("", "")
    new = _read(path + snapshots.PENDING)
    old = snapshots.read(path)
    print()
    print(f"{bold}[{which}] {visible(path)}{plain}")
    print(visible(f"{new.header.get('test', 'unknown test')}: {_state(path)}"))
    if info:
        for name, file, snapshot in (("snapshot", path, old), ("new", path + snapshots.PENDING, new)):
            if snapshot is not None:
                header = snapshot.header
                jax = f"JAX {header['jax']}" if "jax" in header else "no JAX"
                print(visible(f"  {name}: {os.path.abspath(file)}\n    {jax}, {header.get('digest', 'no digest')}"))
    print()
    if view == 2 and old is not None:
        print(visible(old.text))
    elif view == 1 or old is None:
        print(visible(new.sources))
    else:
        print(_difference(path, old, new, color_wanted()))
    if info:
        findings = check(new.text, name=path + snapshots.PENDING)
        if findings:
            print(findings)


def _difference(path: str, old: snapshots.Snapshot, new: snapshots.Snapshot, color: bool) -> str:
    try:
        found = snapshots.difference(old, new.sources, path, path + snapshots.PENDING)[1]
        return found.text(color=color) or visible(snapshots.canonical_difference(old.text, new.text))
    except InvalidProgram as error:
        return f"the snapshot has errors:\n{error}\n\nthe new program:\n{visible(new.sources)}"


def _state(path: str) -> str:
    """The change of a pending snapshot, as a phrase."""
    new = _read(path + snapshots.PENDING)
    old = snapshots.read(path)
    if old is None:
        return "new"
    before, now = old.header.get("jax"), new.header.get("jax")
    versions = f" (JAX {before} -> {now})" if before and now and before != now else ""
    try:
        return snapshots.difference(old, new.text, "old", "new")[0] + versions
    except InvalidProgram:
        return "the snapshot has errors" + versions


def _read(path: str) -> snapshots.Snapshot:
    found = snapshots.read(path)
    if found is None:
        raise FileNotFoundError(f"{path} no longer exists")
    return found


def _read_key(prompt: str) -> str:
    """Prints a prompt and waits for a key; the end of the input counts as `q`."""
    print(prompt, end="", flush=True)
    if os.name == "nt":
        import msvcrt

        key = msvcrt.getwch()  # type: ignore[attr-defined]
    else:
        key = os.read(sys.stdin.fileno(), 32).decode("utf-8", "replace")[:1]
    print(key if key.isprintable() else "")
    if key in ("\x03", "\x1c"):
        raise KeyboardInterrupt
    return key if key.isprintable() and key else "q"


@contextlib.contextmanager
def _single_keys() -> Iterator[None]:
    """A context in which the terminal delivers each key immediately."""
    if os.name == "nt":
        yield
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _number(n: int) -> str:
    return f"{n} snapshot" + (" is" if n == 1 else "s are")


if __name__ == "__main__":
    sys.exit(main())
