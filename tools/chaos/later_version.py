"""A later version next to this one: its schema, and work of a kind that only it knows."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import DBAPIError

from tools.chaos.system.records import Records

_REVISION: Final = "9999"
_KIND: Final = "dream"
_SET_KIND: Final = "UPDATE slice SET kind = :after WHERE id = :id AND kind = :before"


class LaterVersion:
    """The changes of a later version to the database, and how they are undone.

    Each method returns whether it did anything; while the database is down, none does.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._revision: str | None = None
        self._kinds: dict[str, str] = {}

    def upgrade(self) -> bool:
        """Upgrade the schema while processes use it, unless it is upgraded already."""
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

    def leave_work(self, choose: random.Random) -> bool:
        """Change the kind of a waiting slice to an unknown one."""
        with suppress(DBAPIError):
            rows = self._records.rows("SELECT id, kind FROM slice WHERE state = 'ready'")
            if rows:
                row = choose.choice(rows)
                self._kinds[row.id] = row.kind
                statement = f"{_SET_KIND} AND state = 'ready'"
                self._records.change(statement, id=row.id, before=row.kind, after=_KIND)
                return True
        return False

    def take_work(self) -> bool:
        with suppress(DBAPIError):
            for slice_id, kind in list(self._kinds.items()):
                self._records.change(_SET_KIND, id=slice_id, before=_KIND, after=kind)
                del self._kinds[slice_id]
            return True
        return False
