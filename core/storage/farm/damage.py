"""Finds what is damaged in a solve and its slices, and prepares a damaged solve to start again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, bindparam, delete, func, literal, select, update

from tilework.core.errors import (
    DamagedRowError,
    DamagedSolveError,
    InputError,
    ReplayError,
)
from tilework.core.model.endings import RECORD_LOST
from tilework.core.model.farm.solves import Puzzle
from tilework.core.model.states import (
    ACTIVE_JOB_STATES,
    JobState,
    Queue,
    SliceKind,
    SliceState,
    SolveState,
)
from tilework.core.puzzle.canonical import canonical_key
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.storage.checksums import BURIED, SLICE, SLICE_END, SOLVE_COLUMNS, check_solve
from tilework.core.storage.farm.solutions import SolutionRepository
from tilework.core.storage.models import job, slice_, solve
from tilework.core.storage.repository import Repository

_PAGE = 500

_by_id: BindParameter[str] = bindparam("of_solve")
_LOCK = select(solve.c.id).where(solve.c.id == _by_id).with_for_update(key_share=True)
_SOLVE = select(
    solve.c.goal_blank, solve.c.board, solve.c.goal, solve.c.moves.is_not(None), *SOLVE_COLUMNS
).where(solve.c.id == _by_id)
_SLICES = (
    select(
        slice_.c.state,
        slice_.c.queue,
        slice_.c.lease_until,
        slice_.c.message.is_(None),
        slice_.c.kind,
        *SLICE_END.columns,
        slice_.c.end_checksum,
        *SLICE.columns,
        slice_.c.checksum,
    )
    .where(slice_.c.solve_id == _by_id, slice_.c.id > bindparam("after"))
    .order_by(slice_.c.id)
    .limit(_PAGE)
)
_END = 5
_START = _END + len(SLICE_END.columns) + 1
_DROP = delete(slice_).where(slice_.c.id.in_(bindparam("ids", expanding=True)))
_DROP_ALL = delete(slice_).where(slice_.c.solve_id == _by_id)
_ACTIVE = (job.c.solve_id == _by_id, job.c.state.in_(ACTIVE_JOB_STATES))
_ANY_ACTIVE = select(job.c.id).where(*_ACTIVE).limit(1)
_END_JOBS = (
    update(job)
    .where(*_ACTIVE)
    .values(
        state=JobState.FAILED,
        finished_at=bindparam("now"),
        message=RECORD_LOST,
        version=job.c.version + 1,
    )
)
_BURY = (
    update(solve)
    .where(solve.c.id == _by_id)
    .values(canonical_key=literal(BURIED) + solve.c.id, state=SolveState.IDLE)
)
_EPOCH = select(func.coalesce(func.max(slice_.c.epoch), 0)).where(slice_.c.solve_id == _by_id)
_COUNT = select(func.count()).select_from(solve)
_IDS = (
    select(solve.c.id)
    .where(solve.c.id > bindparam("after"))
    .order_by(solve.c.id)
    .limit(bindparam("limit"))
)
_SLICE_STATES = frozenset(map(str, SliceState))
_QUEUES = frozenset(map(str, Queue))


class Fault(NamedTuple):
    """A damaged row, and what is wrong with it."""

    table: str
    row_id: str
    reason: str


class DamageRepository(Repository):
    """Checks solves over one connection."""

    def lock(self, solve_id: str) -> bool:
        """Lock a solve, even if its row is damaged; return False if it does not exist."""
        return self._connection.execute(_LOCK, {"of_solve": solve_id}).first() is not None

    def check(self, solve_id: str) -> tuple[list[Fault], int]:
        """Return what is damaged in a solve and its slices, and how many slices it has.

        The result is reliable if the caller has locked the solve; otherwise it may be changing.
        """
        row = self._connection.execute(_SOLVE, {"of_solve": solve_id}).first()
        if row is None:
            return [], 0
        reason = self._find_fault(solve_id, tuple(row))
        faults = [] if reason is None else [Fault("solve", solve_id, reason)]
        count = pending = 0
        for values in self._slices(solve_id):
            count += 1
            state, _, _, _, kind, slice_id, *_ = values
            pending += state != SliceState.DONE and kind == SliceKind.SEARCH
            if (reason := _find_slice_fault(values)) is not None:
                faults.append(Fault("slice", slice_id, reason))
        counted = row[-len(SOLVE_COLUMNS) :][SOLVE_COLUMNS.index(solve.c.pending)]
        if not faults and pending != counted:
            faults.append(Fault("slice", solve_id, "unfinished slices of this solve are missing"))
        return faults, count

    def _slices(self, solve_id: str) -> Iterator[tuple[Any, ...]]:
        after = ""
        while True:
            values = {"of_solve": solve_id, "after": after}
            page = self._connection.execute(_SLICES, values).all()
            yield from map(tuple, page)
            if len(page) < _PAGE:
                return
            after = page[-1][_END]

    def _find_fault(self, solve_id: str, row: tuple[Any, ...]) -> str | None:
        goal_blank, packed_board, packed_goal, has_moves, *columns = row
        try:
            check_solve(columns)
        except DamagedRowError:
            return None  # nothing can be done about it any more
        except DamagedSolveError:
            return "its checksum or its bounds are wrong"
        _, key, width, height, _, upper, *_ = columns
        puzzle = Puzzle(key, width, height, goal_blank, packed_board, packed_goal)
        if find_puzzle(puzzle) != puzzle:
            return "its boards do not match its key"
        metric = Metric.from_key(key)
        board, goal = unpack_board(packed_board), unpack_board(packed_goal)
        try:
            moves = SolutionRepository(self._connection).best(solve_id) if has_moves else None
            if (None if moves is None else metric.length(moves)) != upper:
                return "its moves do not have the length of its upper bound"
            if moves is not None:
                replay(board, moves, goal)
        except (InputError, ReplayError, DamagedSolveError):
            return "its moves do not solve its board"
        return None

    def drop_slices(self, ids: list[str]) -> None:
        self._connection.execute(_DROP, {"ids": ids})

    def has_unfinished_jobs(self, solve_id: str) -> bool:
        return self._connection.execute(_ANY_ACTIVE, {"of_solve": solve_id}).first() is not None

    def last_epoch(self, solve_id: str) -> int:
        """Return the last epoch of a solve's slices."""
        return int(self._connection.execute(_EPOCH, {"of_solve": solve_id}).scalar_one())

    def bury(self, solve_id: str, now: float) -> None:
        """Give up a locked solve whose puzzle is unknown: its jobs fail, and its key is free."""
        values = {"of_solve": solve_id, "now": now}
        self._connection.execute(_END_JOBS, values)
        self._connection.execute(_DROP_ALL, values)
        self._connection.execute(_BURY, values)

    def count(self) -> int:
        """Return the number of solves."""
        return self._connection.execute(_COUNT).scalar_one()

    def ids(self, after: str, limit: int) -> list[str]:
        """Return the ids of solves after an id, in order."""
        values = {"after": after, "limit": limit}
        return list(self._connection.execute(_IDS, values).scalars())


def find_puzzle(stored: Puzzle) -> Puzzle | None:
    """Return the puzzle that its boards and its key state; None if these do not match."""
    try:
        board, goal = unpack_board(stored.board_bytes), unpack_board(stored.goal_bytes)
    except (InputError, TypeError):
        return None
    key = canonical_key(board, goal)
    if key is None or not Metric.matches(stored.key, key):
        return None
    return stored._replace(width=board.width, height=board.height, goal_blank=goal.blank)


def _find_slice_fault(values: tuple[Any, ...]) -> str | None:
    state, queue, until, has_no_message, _ = values[:_END]
    *end, end_checksum = values[_END:_START]
    *start, checksum = values[_START:]
    if not (SLICE.matches(start, checksum) and state in _SLICE_STATES and queue in _QUEUES):
        return "its checksum, state or queue is wrong"
    if state == SliceState.DONE and not SLICE_END.matches(end, end_checksum):
        return "the checksum of its result is wrong"
    if state == SliceState.QUARANTINED and has_no_message:
        return "it is in quarantine for no reason"
    return "its lease has no end" if state == SliceState.LEASED and until is None else None
