"""The ``solve`` table: one row per canonical puzzle, read and written as `Solve`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from operator import attrgetter
from typing import Any

from sqlalchemy import and_, bindparam, exists, or_, select, update

from tilework.core.errors import DamagedSolveError
from tilework.core.model.farm.solves import Bounds, Iteration, Puzzle, SearchConfig, Solve
from tilework.core.model.states import Queue, SliceState, SolveState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.solver.trial import Trial, TrialKind
from tilework.core.solver.trials.improvement import (
    NO_TRIALS,
    Improvement,
    PendingTrial,
    TrialStatistics,
)
from tilework.core.storage.checksums import SOLVE, SOLVE_COLUMNS, check_solve
from tilework.core.storage.farm.solutions import (
    Reading,
    SolutionRepository,
    read_consistently,
    read_head,
)
from tilework.core.storage.models import slice_, solve
from tilework.core.storage.repository import Repository, insert_if_absent

_PLAIN = (
    "lower_bound",
    "upper_bound",
    "state",
    "threshold",
    "next_threshold",
    "covered",
    "epoch",
    "nodes",
    "seconds",
    "client_id",
    "engine",
    "wall_s",
    "recent_nodes",
    "recent_s",
    "rate_at",
    "pending",
)
_get_plain = attrgetter("bounds.lower", "bounds.upper", *_PLAIN[2:])
_SAVED = (*_PLAIN, "iterations", "tried", "improvement")
"""Columns that are written back."""

_FIND = select(*SOLVE_COLUMNS).where(solve.c.canonical_key == bindparam("key"))
# The key stays unlocked, so that jobs that refer to the row can be inserted.
_LOCK = select(*SOLVE_COLUMNS).where(solve.c.id == bindparam("id")).with_for_update(key_share=True)
_FIND_WITH_MOVES = select(*SOLVE_COLUMNS, solve.c.moves).where(
    solve.c.canonical_key == bindparam("key")
)
_LOCK_BY_KEY = _FIND.with_for_update(key_share=True)
_PUZZLE = select(
    solve.c.canonical_key,
    solve.c.width,
    solve.c.height,
    solve.c.goal_blank,
    solve.c.board,
    solve.c.goal,
).where(solve.c.id == bindparam("id"))

_SAVE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values(
        {name: bindparam(name) for name in (*_SAVED, "checksum", "updated_at")}
        | {"version": solve.c.version + 1}
    )
)
_SAVE_WITH_MOVES = _SAVE.values(moves=bindparam("moves"), algorithm=bindparam("algorithm"))

_LIVE = (SliceState.READY, SliceState.LEASED)
_ORPHANS = (
    select(solve.c.id)
    .where(
        solve.c.state == SolveState.ACTIVE,
        ~exists().where(
            and_(
                slice_.c.solve_id == solve.c.id,
                slice_.c.state.in_(_LIVE),
                # Slices that no worker can claim, and leases without an end, do not count.
                slice_.c.queue.in_(list(Queue)),
                or_(slice_.c.state != SliceState.LEASED, slice_.c.lease_until.is_not(None)),
            )
        ),
    )
    .limit(100)
)


_PUZZLE_COLUMNS = ("canonical_key", "width", "height", "goal_blank", "board", "goal")
_RESTORE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values(
        {name: bindparam(name) for name in (*_PUZZLE_COLUMNS, "created_at", "version")}
        | {"algorithm": None, "traceparent": None}
    )
)


_SET_TRACE = (
    update(solve).where(solve.c.id == bindparam("solve_id")).values(traceparent=bindparam("parent"))
)


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

        The moves of a very long solution are read when they are used, in other sessions.
        """

        def read() -> tuple[Solve, MoveSequence | None] | None:
            row = self._connection.execute(_FIND_WITH_MOVES, {"key": key}).first()
            if row is None:
                return None
            *columns, packed = row
            solve = read_solve(columns)
            moves = None
            if packed is not None:
                head = read_head(solve.id, packed)
                moves = SolutionRepository(self._connection).read(head, reading=reading)
            if (None if moves is None else solve.metric.length(moves)) != solve.upper_bound:
                raise DamagedSolveError(solve.id)
            return solve, moves

        return read_consistently(read)

    def get_or_create(self, new_id: str, puzzle: Puzzle, lower_bound: int, now: float) -> Solve:
        """Return the solve of a puzzle, locked; create it if it does not exist."""
        new = Solve.unknown(new_id, puzzle, lower_bound)
        return new if self.insert(new, puzzle, now) else self.lock_by_key(puzzle.key)

    def insert(self, new: Solve, puzzle: Puzzle, now: float) -> bool:
        """Insert the solve of a puzzle; return False if the puzzle already has one."""
        values = serialize_solve(new)
        values |= zip(_PUZZLE_COLUMNS, puzzle, strict=True)
        values |= {"id": new.id, "version": 0, "created_at": now, "updated_at": now}
        return insert_if_absent(self._connection, solve, values)

    def lock_by_key(self, key: str) -> Solve:
        """Return the solve of a canonical key, locked until the transaction ends."""
        return read_solve(self._connection.execute(_LOCK_BY_KEY, {"key": key}).one())

    def set_trace(self, solve_id: str, traceparent: str) -> None:
        """Store the request to whose trace the following work belongs."""
        values = {"solve_id": solve_id, "parent": traceparent}
        self._connection.execute(_SET_TRACE, values)

    def lock(self, solve_id: str) -> Solve:
        """Return a solve, locked until the transaction ends."""
        return read_solve(self._connection.execute(_LOCK, {"id": solve_id}).one())

    def puzzle(self, solve_id: str) -> Puzzle:
        """Return the canonical boards of a solve."""
        return Puzzle(*self._connection.execute(_PUZZLE, {"id": solve_id}).one())

    def moves(self, solve_id: str) -> Moves | None:
        """Return the best solution of the canonical board; None if there is none."""
        solution = SolutionRepository(self._connection).best(solve_id)
        return None if solution is None else solution[:]

    def save(self, record: Solve, now: float) -> None:
        """Write a locked solve back, as a new version."""
        self._connection.execute(
            _SAVE, serialize_solve(record) | {"solve_id": record.id, "updated_at": now}
        )

    def save_with_moves(
        self, record: Solve, now: float, moves: MoveSequence | None, algorithm: str | None
    ) -> None:
        """Write a locked solve back together with its new best solution, or with none."""
        values = serialize_solve(record) | {
            "solve_id": record.id,
            "updated_at": now,
            "moves": SolutionRepository(self._connection).write(record.id, record.cells, moves),
            "algorithm": algorithm,
        }
        self._connection.execute(_SAVE_WITH_MOVES, values)

    def restore(self, solve_id: str, puzzle: Puzzle, now: float) -> None:
        """Begin a locked solve again, which must be saved afterwards."""
        # A version that no client has seen, so that every client notices the change.
        values = {"solve_id": solve_id, "created_at": now, "version": int(now)}
        self._connection.execute(_RESTORE, values | dict(zip(_PUZZLE_COLUMNS, puzzle, strict=True)))

    def orphans(self) -> list[str]:
        """Return ids of active solves without live slices, at most 100."""
        return list(self._connection.execute(_ORPHANS).scalars())


