"""The ``solve`` table: one row per canonical puzzle."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, exists, select, update

from core.puzzle.board import Size
from core.puzzle.moves import Moves
from core.services.farm.course import Course
from core.services.farm.records import Puzzle, Solve
from core.services.states import SliceState, SolveState
from core.storage.farm.improvements import read_improvement, write_improvement
from core.storage.farm.iterations import read_iterations, write_iterations
from core.storage.farm.solutions import StoredSolutions
from core.storage.insertion import insert_if_absent
from core.storage.models import slice_, solve

_FACTS = (
    solve.c.id,
    solve.c.key,
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
    solve.c.iterations,
    solve.c.tried,
    solve.c.improvement,
)
_FIND = select(*_FACTS).where(solve.c.key == bindparam("key"))
# Not the key: jobs that refer to the row may be inserted meanwhile.
_LOCK = select(*_FACTS).where(solve.c.id == bindparam("id")).with_for_update(key_share=True)
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
)
_TEXTS = ("iterations", "tried", "improvement")
_SAVE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values(
        {name: bindparam(name) for name in (*_SAVED, *_TEXTS, "updated_at")}
        | {"version": solve.c.version + 1}
    )
)
_SAVE_WITH_MOVES = _SAVE.values(moves=bindparam("moves"), algorithm=bindparam("algorithm"))

_LIVE = (SliceState.READY, SliceState.LEASED)
_ORPHANS = (
    select(solve.c.id)
    .where(
        solve.c.state == SolveState.ACTIVE,
        ~exists().where(and_(slice_.c.solve_id == solve.c.id, slice_.c.state.in_(_LIVE))),
    )
    .limit(100)
)


def _solve(row: Row[*tuple[Any, ...]]) -> Solve:
    id_, key, width, height, lower, upper, state, *rest, iterations, tried, improvement = row
    texts = (
        read_iterations(iterations),
        frozenset(map(Course.parse, tried.split())),
        read_improvement(improvement),
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
        return None if row is None else _solve(row)

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
            "tried": "",
            "version": 0,
            "created_at": now,
            "updated_at": now,
            "board": puzzle.board_bytes,
            "goal": puzzle.goal_bytes,
        }
        insert_if_absent(self._connection, solve, values)
        return _solve(self._connection.execute(_LOCK_BY_KEY, {"key": puzzle.key}).one())

    def lock(self, solve_id: str) -> Solve:
        """Return a solve, locked until the transaction ends."""
        return _solve(self._connection.execute(_LOCK, {"id": solve_id}).one())

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

    def orphans(self) -> list[str]:
        """Return ids of active solves that no slice works on, at most 100."""
        return list(self._connection.execute(_ORPHANS).scalars())

    def _values(self, record: Solve, now: float) -> dict[str, object]:
        values = {name: getattr(record, name) for name in _SAVED}
        return values | {
            "solve_id": record.id,
            "iterations": write_iterations(record.iterations),
            "tried": " ".join(sorted(map(str, record.tried))),
            "improvement": write_improvement(record.improvement),
            "updated_at": now,
        }
