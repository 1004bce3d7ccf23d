"""The ``comparison`` and ``comparison_run`` tables: what a client compares, run by run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, bindparam, func, select, update

from tilework.core.model.runs import Comparison, Place, PlacedRun, version_text
from tilework.core.storage.insertion import insert_if_absent
from tilework.core.storage.lab.rows import (
    COMPARISON,
    ROW,
    read_comparison,
    read_row,
    write_comparison,
)
from tilework.core.storage.models import comparison, comparison_run, search_run

_FIND = select(*COMPARISON).where(comparison.c.id == bindparam("comparison_id"))
_FIND_BY_KEY = select(*COMPARISON).where(
    comparison.c.client_id == bindparam("client_id"), comparison.c.key == bindparam("key")
)
# Not the key: places that refer to the row may be stored meanwhile.
_LOCK = _FIND.with_for_update(key_share=True)
_LOCK_BY_KEY = _FIND_BY_KEY.with_for_update(key_share=True)
_OF_CLIENT = (
    select(*COMPARISON)
    .where(comparison.c.client_id == bindparam("client_id"))
    .order_by(comparison.c.id.desc())
    .limit(bindparam("most"))
)
_AMONG = select(*COMPARISON).where(comparison.c.id.in_(bindparam("ids", expanding=True)))
_SET_CANCELLED = (
    update(comparison)
    .where(comparison.c.id == bindparam("comparison_id"))
    .values(cancelled_at=bindparam("at"))
)
_RUNS = (
    select(
        comparison_run.c.comparison_id,
        comparison_run.c.board_index,
        comparison_run.c.shared,
        *ROW,
    )
    .join_from(comparison_run, search_run, comparison_run.c.run_id == search_run.c.id)
    .where(comparison_run.c.comparison_id.in_(bindparam("ids", expanding=True)))
    .order_by(comparison_run.c.comparison_id, comparison_run.c.place)
)
_versions = (
    select(func.sum(search_run.c.version))
    .join_from(comparison_run, search_run, comparison_run.c.run_id == search_run.c.id)
    .where(comparison_run.c.comparison_id == comparison.c.id)
    .scalar_subquery()
)
_VERSION = select(_versions, comparison.c.cancelled_at.is_not(None)).where(
    comparison.c.id == bindparam("comparison_id")
)


class StoredComparisons:
    """Comparisons of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def obtain(self, new: Comparison) -> Comparison:
        """Return the one comparison of a client and a key, locked, inserted if it is new."""
        insert_if_absent(self._connection, comparison, write_comparison(new))
        values = {"client_id": new.client_id, "key": new.key}
        row = self._connection.execute(_LOCK_BY_KEY, values).first()
        if row is None:
            # It was purged in between; the one that is inserted now cannot be.
            insert_if_absent(self._connection, comparison, write_comparison(new))
            row = self._connection.execute(_LOCK_BY_KEY, values).one()
        return read_comparison(tuple(row))

    def place(self, comparison_id: str, places: Sequence[Place]) -> None:
        """Give runs their places."""
        rows = [
            {
                "comparison_id": comparison_id,
                "place": one.place,
                "run_id": one.run_id,
                "board_index": one.board_index,
                "shared": one.shared,
            }
            for one in places
        ]
        self._connection.execute(comparison_run.insert(), rows)

    def set_cancelled(self, comparison_id: str, at: float | None) -> None:
        """Record that a comparison is cancelled, or that it no longer is."""
        self._connection.execute(_SET_CANCELLED, {"comparison_id": comparison_id, "at": at})

    def lock(self, comparison_id: str) -> Comparison | None:
        """Return a comparison, locked until the transaction ends."""
        row = self._connection.execute(_LOCK, {"comparison_id": comparison_id}).first()
        return None if row is None else read_comparison(tuple(row))

    def find(self, comparison_id: str) -> Comparison | None:
        """Return a comparison."""
        row = self._connection.execute(_FIND, {"comparison_id": comparison_id}).first()
        return None if row is None else read_comparison(tuple(row))

    def find_by_key(self, client_id: str, key: str) -> Comparison | None:
        """Return the comparison of a client and a key."""
        row = self._connection.execute(_FIND_BY_KEY, {"client_id": client_id, "key": key}).first()
        return None if row is None else read_comparison(tuple(row))

    def among(self, ids: Collection[str]) -> list[Comparison]:
        """Return comparisons by their ids."""
        rows = self._connection.execute(_AMONG, {"ids": list(ids)}) if ids else ()
        return [read_comparison(tuple(row)) for row in rows]

    def of_client(self, client_id: str, most: int) -> list[Comparison]:
        """Return a client's comparisons, newest first."""
        rows = self._connection.execute(_OF_CLIENT, {"client_id": client_id, "most": most})
        return [read_comparison(tuple(row)) for row in rows]

    def runs(self, comparison_ids: Collection[str]) -> Mapping[str, list[PlacedRun]]:
        """Return the runs of comparisons, each comparison's in order."""
        found: dict[str, list[PlacedRun]] = {id_: [] for id_ in comparison_ids}
        for id_, board_index, shared, *row in self._connection.execute(
            _RUNS, {"ids": list(comparison_ids)}
        ):
            found[id_].append(PlacedRun(board_index, shared, read_row(tuple(row))))
        return found

    def version(self, comparison_id: str) -> str | None:
        """Return what changes with every change of a comparison; None if there is none."""
        row = self._connection.execute(_VERSION, {"comparison_id": comparison_id}).first()
        return None if row is None else version_text(row[0] or 0, row[1])
