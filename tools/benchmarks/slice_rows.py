"""What a running system's database says of its slices of search."""

from __future__ import annotations

from sqlalchemy import func, select

from tilework.core.model.states import SliceKind, SliceState
from tilework.core.storage.database import Database
from tilework.core.storage.models import slice_
from tools.benchmarks.system import System

_search = slice_.c.kind == SliceKind.SEARCH
_leased = (_search, slice_.c.state == SliceState.LEASED)


class Slices:
    """What a system's database says of its search slices."""

    def __init__(self, system: System) -> None:
        self._database = Database(f"sqlite:///{system.folder / 'tilework.sqlite'}")

    def close(self) -> None:
        self._database.dispose()

    def running(self) -> int:
        """Count the slices that are under a lease."""
        found = select(func.count()).where(*_leased)
        with self._database.engine(writes=False).connect() as connection:
            return connection.execute(found).scalar_one()

    def leased_by(self, pid: int) -> float | None:
        """Return when the slice of a process began."""
        found = select(func.max(slice_.c.updated_at)).where(
            *_leased, slice_.c.owner.contains(f":{pid}:")
        )
        with self._database.engine(writes=False).connect() as connection:
            return connection.execute(found).scalar_one()

    def stored(self) -> tuple[dict[int, int], float]:
        """Return nodes by threshold, and the seconds that all of them took."""
        found = (
            select(slice_.c.threshold, func.sum(slice_.c.nodes), func.sum(slice_.c.seconds))
            .where(_search, slice_.c.state == SliceState.DONE)
            .group_by(slice_.c.threshold)
        )
        with self._database.engine(writes=False).connect() as connection:
            rows = connection.execute(found).all()
        return {row[0]: int(row[1]) for row in rows}, sum(row[2] for row in rows)
