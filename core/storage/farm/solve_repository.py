"""The ``solve`` table: one row per canonical puzzle."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, exists, or_, select, update

from tilework.core.model.farm.solves import Puzzle, Solve
from tilework.core.model.states import Queue, SliceState, SolveState
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.storage.damage.seals import SOLVE_COLUMNS, damaged
from tilework.core.storage.farm.solutions import SolutionRepository, read_consistently, read_head
from tilework.core.storage.farm.solve_rows import SAVED, read_solve, write_solve
from tilework.core.storage.models import slice_, solve
from tilework.core.storage.repository import Repository, insert_if_absent

_FIND = select(*SOLVE_COLUMNS).where(solve.c.key == bindparam("key"))
# The key stays unlocked, so that jobs that refer to the row can be inserted.
_LOCK = select(*SOLVE_COLUMNS).where(solve.c.id == bindparam("id")).with_for_update(key_share=True)
_KNOWN = select(*SOLVE_COLUMNS, solve.c.moves).where(solve.c.key == bindparam("key"))
_LOCK_BY_KEY = _FIND.with_for_update(key_share=True)
_PUZZLE = select(
    solve.c.key, solve.c.width, solve.c.height, solve.c.goal_blank, solve.c.board, solve.c.goal
).where(solve.c.id == bindparam("id"))

_SAVE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values(
        {name: bindparam(name) for name in (*SAVED, "seal", "updated_at")}
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
                # Work that no worker can claim or take back does not count.
                slice_.c.queue.in_(list(Queue)),
                or_(slice_.c.state != SliceState.LEASED, slice_.c.lease_until.is_not(None)),
            )
        ),
    )
    .limit(100)
)


_OF_PUZZLE = ("key", "width", "height", "goal_blank", "board", "goal")
_RESTORE = (
    update(solve)
    .where(solve.c.id == bindparam("solve_id"))
    .values(
        {name: bindparam(name) for name in (*_OF_PUZZLE, "created_at", "version")}
        | {"algorithm": None}
    )
)


class SolveRepository(Repository):
    """Solves of one connection."""

    def find(self, key: str) -> Solve | None:
        """Return the solve of a canonical key, without locking it."""
        row = self._connection.execute(_FIND, {"key": key}).first()
        return None if row is None else read_solve(row)

    def find_with_solution(self, key: str) -> tuple[Solve, MoveSequence | None] | None:
        """Return the solve of a canonical key with its best solution, read consistently."""

        def look() -> tuple[Solve, MoveSequence | None] | None:
            row = self._connection.execute(_KNOWN, {"key": key}).first()
            if row is None:
                return None
            *facts, packed = row
            solve = read_solve(facts)
            moves = None
            if packed is not None:
                moves = SolutionRepository(self._connection).read(read_head(solve.id, packed))
            if (None if moves is None else solve.metric.length(moves)) != solve.upper_bound:
                raise damaged("solve", solve.id)
            return solve, moves

        return read_consistently(look)

    def get_or_create(self, new_id: str, puzzle: Puzzle, lower_bound: int, now: float) -> Solve:
        """Return the only solve of a puzzle, locked. Create it if it does not exist."""
        new = Solve.unknown(new_id, puzzle, lower_bound)
        values = write_solve(new)
        values |= zip(_OF_PUZZLE, puzzle, strict=True)
        values |= {"id": new_id, "version": 0, "created_at": now, "updated_at": now}
        if insert_if_absent(self._connection, solve, values):
            return new
        return read_solve(self._connection.execute(_LOCK_BY_KEY, {"key": puzzle.key}).one())

    def lock(self, solve_id: str) -> Solve:
        """Return a solve, locked until the transaction ends."""
        return read_solve(self._connection.execute(_LOCK, {"id": solve_id}).one())

    def puzzle(self, solve_id: str) -> Puzzle:
        """Return the canonical boards of a solve."""
        return Puzzle(*self._connection.execute(_PUZZLE, {"id": solve_id}).one())

    def moves(self, solve_id: str) -> Moves | None:
        """Return the best solution of the canonical board; None if there is none."""
        found = SolutionRepository(self._connection).best(solve_id)
        return None if found is None else found[:]

    def save(self, record: Solve, now: float) -> None:
        """Write a locked solve back, as a new version."""
        self._connection.execute(
            _SAVE, write_solve(record) | {"solve_id": record.id, "updated_at": now}
        )

    def save_with_moves(
        self, record: Solve, now: float, moves: Moves | None, algorithm: str | None
    ) -> None:
        """Write a locked solve back together with its new best solution, or with none."""
        values = write_solve(record) | {
            "solve_id": record.id,
            "updated_at": now,
            "moves": SolutionRepository(self._connection).write(record.id, record.cells, moves),
            "algorithm": algorithm,
        }
        self._connection.execute(_SAVE_WITH_MOVES, values)

    def restore(self, solve_id: str, puzzle: Puzzle, now: float) -> None:
        """Rewrite the puzzle of a locked solve, which must be saved afterwards."""
        # A version that no view has seen, so that no view seems unchanged.
        values = {"solve_id": solve_id, "created_at": now, "version": int(now)}
        self._connection.execute(_RESTORE, values | dict(zip(_OF_PUZZLE, puzzle, strict=True)))

    def orphans(self) -> list[str]:
        """Return ids of active solves without slices, at most 100."""
        return list(self._connection.execute(_ORPHANS).scalars())
