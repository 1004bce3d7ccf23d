"""The ``counter`` table: counters of incidents."""

from __future__ import annotations

from functools import cache

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from tilework.core.model.states import CounterName
from tilework.core.storage.models import counter
from tilework.core.storage.repository import Repository

_ALL = select(counter.c.name, counter.c.label, counter.c.count).order_by(
    counter.c.name, counter.c.label
)


@cache
def _add(dialect: str) -> sqlite.Insert | postgresql.Insert:
    insert = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(counter)
    return insert.on_conflict_do_update(
        index_elements=[counter.c.name, counter.c.label],
        set_={"count": counter.c.count + insert.excluded.count},
    )


class CounterRepository(Repository):
    """The counters of all processes."""

    def add(self, name: CounterName, label: str, count: int) -> None:
        """Add to a counter."""
        values = {"name": name, "label": label, "count": count}
        self._connection.execute(_add(self._connection.dialect.name), values)

    def read(self) -> dict[tuple[CounterName, str], int]:
        """Return all counters by name and label."""
        names = set(CounterName)
        rows = self._connection.execute(_ALL)
        return {(CounterName(name), label): count for name, label, count in rows if name in names}
