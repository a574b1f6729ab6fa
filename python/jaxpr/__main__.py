# SPDX-License-Identifier: Apache-2.0
"""`python -m jaxpr`: the program `jaxpr` that is installed with this package, and verbs that need Python."""

import os
import pathlib
import sys
import sysconfig
from typing import List

from ._errors import visible


def find_program() -> str:
    """The path of the program: in the directories of this Python's scripts, else on PATH; exits if there is none."""
    name = "jaxpr" + (sysconfig.get_config_var("EXE") or "")
    schemes = [sysconfig.get_path("scripts")]
    user = f"{os.name}_user"
    if user in sysconfig.get_scheme_names():
        schemes.append(sysconfig.get_path("scripts", user))
    # `pip install --target` puts `bin` beside the package
    schemes.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for directory in schemes + os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(directory, name)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    sys.exit("jaxpr: the program `jaxpr` is neither among the scripts of this Python nor on PATH")


def to_python(paths: List[str]) -> int:
    """`python -m jaxpr to-python [FILE]`: prints the source of a program; needs JAX."""
    from . import Error, to_python as source

    if len(paths) > 1 or paths[:1] in (["-h"], ["--help"]):
        print("usage: python -m jaxpr to-python [file]", file=sys.stderr)
        return 2
    try:
        print(source(pathlib.Path(paths[0]) if paths and paths[0] != "-" else sys.stdin.read()), end="")
    except (Error, OSError) as error:
        print(f"jaxpr: to-python: {visible(error)}", file=sys.stderr)
        return 1
    return 0


def index(words: List[str]) -> int:
    """`python -m jaxpr index DIR -o FILE`: makes a database of all programs of a directory; needs the extra `fleet`."""
    try:
        from .fleet._index import main as run
    except ImportError as error:
        print(f"jaxpr: index: {error}; `pip install duckdb pyarrow tqdm` installs its requirements", file=sys.stderr)
        return 2
    return run(words)


def contract_from(paths: List[str]) -> int:
    """`python -m jaxpr contract-from PATH...`: prints contracts that replace assertions on the text of programs."""
    from ._propose import contracts_from

    if not paths or paths[0].startswith("-"):
        print("usage: python -m jaxpr contract-from path...", file=sys.stderr)
        return 2
    skipped: List[str] = []
    try:
        proposed = contracts_from(paths, skipped)
    except OSError as error:
        skipped, proposed = [str(error)], ""
    print(proposed, end="")
    if not proposed and not skipped:
        skipped.append("no assertion on the text of a program was found")
    for each in skipped:
        print(f"jaxpr: contract-from: {visible(each)}", file=sys.stderr)
    return 0 if proposed else 1


OWN = {"to-python": to_python, "index": index, "contract-from": contract_from}  # verbs of the package itself


def main() -> None:
    """Runs a verb of OWN, or replaces this process by the program, with the same arguments."""
    if sys.argv[1:2] and sys.argv[1] in OWN:
        sys.exit(OWN[sys.argv[1]](sys.argv[2:]))
    program = find_program()
    # the program searches PATH for verbs that are separate programs, such as `jaxpr-review`
    os.environ["PATH"] = os.path.dirname(program) + os.pathsep + os.environ.get("PATH", os.defpath)
    os.execv(program, [program] + sys.argv[1:])


if __name__ == "__main__":
    main()
