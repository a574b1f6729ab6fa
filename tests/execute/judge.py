# SPDX-License-Identifier: Apache-2.0
"""Compares what a program computes before and after each rewrite of the binary."""

import collections
import json
import os
import re
import signal
import subprocess
import tempfile

import evaluate
import inputs
import load

STEPS = 3000
LIFTS = ["lift", "lift,constants"]
COMBINED = ["inline,dce", "lift,inline,dce", "lift,constants", "constants,inline,dce"]


class Refused(Exception):
    """The binary exits with a status other than 0."""


class Crashed(Exception):
    """The binary ends by a signal."""


MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "man", "jaxpr-norm.1")


def rewrites(installed):
    """The arguments of every rewrite, each as a list; the passes are those that the manual lists."""
    with open(MANUAL) as manual:
        listed = manual.read().split(".Bl -tag -width constants", 1)[1].split(".El", 1)[0]
    passes = re.findall(r"^\.It Cm ([a-z-]+)$", listed, re.M)
    of = [["fmt"], ["norm"]]
    of += [["norm", f"--era={era}"] for era in dict.fromkeys([installed, "0.10.2", "0.7.1", "0.5.3", "0.4.28"])]
    of += [["norm", "--share=never"], ["norm", "--share=always"]]
    for each in passes:
        more = ["--count=1"] if each == "args-to-consts" else [f"--era={installed}"] if each == "spell" else []
        of.append(["norm", "-p", each] + more)
    return of + [["norm", "-p", each] for each in COMBINED]


def first_code(said):
    """The code of the first finding, or else how the binary ended."""
    found = re.search(r"\[([A-Z]\d{3}) ", said)
    return found.group(1) if found else said[:60].replace("\n", " ")


