# SPDX-License-Identifier: Apache-2.0
"""The notebook doc/tour.ipynb runs, and its outputs are those recorded in it; JAXPR_UPDATE=1 records them.

Its cells run in one namespace, and the value of a cell's last expression is shown as text and, if it has one, as HTML."""

import ast
import json
import os
import unittest

NOTEBOOK = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "doc", "tour.ipynb"
)


def show(value):
    """the output of a cell whose last expression has this value"""
    data = {"text/plain": repr(value).splitlines(True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(True)
    return {"data": data, "metadata": {}, "output_type": "execute_result"}


def run(source, names):
    """runs a cell and returns its outputs"""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    return [] if value is None else [show(value)]


class Notebook(unittest.TestCase):
    def test_tour(self):
        with open(NOTEBOOK, encoding="utf-8") as file:
            notebook = json.load(file)
        names, count = {}, 0
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            count += 1
            outputs = [dict(output, execution_count=count) for output in run("".join(cell["source"]), names)]
            if os.environ.get("JAXPR_UPDATE"):
                cell["outputs"], cell["execution_count"] = outputs, count
            self.assertEqual(cell["outputs"], outputs, "".join(cell["source"]))
        self.assertGreater(count, 4)
        if os.environ.get("JAXPR_UPDATE"):
            with open(NOTEBOOK, "w", encoding="utf-8") as file:
                file.write(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


if __name__ == "__main__":
    unittest.main()
