"""Finds damage in a stored row: in its checksum, its bounds, its boards or its moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import BindParameter, Connection, Table, bindparam, func, select

from tilework.core.errors import DamagedRowError, InputError, ReplayError
from tilework.core.model.states import SliceKind, SliceState
from tilework.core.puzzle.canonical import canonical_key
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.storage.damage import derived_rows
from tilework.core.storage.damage.checksums import (
    JOB_BOARDS,
    JOB_COLUMNS,
    QUEUES,
    SLICE,
    SLICE_END,
    SOLVE_COLUMNS,
    check_job,
    check_solve,
)
from tilework.core.storage.damage.column_types import mismatched_column
from tilework.core.storage.farm.solutions import SolutionRepository
from tilework.core.storage.models import job, slice_, solve

CHECKSUM = "its checksum does not match"
BOUNDS = "its bounds contradict each other"
BOARDS = "its boards do not match its key"
MOVES = "its moves do not solve its board, or their number is not its upper bound"
LEASE = "its lease has no end"
QUARANTINE = "it is in quarantine for no reason"
LOST = "unfinished slices of its search are missing"

TABLES: Mapping[str, Table] = {
    **{table.name: table for table in (solve, job, slice_)},
    **derived_rows.TABLES,
}
"""The tables whose rows are checked."""

_by_id: BindParameter[str] = bindparam("row_id")
_SOLVE = select(
    *SOLVE_COLUMNS, solve.c.goal_blank, solve.c.board, solve.c.goal, solve.c.moves.is_not(None)
).where(solve.c.id == _by_id)
_JOB = select(*JOB_COLUMNS, *JOB_BOARDS.columns, job.c.boards_seal).where(job.c.id == _by_id)
_SLICE = select(
    *SLICE.columns,
    slice_.c.seal,
    *SLICE_END.columns,
    slice_.c.end_seal,
    slice_.c.state,
    slice_.c.queue,
    slice_.c.lease_until,
    slice_.c.message,
).where(slice_.c.id == _by_id)
_PENDING = select(func.count()).where(
    slice_.c.solve_id == _by_id,
    slice_.c.state.in_([state for state in SliceState if state is not SliceState.DONE]),
    slice_.c.kind == SliceKind.SEARCH,
)
_COUNTED = select(solve.c.pending).where(solve.c.id == _by_id)
_SLICE_STATES = frozenset(map(str, SliceState))
_SOLVE_WIDTH = len(SOLVE_COLUMNS)
_JOB_WIDTH = len(JOB_COLUMNS)
_SLICE_WIDTH = len(SLICE.columns) + 1


def find_damage(connection: Connection, table: str, row_id: str) -> str | None:
    """Return why a row is damaged; None if it is sound or missing.

    The result is reliable if the caller has locked the solve; otherwise the row may be changing.
    """
    source = TABLES.get(table)
    if source is not None and (column := mismatched_column(connection, source, row_id)) is not None:
        return f"its {column} is invalid"
    if table in derived_rows.TABLES:
        return derived_rows.find_damage(connection, table, row_id)
    return _FINDERS[table](connection, row_id)


def _find_solve_damage(connection: Connection, row_id: str) -> str | None:
    row = connection.execute(_SOLVE, {"row_id": row_id}).first()
    if row is None:
        return None
    *columns, goal_blank, packed_board, packed_goal, has_moves = row
    try:
        check_solve(columns)
    except DamagedRowError:
        return CHECKSUM
    _, key, width, height, lower, upper, *_ = columns
    if upper is not None and lower > upper:
        return BOUNDS
    try:
        board, goal = unpack_board(packed_board), unpack_board(packed_goal)
    except (InputError, TypeError):
        return BOARDS
    metric, canonical = Metric.from_key(key), canonical_key(board, goal)
    matches_key = canonical is not None and Metric.matches(key, canonical)
    if not matches_key or (goal.blank, board.size) != (goal_blank, (width, height)):
        return BOARDS
    if not has_moves:
        return None if upper is None else MOVES
    try:
        moves = SolutionRepository(connection).best(row_id)
        if moves is None or metric.length(moves) != upper:
            return MOVES
        replay(board, moves, goal)
    except (InputError, ReplayError, DamagedRowError):
        return MOVES
    return None


def _find_job_damage(connection: Connection, row_id: str) -> str | None:
    row = connection.execute(_JOB, {"row_id": row_id}).first()
    if row is None:
        return None
    boards = row[_JOB_WIDTH:]
    try:
        check_job(row[:_JOB_WIDTH])
    except DamagedRowError:
        return CHECKSUM
    return None if JOB_BOARDS.matches(boards[:-1], boards[-1]) else CHECKSUM


def _find_slice_damage(connection: Connection, row_id: str) -> str | None:
    row = connection.execute(_SLICE, {"row_id": row_id}).first()
    if row is None:
        return None
    start, end, (state, queue, until, reason) = row[:_SLICE_WIDTH], row[_SLICE_WIDTH:-4], row[-4:]
    if not (SLICE.matches(start[:-1], start[-1]) and state in _SLICE_STATES and queue in QUEUES):
        return CHECKSUM
    if state == SliceState.DONE and not SLICE_END.matches(end[:-1], end[-1]):
        return CHECKSUM
    if state == SliceState.QUARANTINED and reason is None:
        return QUARANTINE
    return LEASE if state == SliceState.LEASED and until is None else None


def _find_pending_damage(connection: Connection, row_id: str) -> str | None:
    pending = connection.execute(_PENDING, {"row_id": row_id}).scalar_one()
    count = connection.execute(_COUNTED, {"row_id": row_id}).scalar()
    return None if count is None or pending == count else LOST


_FINDERS: Mapping[str, Callable[[Connection, str], str | None]] = {
    "solve": _find_solve_damage,
    "job": _find_job_damage,
    "slice": _find_slice_damage,
    "work": _find_pending_damage,
}
