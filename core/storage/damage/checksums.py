"""Checksums that reveal damaged rows; each row stores its checksum in a column named ``seal``.

They have no key, because anybody who can write to the database can write a checksum as well. They
reveal damage done by a disk, a broken restore or a careless statement.

A checksum covers the columns on which answers and proofs depend and that nothing else can check.
Moves are replayed, and the boards of a solve must match its key. Columns that only order work are
not covered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Double, Integer, LargeBinary, Text, type_coerce

from tilework.core.errors import DamagedRowError
from tilework.core.messages import Message
from tilework.core.model.states import ACTIVE_JOB_STATES, PRIORITY_RANKS, Queue
from tilework.core.storage.damage.column_types import fits
from tilework.core.storage.models import job, slice_, solution_chunk, solve
from tilework.core.storage.models.columns import MessageText

DIGEST_BYTES = 16


class Checksum:
    """The checksum of some columns of a table, in this order.

    The attribute ``columns`` is what to select for `matches`, with messages in their stored form.
    """

    def __init__(self, *columns: Column[Any]) -> None:
        self.columns = tuple(map(_as_stored, columns))
        self._kinds = [(column.name, _kind(column)) for column in columns]

    def compute(self, values: Mapping[str, Any]) -> str:
        """Return the checksum of values to be written, by column name; missing values are null."""
        get = values.get
        return self._digest(
            [None if get(name) is None else convert(get(name)) for name, convert in self._kinds]
        )

    def matches(self, values: Sequence[Any], stored: object) -> bool:
        """Whether values that were read match the stored checksum."""
        return self._digest(values) == stored

    def _digest(self, values: Sequence[Any]) -> str:
        blobs: list[bytes] = []
        if bytes in map(type, values):
            # Blobs are represented by their lengths among the numbers and texts.
            values = list(values)
            for index, value in enumerate(values):
                if isinstance(value, bytes):
                    blobs.append(value)
                    values[index] = len(value)
        # A single call formats all values.
        text = repr(tuple(values)).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(b"".join((text, *blobs)), digest_size=DIGEST_BYTES).hexdigest()


def _as_stored(column: Column[Any]) -> ColumnElement[Any]:
    return type_coerce(column, Text) if isinstance(column.type, MessageText) else column


def _kind(column: Column[Any]) -> Callable[[Any], Any]:
    if isinstance(column.type, Double):
        return float
    if isinstance(column.type, Integer):
        return int
    if isinstance(column.type, MessageText):
        return Message.to_json
    return bytes if isinstance(column.type, LargeBinary) else str


SOLVE = Checksum(
    solve.c.id,
    solve.c.canonical_key,
    solve.c.width,
    solve.c.height,
    solve.c.lower_bound,
    solve.c.upper_bound,
    solve.c.state,
    solve.c.threshold,
    solve.c.next_threshold,
    solve.c.covered,
    solve.c.epoch,
    solve.c.nodes,
    solve.c.seconds,
    solve.c.client_id,
    solve.c.engine,
    solve.c.wall_s,
    solve.c.recent_nodes,
    solve.c.recent_s,
    solve.c.rate_at,
    solve.c.pending,
    solve.c.iterations,
    solve.c.tried,
    solve.c.improvement,
)
SOLVE_COLUMNS = (*SOLVE.columns, solve.c.seal)
CHUNK = Checksum(solution_chunk.c.solve_id, solution_chunk.c.number, solution_chunk.c.data)
SLICE = Checksum(
    slice_.c.id,
    slice_.c.solve_id,
    slice_.c.epoch,
    slice_.c.kind,
    slice_.c.threshold,
    slice_.c.algorithm,
    slice_.c.heuristic,
    slice_.c.target,
    slice_.c.gap,
    slice_.c.share,
    slice_.c.parent_id,
    slice_.c.cursor,
)
SLICE_END = Checksum(
    slice_.c.id, slice_.c.nodes, slice_.c.next_threshold, slice_.c.engine, slice_.c.seconds
)
JOB = Checksum(
    job.c.id,
    job.c.client_id,
    job.c.solve_id,
    job.c.batch_id,
    job.c.batch_index,
    job.c.width,
    job.c.height,
    job.c.target,
    job.c.gap,
    job.c.algorithm,
    job.c.heuristic,
    job.c.time_limit_s,
    job.c.deadline,
    job.c.created_at,
    job.c.transform,
    job.c.metric,
)
JOB_BOARDS = Checksum(job.c.id, job.c.board, job.c.goal)
JOB_END = Checksum(job.c.id, job.c.state, job.c.lower_bound, job.c.upper_bound, job.c.finished_at)
JOB_REPORT = Checksum(
    job.c.id,
    job.c.message,
    job.c.nodes,
    job.c.wall_s,
    job.c.threshold,
    job.c.covered,
    job.c.engine,
)
# The columns that a check of a job needs, without its boards.
JOB_COLUMNS = (
    *JOB.columns,
    job.c.seal,
    *JOB_END.columns,
    job.c.end_seal,
    *JOB_REPORT.columns,
    job.c.told_seal,
    job.c.queue,
    job.c.version,
    job.c.started_at,
    job.c.priority,
)
_SOLVE_WIDTH = len(SOLVE.columns)
_LOWER = SOLVE.columns.index(solve.c.lower_bound)
_UPPER = SOLVE.columns.index(solve.c.upper_bound)
_JOB_WIDTH = len(JOB.columns)
_JOB_END = _JOB_WIDTH + 1 + len(JOB_END.columns)
_JOB_REPORT = _JOB_END + 1 + len(JOB_REPORT.columns)
_UNFINISHED = frozenset(map(str, ACTIVE_JOB_STATES))
QUEUES = frozenset(map(str, Queue))
"""Valid names of queues."""


def check_both(values: Sequence[Any]) -> None:
    """Check values of `JOB_COLUMNS` and of `SOLVE_COLUMNS`; a job may have no solve.

    Raises DamagedRowError, like the other checks, if they are damaged.
    """
    check_job(values[: len(JOB_COLUMNS)])
    if (solve_values := values[len(JOB_COLUMNS) :])[0] is not None:
        check_solve(solve_values)


def check_solve(values: Sequence[Any]) -> None:
    if not SOLVE.matches(values[:_SOLVE_WIDTH], values[_SOLVE_WIDTH]):
        raise damaged("solve", values[0])
    if values[_UPPER] is not None and values[_LOWER] > values[_UPPER]:
        raise damaged("solve", values[0])


def check_job(values: Sequence[Any]) -> None:
    end, end_checksum = values[_JOB_WIDTH + 1 : _JOB_END], values[_JOB_END]
    report, report_checksum = values[_JOB_END + 1 : _JOB_REPORT], values[_JOB_REPORT]
    queue, version, started_at, priority = values[_JOB_REPORT + 1 :]
    _, state, _, _, finished_at = end
    is_intact = (
        queue in QUEUES
        and type(version) is int
        and priority in PRIORITY_RANKS
        and fits(job.c.started_at, started_at)
        and JOB.matches(values[:_JOB_WIDTH], values[_JOB_WIDTH])
    )
    if finished_at is None and end_checksum is None:
        is_intact = is_intact and state in _UNFINISHED
    else:
        is_intact = (
            is_intact
            and (report_checksum is None or JOB_REPORT.matches(report, report_checksum))
            and JOB_END.matches(end, end_checksum)
            and state not in _UNFINISHED
        )
    if not is_intact:
        raise damaged("job", values[0])


def damaged(table: str, row_id: object) -> DamagedRowError:
    """Return the error for a damaged row."""
    return DamagedRowError((table, str(row_id)))
