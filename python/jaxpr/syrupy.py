# SPDX-License-Identifier: Apache-2.0
"""An extension for syrupy, whose `snapshot` then compares Jaxprs as programs:

    from jaxpr.syrupy import JaxprExtension

    @pytest.fixture
    def snapshot_jaxpr(snapshot):
        return snapshot.use_extension(JaxprExtension)

    def test_step(snapshot_jaxpr):
        assert jax.make_jaxpr(step)(params) == snapshot_jaxpr

Each snapshot is a file, `__snapshots__/TESTFILE/TESTNAME.jaxpr`. A test passes if the program is equal to its snapshot; names
of variables, the layout and the version of JAX do not matter. A failure shows the differences equation by equation. Syrupy
writes, updates and deletes snapshots; `jaxpr review` is only for those of `jaxpr_snapshot`."""

from __future__ import annotations

from typing import Any, Iterator

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from . import _snapshots as snapshots
from ._errors import InvalidProgram
from ._verbs import eq


class JaxprExtension(SingleFileSnapshotExtension):
    """Stores the text of a program, of a live Jaxpr, or of the result of `jax.jit(f).trace(*args)`, and compares it by
    `jaxpr.eq`."""

    _file_extension = "jaxpr"  # for syrupy before 5
    file_extension = "jaxpr"
    _write_mode = WriteMode.TEXT

    def serialize(self, data: Any, **options: Any) -> str:
        """The text of a program; raises InvalidProgram if it has errors of syntax or scope."""
        return snapshots.print_program(data).text

    def matches(self, *, serialized_data: Any, snapshot_data: Any) -> bool:
        """Whether two texts contain equal programs."""
        if serialized_data == snapshot_data:
            return True
        try:
            return eq(serialized_data, snapshot_data)
        except InvalidProgram:
            return False

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """The lines of the differences from the snapshot, as `jaxpr diff` prints them, or of its errors."""
        old = snapshots.Snapshot({}, str(snapshot_data), str(snapshot_data))
        try:
            counts, found = snapshots.difference(old, str(serialized_data), "snapshot", "this run")
        except InvalidProgram as error:
            yield from str(error).splitlines()
            return
        yield counts
        yield from (str(found) or snapshots.canonical_difference(old.text, str(serialized_data))).splitlines()
