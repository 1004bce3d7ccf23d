"""The ``solve`` table: one row per canonical puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, exists, or_, select, update

from tilework.core.model.improvement import NOTHING_TRIED
from tilework.core.model.solves import Course, Puzzle, Solve
from tilework.core.model.states import Queue, SliceState, SolveState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.storage.damage.sealed import SOLVE, SOLVE_COLUMNS, check_solve, damaged
from tilework.core.storage.farm.improvements import read_improvement, write_improvement
from tilework.core.storage.farm.iterations import read_iterations, write_iterations
from tilework.core.storage.farm.solutions import StoredSolutions, head_of, steady
from tilework.core.storage.insertion import insert_if_absent
from tilework.core.storage.models import slice_, solve

_FIND = select(*SOLVE_COLUMNS).where(solve.c.key == bindparam("key"))
# Not the key: jobs that refer to the row may be inserted meanwhile.
_LOCK = select(*SOLVE_COLUMNS).where(solve.c.id == bindparam("id")).with_for_update(key_share=True)
_KNOWN = select(*SOLVE_COLUMNS, solve.c.moves).where(solve.c.key == bindparam("key"))
_LOCK_BY_KEY = _FIND.with_for_update(key_share=True)
_PUZZLE = select(
    solve.c.key, solve.c.width, solve.c.height, solve.c.goal_blank, solve.c.board, solve.c.goal
).where(solve.c.id == bindparam("id"))

_SAVED = (
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
_TEXTS = ("iterations", "tried", "improvement")
_SAVE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values(
        {name: bindparam(name) for name in (*_SAVED, *_TEXTS, "seal", "updated_at")}
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
                # What nobody can ever claim, or take back, is no work.
                slice_.c.queue.in_(list(Queue)),
                or_(slice_.c.state != SliceState.LEASED, slice_.c.lease_until.is_not(None)),
            )
        ),
    )
    .limit(100)
)


_RESTORED = ("key", "width", "height", "goal_blank", "board", "goal", "created_at", "version")
_RESTORE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values({name: bindparam(name) for name in _RESTORED} | {"algorithm": None})
)


def read_solve(row: Sequence[Any]) -> Solve:
    """Read and check values of `SOLVE_COLUMNS`."""
    check_solve(row)
    id_, key, width, height, lower, upper, state, *rest, iterations, tried, improvement, _ = row
    texts = (
        () if iterations is None else read_iterations(iterations),
        frozenset(map(Course.parse, tried.split())),
        NOTHING_TRIED if improvement is None else read_improvement(improvement),
    )
    facts = (id_, key, Size(width, height), lower, upper, SolveState(state), *rest, *texts)
    return Solve(*facts)


class StoredSolves:
    """Solves of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, key: str) -> Solve | None:
        """Return the solve of a canonical key, without locking it."""
        row = self._connection.execute(_FIND, {"key": key}).first()
        return None if row is None else read_solve(row)

    def known(self, key: str) -> tuple[Solve, MoveSequence | None] | None:
        """Return the solve of a canonical key with its best solution, as they are together."""

        def look() -> tuple[Solve, MoveSequence | None] | None:
            row = self._connection.execute(_KNOWN, {"key": key}).first()
            if row is None:
                return None
            *facts, packed = row
            solve = read_solve(facts)
            if packed is None:
                moves = None
            else:
                solutions = StoredSolutions(self._connection)
                moves = solutions.read(head_of(solve.id, packed))
            if (None if moves is None else solve.metric.length(moves)) != solve.upper_bound:
                raise damaged("solve", solve.id)
            return solve, moves

        return steady(look)

    def obtain(self, new_id: str, puzzle: Puzzle, lower_bound: int, now: float) -> Solve:
        """Return the one solve of a puzzle, locked, made if it is new."""
        values = {
            "id": new_id,
            "key": puzzle.key,
            "width": puzzle.width,
            "height": puzzle.height,
            "goal_blank": puzzle.goal_blank,
            "lower_bound": lower_bound,
            "state": SolveState.IDLE,
            "covered": 0.0,
            "epoch": 0,
            "nodes": 0,
            "seconds": 0.0,
            "wall_s": 0.0,
            "recent_nodes": 0.0,
            "recent_s": 0.0,
            "pending": 0,
            "tried": "",
            "version": 0,
            "created_at": now,
            "updated_at": now,
            "board": puzzle.board_bytes,
            "goal": puzzle.goal_bytes,
        }
        values["seal"] = SOLVE.of_values(values)
        insert_if_absent(self._connection, solve, values)
        return read_solve(self._connection.execute(_LOCK_BY_KEY, {"key": puzzle.key}).one())

    def lock(self, solve_id: str) -> Solve:
        """Return a solve, locked until the transaction ends."""
        return read_solve(self._connection.execute(_LOCK, {"id": solve_id}).one())

    def puzzle(self, solve_id: str) -> Puzzle:
        """Return the canonical boards of a solve."""
        return Puzzle(*self._connection.execute(_PUZZLE, {"id": solve_id}).one())

    def moves(self, solve_id: str) -> Moves | None:
        """Return the best solution of the canonical board, None while there is none."""
        found = StoredSolutions(self._connection).best(solve_id)
        return None if found is None else found[:]

    def save(self, record: Solve, now: float) -> None:
        """Write a locked solve back, as a new version."""
        self._connection.execute(_SAVE, self._values(record, now))

    def save_with_moves(
        self, record: Solve, now: float, moves: Moves | None, algorithm: str | None
    ) -> None:
        """Write a locked solve back together with its new best solution, or with none."""
        values = self._values(record, now) | {
            "moves": StoredSolutions(self._connection).write(record.id, record.cells, moves),
            "algorithm": algorithm,
        }
        self._connection.execute(_SAVE_WITH_MOVES, values)

    def restore(self, solve_id: str, puzzle: Puzzle, now: float) -> None:
        """Write a locked solve's puzzle anew; save it after that."""
        values = {
            "solve_id": solve_id,
            "key": puzzle.key,
            "width": puzzle.width,
            "height": puzzle.height,
            "goal_blank": puzzle.goal_blank,
            "board": puzzle.board_bytes,
            "goal": puzzle.goal_bytes,
            "created_at": now,
            # Whatever it was: views of its jobs must not seem unchanged.
            "version": int(now),
        }
        self._connection.execute(_RESTORE, values)

    def orphans(self) -> list[str]:
        """Return ids of active solves that no slice works on, at most 100."""
        return list(self._connection.execute(_ORPHANS).scalars())

    def _values(self, record: Solve, now: float) -> dict[str, object]:
        values = {name: getattr(record, name) for name in _SAVED} | {
            "id": record.id,
            "key": record.key,
            "width": record.size.width,
            "height": record.size.height,
            "iterations": write_iterations(record.iterations),
            "tried": " ".join(sorted(map(str, record.tried))),
            "improvement": write_improvement(record.improvement),
        }
        seal = SOLVE.of_values(values)
        for name in ("id", "key", "width", "height"):
            del values[name]
        return values | {"solve_id": record.id, "seal": seal, "updated_at": now}
