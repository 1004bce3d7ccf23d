"""A later version next to this one: its schema, and a kind of work that only it supports."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import DBAPIError

from tools.chaos.system.records import Records

_REVISION: Final = "9999"
_KIND: Final = "dream"
_SET_KIND: Final = "UPDATE slice SET kind = :new_kind WHERE id = :id AND kind = :kind"


class LaterVersion:
    """The changes that a later version makes to the database, and how they are undone.

    Each method returns whether it succeeded; all of them fail while the database is down.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._revision: str | None = None
        self._kinds: dict[str, str] = {}

    def upgrade(self) -> bool:
        """Upgrade the schema while processes use it, unless it has already been upgraded."""
        if self._revision is None:
            with suppress(DBAPIError):
                revision = self._records.rows("SELECT version_num FROM alembic_version")[0][0]
                self._migrate("ADD COLUMN later VARCHAR(9) DEFAULT 'x' NOT NULL", _REVISION)
                self._revision = revision
                return True
        return False

    def downgrade(self) -> bool:
        with suppress(DBAPIError):
            if self._revision is not None:
                self._migrate("DROP COLUMN later", self._revision)
            self._revision = None
            return True
        return False

    def _migrate(self, change: str, revision: str) -> None:
        self._records.change(
            f"ALTER TABLE job {change}",
            "UPDATE alembic_version SET version_num = :revision",
            revision=revision,
        )

    def add_unknown_work(self, rng: random.Random) -> bool:
        """Change the kind of a waiting slice to an unknown one."""
        with suppress(DBAPIError):
            rows = self._records.rows("SELECT id, kind FROM slice WHERE state = 'ready'")
            if rows:
                row = rng.choice(rows)
                self._kinds[row.id] = row.kind
                statement = f"{_SET_KIND} AND state = 'ready'"
                self._records.change(statement, id=row.id, kind=row.kind, new_kind=_KIND)
                return True
        return False

    def remove_unknown_work(self) -> bool:
        with suppress(DBAPIError):
            for slice_id, kind in list(self._kinds.items()):
                self._records.change(_SET_KIND, id=slice_id, kind=_KIND, new_kind=kind)
                del self._kinds[slice_id]
            return True
        return False
