"""Reads the proof of a lower bound: the finished slices of all thresholds below it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sqlalchemy import bindparam, case, select

from tilework.core.errors import DamagedSolveError
from tilework.core.model.farm.solves import ProofSlice, ProvenBound
from tilework.core.model.states import SliceKind, SliceState, SolveState
from tilework.core.storage.checksums import SLICE, SLICE_END, SOLVE_COLUMNS, check_solve
from tilework.core.storage.farm.solve_repository import parse_iterations
from tilework.core.storage.models import slice_, solve
from tilework.core.storage.repository import Repository

# Settling starts a new epoch. Slices of older epochs were discarded.
_PROVEN = select(
    solve.c.epoch - case((solve.c.state == SolveState.SETTLED, 1), else_=0),
    solve.c.lower_bound,
    solve.c.iterations,
    *SOLVE_COLUMNS,
).where(solve.c.id == bindparam("of_solve"))
_done = (
    slice_.c.solve_id == bindparam("of_solve"),
    slice_.c.state == SliceState.DONE,
    slice_.c.kind == SliceKind.SEARCH,
    slice_.c.epoch == bindparam("current"),
)
_LAST_THRESHOLD = (
    select(slice_.c.threshold)
    .where(*_done, slice_.c.threshold < bindparam("below"))
    .order_by(slice_.c.threshold.desc())
    .limit(1)
)
_PAGE = (
    select(
        slice_.c.id,
        slice_.c.parent_id,
        slice_.c.threshold,
        slice_.c.cursor,
        slice_.c.nodes,
        slice_.c.next_threshold,
        slice_.c.engine,
        slice_.c.seconds,
        *SLICE.columns,
        slice_.c.checksum,
        *SLICE_END.columns,
        slice_.c.end_checksum,
    )
    .where(*_done, slice_.c.threshold == bindparam("at"), slice_.c.id > bindparam("after"))
    .order_by(slice_.c.id)
    .limit(bindparam("limit"))
)
_SLICE_WIDTH = len(fields(ProofSlice))
_SLICE_END = _SLICE_WIDTH + len(SLICE.columns) + 1


class ProofRepository(Repository):
    """Finished slices, as the proof of a bound."""

    def proven_bound(self, solve_id: str) -> ProvenBound:
        row = self._connection.execute(_PROVEN, {"of_solve": solve_id}).one()
        epoch, lower_bound, iterations, *columns = row
        check_solve(columns)
        return ProvenBound(epoch, lower_bound, parse_iterations(iterations))

    def last_threshold(self, solve_id: str, epoch: int, below: int) -> int | None:
        """Return the last threshold below a bound that has finished slices."""
        values = {"of_solve": solve_id, "current": epoch, "below": below}
        return self._connection.execute(_LAST_THRESHOLD, values).scalar()

    def page(
        self, solve_id: str, epoch: int, threshold: int, after: str, limit: int
    ) -> list[ProofSlice]:
        """Return finished slices of a threshold in the order of their ids, after an id.

        Raises DamagedSolveError if one is damaged.
        """
        values = {
            "of_solve": solve_id,
            "current": epoch,
            "at": threshold,
            "after": after,
            "limit": limit,
        }
        return [
            _proof_slice(solve_id, tuple(row)) for row in self._connection.execute(_PAGE, values)
        ]


def _proof_slice(solve_id: str, row: tuple[Any, ...]) -> ProofSlice:
    *slice_values, checksum = row[_SLICE_WIDTH:_SLICE_END]
    *end_values, end_checksum = row[_SLICE_END:]
    if not (SLICE.matches(slice_values, checksum) and SLICE_END.matches(end_values, end_checksum)):
        raise DamagedSolveError(solve_id)
    return ProofSlice(*row[:_SLICE_WIDTH])