def read_solve(row: Sequence[Any]) -> Solve:
    """Read values of `SOLVE_COLUMNS`.

    Raises the same errors as `check_solve`.
    """
    check_solve(row)
    id_, key, width, height, lower, upper, state, *plain, iterations, tried, improvement, _ = row
    arguments: tuple[Any, ...] = (
        *(id_, key, Size(width, height), Bounds(lower, upper), SolveState(state), *plain),
        () if iterations is None else parse_iterations(iterations),
        frozenset(map(SearchConfig.parse, tried.split())),
        NO_TRIALS if improvement is None else parse_improvement(improvement),
    )
    return Solve(*arguments)


def serialize_solve(record: Solve) -> dict[str, object]:
    """Return the values to store."""
    improvement = record.improvement
    values: dict[str, object] = dict(zip(_PLAIN, _get_plain(record), strict=True))
    values |= {
        "iterations": serialize_iterations(record.iterations) if record.iterations else None,
        "tried": " ".join(sorted(map(str, record.tried))),
        "improvement": None if improvement == NO_TRIALS else serialize_improvement(improvement),
    }
    size = record.size
    identity = {
        "id": record.id,
        "canonical_key": record.key,
        "width": size.width,
        "height": size.height,
    }
    return values | {"checksum": SOLVE.compute(values | identity)}


def serialize_iterations(iterations: Sequence[Iteration]) -> str | None:
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
    """Parse the text that `serialize_iterations` returned."""
    if text is None:
        return ()
    return tuple(
        Iteration(threshold, nodes, seconds, tuple((nodes, covered) for nodes, covered in marks))
        for threshold, nodes, seconds, marks in json.loads(text)
    )


def serialize_improvement(state: Improvement) -> str | None:
    """Return a state as JSON; None if there were no trials."""
    if state == NO_TRIALS:
        return None
    return json.dumps(asdict(state), separators=(",", ":"))


def parse_improvement(text: str | None) -> Improvement:
    """Parse the text that `serialize_improvement` returned."""
    if text is None:
        return NO_TRIALS
    values: dict[str, Any] = json.loads(text)
    statistics = tuple((name, TrialStatistics(**entry)) for name, entry in values.pop("statistics"))
    pending_trials = tuple(
        PendingTrial(item["slice_id"], _read_trial(item["trial"]), item["first"], item["count"])
        for item in values.pop("pending_trials")
    )
    known = {field.name for field in fields(Improvement)} & values.keys()
    values = {name: values[name] for name in known}
    return Improvement(**values, statistics=statistics, pending_trials=pending_trials)


def _read_trial(values: dict[str, Any]) -> Trial:
    return Trial(**values | {"kind": TrialKind(values["kind"])})
