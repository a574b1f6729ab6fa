# SPDX-License-Identifier: Apache-2.0
"""The error of a `check`. The text shows only its operands: whether it failed, its code, and the values in its message."""

MESSAGE = "a check failed; its message is not in the text"


class Nowhere:
    """The traceback of an error that no line of Python raised."""

    @staticmethod
    def as_python_traceback():
        return None


NOWHERE = Nowhere()


class Codes(dict):
    """The description of an error by its code: the same for every code, as the text does not contain it."""

    def __missing__(self, code):
        return next(iter(self.values()))


def error_tree(names, atoms):
    """The parameter `err_tree` of a `check` with these operands, for an error that checkify.check made; None unless the operands
    are those of one: a bool, a code, and the values of its message."""
    kinds = [str(getattr(getattr(each, "aval", None), "dtype", "")) for each in atoms[:3]]
    if kinds[:1] != ["bool"] or not kinds[1:] or kinds[1] == "bool":
        return None
    checkify, tree = names.checkify, names.jax.tree_util
    printed = [names.jax.ShapeDtypeStruct(each.aval.shape, each.aval.dtype) for each in atoms[2:]]
    error = checkify.FailedCheckError(NOWHERE, MESSAGE, *printed)
    effect, code = error.get_effect_type(), int(getattr(atoms[1], "val", 0))
    described = Codes({code: tree.tree_structure(error)})
    return tree.tree_structure(checkify.Error({effect: 0}, {effect: 0}, described, {effect: printed}))