class Judge:
    def __init__(self, binary, installed, seed, show):
        self.binary, self.seed, self.show = binary, seed, show
        self.rewrites = rewrites(installed)
        self.compared, self.refused, self.different, self.same, self.loaded = 0, 0, 0, 0, 0
        self.reasons, self.refusals, self.kinds = collections.Counter(), collections.Counter(), collections.Counter()

    def call(self, arguments, text):
        """What the binary prints; without threads and polling, as most of the time would go there."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
            given.write(text.encode())
            given.seek(0)
            with subprocess.Popen([self.binary] + arguments, stdin=given, stdout=subprocess.PIPE, stderr=said, close_fds=False) as process:
                signal.signal(signal.SIGALRM, lambda *_: process.kill())
                signal.alarm(120)
                out = process.stdout.read().decode(errors="replace")
            signal.alarm(0)
            if process.returncode < 0:
                raise Crashed(f"signal {-process.returncode}")
            if process.returncode:
                said.seek(0)
                raise Refused(f"exit {process.returncode}: " + said.read().decode(errors="replace")[:2000])
            return out

    def load(self, text):
        try:
            fields = json.loads(self.call(["json"], text))
        except Refused as error:
            raise load.NotLoadable(f"json {str(error)[:60]}") from None
        if len(fields) != 1:
            raise load.NotLoadable("several programs")
        return load.load(fields[0])

    def execute(self, program, given, seed, memory):
        """The bits of the results, of refs among the arguments, and what was printed."""

        def constant(one, *_):
            of = one.type if isinstance(one, load.Literal) else one
            if memory.apart:
                return memory.apart[id(one)]
            if of.text() not in memory.constants:
                memory.constants[of.text()] = inputs.value(of, inputs.seed_of(seed, "risen", of.text()), 0)
            return memory.constants[of.text()]

        machine = evaluate.Machine(STEPS, constant, memory)
        total = len(program.consts) + len(program.args)
        if total < len(given):
            raise load.NotLoadable("constants are left out")
        types = program.consts + program.args
        given = [evaluate.Ref(each.value) if isinstance(each, evaluate.Ref) else each for each in given]
        if memory.apart and total > len(given):
            if total - len(given) != len(memory.risen):
                raise load.IllFormed(f"{total - len(given)} constants were lifted, of {len(memory.risen)}")
            risen = memory.risen
        else:
            risen = [constant(each) for each in types[: total - len(given)]]
        for value, of in zip(risen + given, types):
            evaluate.check(value, of, None)
        outs = machine.run(program, (risen + given)[: len(program.consts)], (risen + given)[len(program.consts) :])
        refs = [each for each in given if isinstance(each, evaluate.Ref)]
        return [evaluate.bits(each) for each in outs + refs] + [repr(machine.prints)]

    def program(self, identity, text):
        """Judges one program; False when it cannot be run."""
        seed, runs = inputs.seed_of(self.seed, identity), []
        try:
            program = self.load(text)
            if any(isinstance(each, load.Literal) and each.type is None for each in program.outs):
                raise load.NotLoadable("a result without a type")
            for kind in (0, 1):
                try:
                    types, memory = program.consts + program.args, evaluate.Memory()
                    given = [inputs.value(of, inputs.seed_of(seed, kind, at), kind) for at, of in enumerate(types)]
                    runs.append((kind, given, memory, self.execute(program, given, seed, memory)))
                except evaluate.TooLong:
                    if kind == 0:
                        raise
        except load.NotLoadable as error:
            self.reasons[str(error)] += 1
            return False
        except load.IllFormed as error:
            self.reasons[f"ill formed: {str(error)[:60]}"] += 1
            return False
        except Exception as error:  # what a primitive of JAX raises on what the text says
            self.reasons[f"JAX: {type(error).__name__} {str(error)[:70]}".replace("\n", " ")] += 1
            return False
        self.loaded += 1
        nested = bool(load.risen(program))
        self.apart = self.constants_apart(program, runs[0], seed) if nested else None
        seen = {(text.strip(), False): None}
        for rewrite in self.rewrites:
            self.rewrite(identity, text, rewrite, runs, seed, seen, nested, program.out_types())
        return True

    def constants_apart(self, program, run, seed):
        """A run where each nested constant has a value of its own, and not that of its type: what `lift` must keep in order."""
        memory, constants = evaluate.Memory(), load.risen(program)
        for at, each in enumerate(constants):
            of = each.type if isinstance(each, load.Literal) else each
            memory.apart.setdefault(id(each), inputs.value(of, inputs.seed_of(seed, "apart", at), 0))
        memory.risen = [memory.apart[id(each)] for each in constants]
        return [(*run[:2], memory, self.execute(program, run[1], seed, memory))]

    def rewrite(self, identity, text, rewrite, runs, seed, seen, nested, types):
        try:
            after = self.call(rewrite, text)
        except Crashed as error:
            self.different += 1
            self.kinds[" ".join(rewrite)] += 1
            self.report(identity, text, rewrite, seed, "", str(error))
            return
        except Refused as error:
            self.refused += 1
            self.refusals[" ".join(rewrite) + ": " + first_code(str(error))] += 1
            return
        lifted = nested and "lift" in rewrite[-1]
        key = (after.strip(), lifted)
        if key in seen:
            self.same += 1
        else:
            try:
                seen[key] = self.differs(after, runs + self.apart if nested and rewrite[-1] in LIFTS else runs, seed, lifted, types)
            except load.NotLoadable as error:
                self.reasons["rewritten: " + str(error)] += 1
                return
        if key in seen and seen[key]:
            self.different += 1
            self.kinds[" ".join(rewrite)] += 1
            self.report(identity, text, rewrite, seed, after, seen[key])
        else:
            self.compared += 1

    def differs(self, after, runs, seed, lifted, types):
        """What is wrong with the text `after`, None when nothing is."""
        try:
            program = self.load(after)
            program.settle(types)
            if lifted and load.risen(program):
                return f"programs of {', '.join(sorted(load.holders(program)))} have constants after lift"
            return self.values(program, runs, seed)
        except load.NotLoadable:
            raise
        except load.IllFormed as error:
            return f"ill formed: {error}"

    def values(self, program, runs, seed):
        try:
            for kind, given, memory, before in runs:
                found = self.execute(program, given, seed, memory)
                if len(found) != len(before):
                    return f"{len(found)} values, before {len(before)}"
                wrong = [at for at, (one, two) in enumerate(zip(before, found)) if one != two]
                if wrong:
                    return f"results {wrong} differ on inputs of kind {kind}"
        except load.NotLoadable:
            raise
        except load.IllFormed as error:
            return f"ill formed: {error}"
        except Exception as error:  # a primitive refuses what it took before
            return f"{type(error).__name__}: {str(error)[:300]}"
        return None

    def report(self, identity, text, rewrite, seed, after, why):
        self.show(f"DIFFERENT {identity}: {' '.join(rewrite)}: {why}\ninputs' seed {seed}\n"
                  f"--- before\n{text.rstrip()}\n--- after\n{after.rstrip()}\n"
                  f"--- again: tests/execute/run {self.binary} --seed {self.seed} --only '{identity}'\n")
