"""The ``solve`` table: one row per canonical puzzle, its records, and what is damaged in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import Row, bindparam, delete, exists, func, literal, select, update

from tilework.core.errors import DamagedRowError, DamagedSolveError, InputError, ReplayError
from tilework.core.model.farm.solves import Bounds, Iteration, Puzzle, SearchConfig, Solve
from tilework.core.model.jobs import RECORD_LOST
from tilework.core.model.states import (
    ACTIVE_JOB_STATES,
    JobState,
    Queue,
    SliceKind,
    SliceState,
    SolveState,
)
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.canonical import canonical_key
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.solver.trial import NO_TRIALS, Improvement
from tilework.core.storage.checksums import (
    BURIED,
    SLICE,
    SLICE_END,
    SOLVE,
    SOLVE_COLUMNS,
    check_solve,
)
from tilework.core.storage.models import job, slice_, solve
from tilework.core.storage.repository import Repository, insert_if_absent
from tilework.core.storage.solutions import Reading, SolutionRepository, read_consistently

PUZZLE = (
    solve.c.canonical_key,
    solve.c.width,
    solve.c.height,
    solve.c.goal_blank,
    solve.c.board,
    solve.c.goal,
)
_IMPROVEMENT = TypeAdapter(Improvement)
_PUZZLE_NAMES = tuple(column.name for column in PUZZLE)
# The columns that change, without the last three, which contain several values each.
_CHANGING = SOLVE.columns[4:]
_PLAIN = tuple(column.name for column in _CHANGING[:-3])
_get_plain = attrgetter("bounds.lower", "bounds.upper", *_PLAIN[2:])

_has_key = solve.c.canonical_key == bindparam("key")
_FIND = select(*SOLVE_COLUMNS).where(_has_key)
_FIND_WITH_MOVES = select(*SOLVE_COLUMNS, solve.c.moves).where(_has_key)
# The key stays unlocked, so that jobs that refer to the row can be inserted.
_LOCK_BY_KEY = _FIND.with_for_update(key_share=True)
_LOCK = select(*SOLVE_COLUMNS).where(solve.c.id == bindparam("id")).with_for_update(key_share=True)
_SAVED = (*(column.name for column in _CHANGING), "checksum", "updated_at")
_SAVE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values({name: bindparam(name) for name in _SAVED} | {"version": solve.c.version + 1})
)
_SAVE_WITH_MOVES = _SAVE.values(moves=bindparam("moves"), algorithm=bindparam("algorithm"))

# Slices read at a time while they are checked.
_PAGE = 500
# A damaged message cannot be read.
_SLICE_COLUMNS = (
    *(column for column in slice_.c if column is not slice_.c.message),
    slice_.c.message.is_(None).label("has_no_message"),
)
_SLICE_STATES = frozenset(map(str, SliceState))
QUEUES = frozenset(map(str, Queue))


class Fault(NamedTuple):
    """A damaged row, and what is wrong with it."""

    table: str
    row_id: str
    reason: str


class SolveRepository(Repository):
    """Reads and writes solves over one connection."""

    def find(self, key: str) -> Solve | None:
        """Return the solve for a canonical key, without locking it."""
        row = self._connection.execute(_FIND, {"key": key}).first()
        return None if row is None else read_solve(row)

    def find_with_solution(
        self, key: str, reading: Reading
    ) -> tuple[Solve, MoveSequence | None] | None:
        """Return the solve for a canonical key with its best solution, read consistently.

        With ``reading``, the moves of a very long one are read when they are used, in other
        sessions.

        Raises UnavailableError if the solution is replaced repeatedly while it is read.
        """

        def read() -> tuple[Solve, MoveSequence | None] | None:
            row = self._connection.execute(_FIND_WITH_MOVES, {"key": key}).first()
            if row is None:
                return None
            *columns, packed = row
            solve = read_solve(columns)
            return solve, SolutionRepository(self._connection).read_stored(solve, packed, reading)

        return read_consistently(read)

    def get_or_create(self, new_id: str, puzzle: Puzzle, lower_bound: int, now: float) -> Solve:
        """Return the solve of a puzzle, locked; create it if it does not exist."""
        new = Solve.unknown(new_id, puzzle, lower_bound)
        return new if self.insert(new, puzzle, now) else self.lock_by_key(puzzle.key)

    def insert(self, new: Solve, puzzle: Puzzle, now: float) -> bool:
        """Insert the solve of a puzzle; return False if the puzzle already has one."""
        values = _serialize(new)
        values |= zip(_PUZZLE_NAMES, puzzle, strict=True)
        values |= {"id": new.id, "version": 0, "created_at": now, "updated_at": now}
        return insert_if_absent(self._connection, solve, values)

    def lock_by_key(self, key: str) -> Solve:
        """Return the solve of a canonical key, locked until the transaction ends."""
        return read_solve(self._connection.execute(_LOCK_BY_KEY, {"key": key}).one())

    def lock(self, solve_id: str) -> Solve:
        """Return a solve, locked until the transaction ends."""
        return read_solve(self._connection.execute(_LOCK, {"id": solve_id}).one())

    def lock_unread(self, solve_id: str) -> bool:
        """Lock a solve, even if its row is damaged; return False if it does not exist."""
        return self._connection.execute(_LOCK, {"id": solve_id}).first() is not None

    def set_trace(self, solve_id: str, traceparent: str) -> None:
        """Store the request to whose trace the following work belongs."""
        self._connection.execute(
            update(solve).where(solve.c.id == solve_id).values(traceparent=traceparent)
        )

    def puzzle(self, solve_id: str) -> Puzzle:
        """Return the canonical boards of a solve."""
        return Puzzle(
            *self._connection.execute(select(*PUZZLE).where(solve.c.id == solve_id)).one()
        )

    def moves(self, solve_id: str) -> Moves | None:
        """Return the best solution of the canonical board; None if there is none."""
        solution = SolutionRepository(self._connection).best(solve_id)
        return None if solution is None else solution[:]

    def save(self, record: Solve, now: float) -> None:
        """Write a locked solve back, as a new version."""
        values = {"solve_id": record.id, "updated_at": now}
        self._connection.execute(_SAVE, _serialize(record) | values)

    def save_with_moves(
        self, record: Solve, now: float, moves: MoveSequence | None, algorithm: str | None
    ) -> None:
        """Write a locked solve back together with its new best solution, or with none."""
        values = {
            "solve_id": record.id,
            "updated_at": now,
            "moves": SolutionRepository(self._connection).write(record.id, record.cells, moves),
            "algorithm": algorithm,
        }
        self._connection.execute(_SAVE_WITH_MOVES, _serialize(record) | values)

    def orphans(self) -> list[str]:
        """Return ids of active solves without live slices, at most 100."""
        has_live_slice = exists().where(
            slice_.c.solve_id == solve.c.id,
            slice_.c.state.in_((SliceState.READY, SliceState.LEASED)),
            # Slices that no worker can claim, and leases without an end, do not count.
            slice_.c.queue.in_(list(Queue)),
            (slice_.c.state != SliceState.LEASED) | slice_.c.lease_until.is_not(None),
        )
        statement = select(solve.c.id).where(solve.c.state == SolveState.ACTIVE, ~has_live_slice)
        return list(self._connection.execute(statement.limit(100)).scalars())

    def restore(self, solve_id: str, puzzle: Puzzle, now: float) -> Solve:
        """Begin a locked solve again; return it without bounds, to be saved."""
        self._connection.execute(
            update(solve)
            .where(solve.c.id == solve_id)
            .values(
                dict(zip(_PUZZLE_NAMES, puzzle, strict=True))
                # A version that no client has seen, so that every client notices the change.
                | {"created_at": now, "version": int(now), "algorithm": None, "traceparent": None}
            )
        )
        epochs = select(func.coalesce(func.max(slice_.c.epoch), 0)).where(
            slice_.c.solve_id == solve_id
        )
        has_jobs = exists().where(job.c.solve_id == solve_id, job.c.state.in_(ACTIVE_JOB_STATES))
        epoch, is_active = self._connection.execute(
            select(epochs.scalar_subquery(), has_jobs)
        ).one()
        state = SolveState.ACTIVE if is_active else SolveState.IDLE
        return Solve.unknown(solve_id, puzzle, state=state, epoch=epoch)

    def bury(self, solve_id: str, now: float) -> None:
        """Give up a locked solve whose puzzle is unknown: its jobs fail, and its key is free."""
        self._connection.execute(
            update(job)
            .where(job.c.solve_id == solve_id, job.c.state.in_(ACTIVE_JOB_STATES))
            .values(
                state=JobState.FAILED,
                finished_at=now,
                message=RECORD_LOST,
                version=job.c.version + 1,
            )
        )
        self._connection.execute(delete(slice_).where(slice_.c.solve_id == solve_id))
        buried = {"canonical_key": literal(BURIED) + solve.c.id, "state": SolveState.IDLE}
        self._connection.execute(update(solve).where(solve.c.id == solve_id).values(buried))

    def drop_slices(self, ids: Sequence[str]) -> None:
        """Delete damaged slices."""
        self._connection.execute(delete(slice_).where(slice_.c.id.in_(ids)))

    def count(self) -> int:
        """Return the number of solves."""
        return self._connection.execute(select(func.count()).select_from(solve)).scalar_one()

    def ids(self, after: str, limit: int) -> list[str]:
        """Return the ids of solves after an id, in order."""
        statement = select(solve.c.id).where(solve.c.id > after).order_by(solve.c.id).limit(limit)
        return list(self._connection.execute(statement).scalars())

    def check(self, solve_id: str) -> tuple[list[Fault], int]:
        """Return what is damaged in a solve and its slices, and how many slices it has.

        The result is reliable if the caller has locked the solve; otherwise it may be changing.
        """
        row = self._connection.execute(
            select(*SOLVE_COLUMNS, solve.c.goal_blank, solve.c.board, solve.c.goal).where(
                solve.c.id == solve_id
            )
        ).first()
        if row is None:
            return [], 0
        reason = self._find_fault(row)
        faults = [] if reason is None else [Fault("solve", solve_id, reason)]
        count = pending = 0
        for slice_row in self._slices(solve_id):
            count += 1
            pending += slice_row.state != SliceState.DONE and slice_row.kind == SliceKind.SEARCH
            if (reason := _find_slice_fault(slice_row)) is not None:
                faults.append(Fault("slice", slice_row.id, reason))
        if not faults and pending != row.pending:
            faults.append(Fault("slice", solve_id, "unfinished slices of this solve are missing"))
        return faults, count

    def _slices(self, solve_id: str) -> Iterator[Row[*tuple[Any, ...]]]:
        after = ""
        while True:
            page = self._connection.execute(
                select(*_SLICE_COLUMNS)
                .where(slice_.c.solve_id == solve_id, slice_.c.id > after)
                .order_by(slice_.c.id)
                .limit(_PAGE)
            ).all()
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].id

    def _find_fault(self, row: Row[*tuple[Any, ...]]) -> str | None:
        try:
            check_solve(row[: len(SOLVE_COLUMNS)])
        except DamagedRowError:
            return None  # nothing can be done about it any more
        except DamagedSolveError:
            return "its checksum or its bounds are wrong"
        puzzle = Puzzle(*(row._mapping[column] for column in PUZZLE))
        if find_puzzle(puzzle) != puzzle:
            return "its boards do not match its key"
        try:
            moves = SolutionRepository(self._connection).best(row.id)
            if (None if moves is None else puzzle.metric.length(moves)) != row.upper_bound:
                return "its moves do not have the length of its upper bound"
            if moves is not None:
                replay(unpack_board(row.board), moves, unpack_board(row.goal))
        except (InputError, ReplayError, DamagedSolveError):
            return "its moves do not solve its board"
        return None


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


def _find_slice_fault(row: Row[*tuple[Any, ...]]) -> str | None:
    columns = row._mapping
    is_intact = SLICE.matches([columns[column] for column in SLICE.columns], row.checksum)
    if not (is_intact and row.state in _SLICE_STATES and row.queue in QUEUES):
        return "its checksum, state or queue is wrong"
    end = [columns[column] for column in SLICE_END.columns]
    if row.state == SliceState.DONE and not SLICE_END.matches(end, row.end_checksum):
        return "the checksum of its result is wrong"
    if row.state == SliceState.QUARANTINED and row.has_no_message:
        return "it is in quarantine for no reason"
    has_no_end = row.state == SliceState.LEASED and row.lease_until is None
    return "its lease has no end" if has_no_end else None


def read_solve(row: Sequence[Any]) -> Solve:
    """Read values of `SOLVE_COLUMNS`.

    Raises the same errors as `check_solve`.
    """
    check_solve(row)
    id_, key, width, height, lower, upper, state, *plain, iterations, tried, improvement, _ = row
    arguments: tuple[Any, ...] = (
        *(id_, key, Size(width, height), Bounds(lower, upper), SolveState(state), *plain),
        parse_iterations(iterations),
        frozenset(map(SearchConfig.parse, tried.split())),
        NO_TRIALS if improvement is None else _IMPROVEMENT.validate_json(improvement),
    )
    return Solve(*arguments)


def _serialize(record: Solve) -> dict[str, object]:
    """Return the values to store."""
    improvement = record.improvement
    values: dict[str, object] = dict(zip(_PLAIN, _get_plain(record), strict=True))
    values |= {
        "iterations": _serialize_iterations(record.iterations),
        "tried": " ".join(sorted(map(str, record.tried))),
        "improvement": None
        if improvement == NO_TRIALS
        else json.dumps(asdict(improvement), separators=(",", ":")),
    }
    size = record.size
    identity = {
        "id": record.id,
        "canonical_key": record.key,
        "width": size.width,
        "height": size.height,
    }
    return values | {"checksum": SOLVE.compute(values | identity)}


def _serialize_iterations(iterations: Sequence[Iteration]) -> str | None:
    if not iterations:
        return None
    rows = [
        [
            iteration.threshold,
            iteration.nodes,
            round(iteration.seconds, 3),
            [[nodes, round(covered, 5)] for nodes, covered in iteration.marks],
        ]
        for iteration in iterations
    ]
    return json.dumps(rows, separators=(",", ":"))


def parse_iterations(text: str | None) -> tuple[Iteration, ...]:
    """Return the stored iterations of a solve."""
    if text is None:
        return ()
    return tuple(
        Iteration(threshold, nodes, seconds, tuple((nodes, covered) for nodes, covered in marks))
        for threshold, nodes, seconds, marks in json.loads(text)
    )
