# SPDX-License-Identifier: Apache-2.0
"""`python -m jaxpr`: the program `jaxpr` that this package was installed with."""

import os
import sys
import sysconfig


def find_program() -> str:
    """The path of the program: where this Python has its scripts, else on PATH."""
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


def main() -> None:
    """Runs the program with the arguments of this one, in its place."""
    program = find_program()
    # verbs that are programs of their own, such as `jaxpr-review`, are looked for on PATH
    os.environ["PATH"] = os.path.dirname(program) + os.pathsep + os.environ.get("PATH", os.defpath)
    os.execv(program, [program] + sys.argv[1:])


if __name__ == "__main__":
    main()
