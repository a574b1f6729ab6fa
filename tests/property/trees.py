# SPDX-License-Identifier: Apache-2.0
"""Programs as trees, made from the output of `jaxpr json`, with shared programs in the place of their names, so that
tests can change a program and print it again. Names and types are text; a parameter is text, a tree, a list, or
pieces."""

import hashlib
import json
import re


def programs(document):
    """Yields the programs in the output of `jaxpr json` as trees, without those that miss or damage a part."""
    for program in json.loads(document):
        shared = {}
        if not program.get("jaxpr"):
            continue
        try:
            for let in program["shared"]:
                shared[let["name"]] = tree(let["jaxpr"], shared)
            yield tree(program["jaxpr"], shared)
        except KeyError:  # it names a missing shared program, or contains a damaged part
            continue


def tree(j, shared):
    if any(e.get("form") in ("ellipsis", "damaged") for e in j["equations"]):
        raise KeyError("equation")
    return {
        "constvars": [(v["name"], v.get("type")) for v in j["constvars"]],
        "invars": [(v["name"], v.get("type")) for v in j["invars"]],
        "equations": [
            {
                "primitive": e["primitive"],
                "outvars": [(v["name"], v.get("type")) for v in e["outvars"]],
                "invars": [atom(a) for a in e["invars"]],
                "params": {k: value(v, shared) for k, v in e["params"].items()},
                "text": e.get("text"),
            }
            for e in j["equations"]
        ],
        "outvars": [atom(a) for a in j["outvars"]],
    }


def atom(a):
    text = a.get("literal", a.get("name"))
    return text + a.get("index", "") + (":" + a["type"] if "literal" in a and a.get("type") else "")


def value(v, shared):
    if isinstance(v, str):
        return v
    if isinstance(v, list):
        return [value(x, shared) for x in v]
    if "pieces" in v:
        return {"pieces": [value(x, shared) for x in v["pieces"]]}
    if "shared" in v and not isinstance(v["shared"], list):
        return shared[v["shared"]]
    if "jaxpr" in v:
        inner = {let["name"]: tree(let["jaxpr"], shared) for let in v["shared"]}
        return tree(v["jaxpr"], {**shared, **inner})
    return tree(v, shared)


def is_program(v):
    return isinstance(v, dict) and "equations" in v


def show(j):
    binders = lambda vs: " ".join(n + (":" + t if t else "") for n, t in vs)
    outs = ", ".join(j["outvars"]) + ("," if len(j["outvars"]) == 1 else "")
    return "{ lambda %s ; %s . let\n%s\n in (%s) }" % (
        binders(j["constvars"]), binders(j["invars"]), "\n".join("    " + equation(e) for e in j["equations"]), outs)


def equation(e):
    if isinstance(e, str):
        return e
    results = " ".join(n + (":" + t if t else "") for n, t in e["outvars"])
    if e["text"] is not None:
        return results + e["text"]
    keys = sorted(e["params"], key=lambda k: (k != "name", k))  # as JAX does it
    params = " ".join("%s=%s" % (k, spell(e["params"][k])) for k in keys)
    return "%s%s%s %s" % (results + " = " if results else "", e["primitive"], "[%s]" % params if params else "",
                          " ".join(e["invars"]))


def spell(v):
    if is_program(v):
        return show(v)
    if isinstance(v, list):
        return "(" + "\n".join(spell(x) for x in v) + ")"
    if isinstance(v, dict):
        return "".join(spell(x) for x in v["pieces"])
    return v


def nested(j):
    """Every jaxpr of a tree."""
    found, stack = [], [j]
    while stack:
        j = stack.pop()
        found.append(j)
        for e in j["equations"]:
            for v in e["params"].values():
                stack += [x for x in (v if isinstance(v, list) else [v]) if is_program(x)]
    return found


def spelled(v):
    """The text of a parameter's value, in which programs are replaced by the terms of their results."""
    if is_program(v):
        made = terms(v)
        return repr([made.get(a, a) for a in v["outvars"]] + [t for _, t in v["invars"]])
    if isinstance(v, list):
        return repr([spelled(x) for x in v])
    return repr([spelled(x) for x in v["pieces"]]) if isinstance(v, dict) else v


SHORT = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c"}


def is_default(key, value, equation):
    """Whether a parameter has its default, the element type of the result, so that leaving it out is the same."""
    if key != "preferred_element_type":
        return False
    kind, width = re.match(r"(\D*)(\d*)", spelled(value)).groups()
    return (equation["outvars"][0][1] or "").startswith(SHORT.get(kind, kind) + width + "[")


def terms(j):
    """{variable: its term}, a digest of the equation that computes it and of the terms it reads, or an argument's
    number."""
    made = {n: "argument %d" % i for i, (n, _) in enumerate(j["constvars"] + j["invars"])}
    for e in j["equations"]:
        parts = [e["primitive"], e["text"] or "", *(k + "=" + spelled(v) for k, v in e["params"].items()
                                                         if not is_default(k, v, e))]
        parts += [made.get(a, a) for a in e["invars"]] + [t or "" for _, t in e["outvars"]]
        term = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        for i, (n, _) in enumerate(e["outvars"]):
            made[n] = "%s %d" % (term, i)
    return made
