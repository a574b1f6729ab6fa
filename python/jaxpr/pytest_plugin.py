# SPDX-License-Identifier: Apache-2.0
"""The plugin for pytest: the fixture `jaxpr_snapshot` and its options.

Each process that runs tests attaches the outcomes of snapshots to pytest's reports; the process that prints results (without
pytest-xdist, the only process) collects them. JAX is imported only if a test passes a function to trace."""

from __future__ import annotations

import os
import shlex
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import pytest

from . import _snapshots as snapshots
from ._errors import Error, InvalidProgram, UsageError

# the outcomes of a snapshot, in the order in which the summary counts them
_CHANGED, _MISSING, _BROKEN, _WRITTEN, _UPDATED, _RESPELLED, _REWRITTEN, _SAME = range(8)
_PHRASES = {
    _CHANGED: "changed",
    _MISSING: "missing",
    _BROKEN: "cannot be compared",
    _WRITTEN: "written",
    _UPDATED: "updated",
    _RESPELLED: "spelled differently but equal",
    _REWRITTEN: "equal and rewritten",
}
_MOST_LINES = 120  # the lines of differences in a report without -vv


# ---- the fixture ----


class JaxprSnapshot:
    """Compares programs with the snapshots of a test; the value of the fixture `jaxpr_snapshot`.

    `jaxpr_snapshot(f, *args, **kwargs)` traces a function with these arguments, as `jax.make_jaxpr` does. It also takes a
    Jaxpr, a ClosedJaxpr, the result of `jax.jit(f).trace(*args)`, text or an `os.PathLike`. The test fails unless the
    program is equal to its snapshot; names of variables, the layout and the version of JAX do not matter.

    The file of a test's second program has `@2` in its name, and so on; `using(name=..)` gives a name instead."""

    def __init__(self, session: _Session, item: pytest.Item) -> None:
        self._session = session
        self._item = item
        self._count = 0
        self._name: Optional[str] = None
        self._options: Dict[str, Any] = {}
        self._root = self

    def using(
        self, *, name: Optional[str] = None, dce: bool = False, commute: bool = False, ignore_params: Any = None
    ) -> JaxprSnapshot:
        """Returns the fixture with a name for the snapshot and options of `jaxpr.eq`; it can be called any number of times.

        jaxpr_snapshot.using(name="backward")(jax.grad(loss), params)

        All calls with the same name compare with the same snapshot, so their programs must be equal."""
        if name is not None and (not isinstance(name, str) or not name):
            raise UsageError(f"a snapshot name must be a str with at least one letter, got {name!r}")
        made = JaxprSnapshot(self._session, self._item)
        made._name = name
        made._options = {
            key: value for key, value in (("dce", dce), ("commute", commute), ("ignore_params", ignore_params)) if value
        }
        made._root = self._root
        return made

    def __repr__(self) -> str:
        return f"<jaxpr_snapshot of {self._item.name}>"

    def __call__(self, x: Any, /, *args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        if self._name is None:
            self._root._count += 1
            number = self._root._count
            suffix = f"@{number}" if number > 1 else ""
        else:
            suffix = "@" + snapshots.safe_name(self._name)
        message = self._session.compare(self._item, suffix, x, args, kwargs, self._options)
        if message:
            raise AssertionError(message)


@pytest.fixture
def jaxpr_snapshot(request: pytest.FixtureRequest) -> JaxprSnapshot:
    """Compares a program with its snapshot beside the test: `jaxpr_snapshot(f, *args)`.

    Snapshots are in `__jaxpr__/TESTFILE/TESTNAME.jaxpr`. `--jaxpr-update` writes them; `jaxpr review` shows each change and
    asks whether to keep it. See jaxpr.pytest_plugin.JaxprSnapshot."""
    return JaxprSnapshot(request.config.stash[_SESSION], request.node)


# ---- options ----


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("jaxpr", "snapshots of Jaxprs")
    group.addoption("--jaxpr-update", action="store_true", help="write snapshots that are missing or changed")
    group.addoption(
        "--jaxpr-update-respelled",
        action="store_true",
        help="rewrite equal snapshots that this JAX prints differently",
    )
    group.addoption(
        "--jaxpr-unreferenced",
        choices=("report", "delete", "fail"),
        default="report",
        help="report (the default) or delete snapshots that no test used, or fail",
    )


def pytest_configure(config: pytest.Config) -> None:
    session = _Session(config)
    config.stash[_SESSION] = session
    config.pluginmanager.register(session, "jaxpr-snapshots")


# ---- a run ----


class _Candidate(NamedTuple):
    """A file that may be unreferenced: `owner` is the test that it belongs to, "" if that test no longer exists."""

    path: str
    owner: str


class _Session:
    """The state of a run in one process. Tests are identified by the path of their snapshots, without `@2` and `.jaxpr`."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.is_worker = hasattr(config, "workerinput")
        # in processes that run tests
        self.events: Dict[str, List[Tuple[str, int]]] = {}  # outcomes by node id, since its last report
        self.claimed: Dict[str, str] = {}  # the test that uses a file, by the path of the file in lower case
        self.compared: Set[str] = set()  # snapshots that are equal to a program of this run
        self.directories: Set[str] = set()  # all directories `__jaxpr__` that were found
        self.collected: Set[str] = set()  # test files whose tests are all known
        self.owners: Dict[str, Set[str]] = {}  # names of tests, by the directory of their file's snapshots
        # in the process that collects reports
        self.outcomes: Dict[str, int] = {}  # by the path of the snapshot
        self.passed: Set[str] = set()
        self.failed: Set[str] = set()
        self.candidates: Set[_Candidate] = set()
        self.unreferenced: List[str] = []
        self.deleted = False

    # ---- comparing, in processes that run tests ----

    def compare(
        self,
        item: pytest.Item,
        suffix: str,
        x: Any,
        args: Tuple[Any, ...],
        kwargs: Dict[str, Any],
        options: Dict[str, Any],
    ) -> str:
        """Compares a program with its snapshot and records the outcome. Returns the message of a failure, or ""."""
        __tracebackhide__ = True
        path = _owner(item) + suffix + snapshots.SUFFIX
        test = f"{item.path.name}::{item.nodeid.partition('::')[2]}"
        other = self.claimed.setdefault(path.lower(), item.nodeid)
        if other != item.nodeid:
            return f"{other} has a snapshot of the same name, {self.shown(path)}; rename one of the tests"
        events = self.events.setdefault(item.nodeid, [])
        try:
            printed = snapshots.print_program(x, args, kwargs, str(self.config.rootpath))
        except InvalidProgram as error:
            events.append((path, _BROKEN))
            return f"the program has errors, so no snapshot can be compared:\n{error}"
        outcome, message = self.judge(item, path, test, printed, options)
        events.append((path, outcome))
        return message

    def judge(
        self, item: pytest.Item, path: str, test: str, printed: snapshots.Printed, options: Dict[str, Any]
    ) -> Tuple[int, str]:
        """Compares a printed program with a file, and writes files as the options request. Returns the outcome and the message
        of a failure, or ""."""
        may_write = self.config.getoption("--jaxpr-update") and path not in self.compared
        old = snapshots.read(path)
        if old is None:
            if may_write:
                return self.write(path, printed, test, _WRITTEN)
            return _MISSING, self.explain_missing(item, path, self.offer(path, printed, test))
        try:
            verdict = snapshots.compare(old, printed, **options)
        except InvalidProgram as error:
            if may_write:
                return self.write(path, printed, test, _UPDATED)
            hint = self.hint(item, path, self.offer(path, printed, test))
            return _BROKEN, f"the snapshot {self.shown(path)} has errors:\n{error}\n{hint}"
        if verdict == "changed":
            if may_write:
                return self.write(path, printed, test, _UPDATED)
            return _CHANGED, self.explain_change(item, path, old, printed, test, options)
        if verdict == "respelled" and path not in self.compared:
            if self.config.getoption("--jaxpr-update-respelled"):
                return self.write(path, printed, test, _REWRITTEN)
        self.compared.add(path)
        snapshots.remove(path + snapshots.PENDING)
        return (_SAME if verdict == "same" else _RESPELLED), ""

    def write(self, path: str, printed: snapshots.Printed, test: str, outcome: int) -> Tuple[int, str]:
        """Writes a snapshot."""
        snapshots.write(path, printed, test)
        snapshots.remove(path + snapshots.PENDING)
        self.compared.add(path)
        return outcome, ""

    def offer(self, path: str, printed: snapshots.Printed, test: str) -> bool:
        """Writes the pending snapshot, which a review can accept; false if it cannot be written."""
        try:
            snapshots.write(path, printed, test, pending=True)
            return True
        except OSError:
            return False

    def explain_missing(self, item: pytest.Item, path: str, pending: bool) -> str:
        return f"the snapshot {self.shown(path)} is missing\n{self.hint(item, path, pending)}"

    def explain_change(
        self,
        item: pytest.Item,
        path: str,
        old: snapshots.Snapshot,
        printed: snapshots.Printed,
        test: str,
        options: Dict[str, Any],
    ) -> str:
        pending = self.offer(path, printed, test)
        shown = self.shown(path)
        counts, found = snapshots.difference(old, printed.sources, shown, "this run", **options)
        lines = (str(found) or snapshots.canonical_difference(old.text, printed.text)).splitlines()
        if self.config.getoption("verbose") < 2 and len(lines) > _MOST_LINES:
            left = len(lines) - _MOST_LINES
            lines[_MOST_LINES:] = [f"... {left} more lines; -vv shows all, `jaxpr diff --summary` their source lines"]
        before, now = old.header.get("jax"), printed.jax
        if before and now and before != now:
            lines.insert(0, f"the snapshot was printed by JAX {before}, the program by JAX {now}")
        return "\n".join(
            [f"the program changed: {counts} ({os.path.basename(path)})", *lines, self.hint(item, path, pending)]
        )

    def hint(self, item: pytest.Item, path: str, pending: bool) -> str:
        """The commands that review and write a snapshot, as lines of a message."""
        directory = str(self.config.invocation_params.dir)
        node = os.path.relpath(str(item.path), directory) + "::" + item.nodeid.partition("::")[2]
        write = f"write it:  pytest {shlex.quote(node)} --jaxpr-update"
        if not pending:
            return write
        return f"review it: jaxpr review {shlex.quote(os.path.relpath(path, directory))}\n{write}"

    def shown(self, path: str) -> str:
        """A path as messages show it."""
        return os.path.relpath(path, str(self.config.invocation_params.dir))

    # ---- which tests exist, in processes that collect tests ----

    def pytest_ignore_collect(self, collection_path: Any) -> Optional[bool]:
        if collection_path.name == snapshots.DIRECTORY and collection_path.is_dir():
            self.directories.add(str(collection_path))
            return True
        return None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.passed and report.nodeid.endswith(".py"):
            self.collected.add(os.path.normpath(os.path.join(str(self.config.rootpath), report.nodeid)))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: List[pytest.Item]) -> Iterator[None]:
        for item in items:  # before other plugins deselect some
            directory, name = os.path.split(_owner(item))
            if directory not in self.owners:
                self.owners[directory] = set()
                if os.path.isdir(os.path.dirname(directory)):
                    self.directories.add(os.path.dirname(directory))
            self.owners[directory].add(name)
        yield

    def partly_collected(self) -> Optional[Set[str]]:
        """The test files of which the command line selects only some tests; None if this may be any file."""
        option = self.config.option
        if getattr(option, "lf", False) or getattr(option, "pyargs", False):
            return None
        start = str(self.config.invocation_params.dir)
        return {os.path.normpath(os.path.join(start, arg.split("::")[0])) for arg in self.config.args if "::" in arg}

    def find_candidates(self) -> Set[_Candidate]:
        """Files that no test may have used."""
        partly = self.partly_collected()
        found: Set[_Candidate] = set()
        for directory in self.directories:
            sources = {os.path.splitext(name)[0] for name in _list(os.path.dirname(directory))}
            for stem in _list(directory):
                folder = os.path.join(directory, stem)
                names = self.owners.get(folder, set())
                test_file = os.path.join(os.path.dirname(directory), stem + ".py")
                known = partly is not None and test_file in self.collected and test_file not in partly
                for file in _list(folder):
                    if not snapshots.snapshot_of(file).endswith(snapshots.SUFFIX):
                        continue
                    name = snapshots.owner_of(file)
                    if name in names:
                        found.add(_Candidate(os.path.join(folder, file), os.path.join(folder, name)))
                    elif known or stem not in sources:
                        found.add(_Candidate(os.path.join(folder, file), ""))
        return found

    # ---- reports ----

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        outcome = yield
        events = self.events.pop(item.nodeid, [])
        if not events and not self.directories:
            return
        owner = _owner(item)
        if events or os.path.dirname(os.path.dirname(owner)) in self.directories:
            outcome.get_result().jaxpr = {"owner": owner, "events": events}  # type: ignore[attr-defined]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seen = getattr(report, "jaxpr", None)
        if self.is_worker or seen is None:
            return
        for path, outcome in seen["events"]:
            before = self.outcomes.get(path)
            # for several calls with one snapshot the worst outcome counts; for several runs of a test, the last
            self.outcomes[path] = outcome if before is None or before <= _BROKEN else min(before, outcome)
        if report.when == "call" and report.passed:
            self.passed.add(seen["owner"])
        if report.failed:
            self.failed.add(seen["owner"])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", None) or {}
        self.candidates.update(_Candidate(*each) for each in output.get("jaxpr_candidates", ()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.config.getoption("collectonly"):
            return
        found = self.find_candidates()
        if self.is_worker:
            self.config.workeroutput["jaxpr_candidates"] = [tuple(each) for each in found]  # type: ignore[attr-defined]
            return
        done = self.passed - self.failed
        for path, owner in sorted(found | self.candidates):
            if snapshots.snapshot_of(path) not in self.outcomes and (not owner or owner in done):
                self.unreferenced.append(path)
        how = self.config.getoption("--jaxpr-unreferenced")
        if how == "delete":
            self.deleted = True
            for path in self.unreferenced:
                snapshots.remove(path)
                snapshots.remove_empty(os.path.dirname(path))
        elif how == "fail" and self.unreferenced and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        lines = self.summary(quiet=terminalreporter.verbosity < 0)
        if lines:
            terminalreporter.section("snapshots of Jaxprs")
            for line in lines:
                terminalreporter.write_line(line)

    def summary(self, quiet: bool) -> List[str]:
        """The lines that a run prints at its end."""
        outcomes = list(self.outcomes.values())
        lines = []
        counts = [f"{outcomes.count(o)} {phrase}" for o, phrase in _PHRASES.items() if o in outcomes]
        if counts or (outcomes and not quiet):
            lines.append(f"{_number(len(outcomes))}: {'; '.join(reversed(counts)) or 'equal'}")
        if _RESPELLED in outcomes:
            lines.append("--jaxpr-update-respelled rewrites equal snapshots as this JAX prints them")
        pending = sum(o in (_CHANGED, _MISSING, _BROKEN) for o in outcomes)
        if pending:
            lines.append("`jaxpr review` shows and asks about each; --jaxpr-update writes all")
        if self.unreferenced:
            verb = "deleted" if self.deleted else "no test uses"
            hint = "" if self.deleted else "; --jaxpr-unreferenced=delete deletes them"
            if self.deleted:
                lines.append(f"deleted {_number(len(self.unreferenced))} that no test uses:")
            else:
                lines.append(f"{verb} {_number(len(self.unreferenced))}{hint}:")
            lines += ["  " + self.shown(path) for path in self.unreferenced]
        return lines


_SESSION = pytest.StashKey[_Session]()


def _owner(item: pytest.Item) -> str:
    """The path of a test's snapshots, without `@2` and `.jaxpr`."""
    function = getattr(item, "originalname", None) or item.name
    classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    parameters = item.name[len(function) :] if item.name.startswith(function) else item.name
    if parameters.startswith("[") and parameters.endswith("]"):
        parameters = parameters[1:-1]
    name = snapshots.test_name(classes, function, parameters)
    return os.path.join(str(item.path.parent), snapshots.DIRECTORY, item.path.stem, name)


def _list(directory: str) -> List[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def _number(n: int) -> str:
    return f"{n} snapshot" + ("s" if n != 1 else "")
