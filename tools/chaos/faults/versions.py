"""Processes of a later version beside ours: its schema, and work that only it knows."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import DBAPIError

from tools.chaos.system.database import Records

_LATER: Final = "9999"
_STRANGE: Final = "dream"
_KIND: Final = "UPDATE slice SET kind = :to WHERE id = :id AND kind = :now"


class LaterVersion:
    """What a later version has left in the database, and how it is taken back.

    Each method returns whether it could; nothing can be done while the database is away.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._revision: str | None = None
        self._kinds: dict[str, str] = {}

    def upgrade(self) -> bool:
        """Upgrade the schema under those who work, unless it is."""
        if self._revision is None:
            with suppress(DBAPIError):
                revision = self._records.rows("SELECT version_num FROM alembic_version")[0][0]
                self._move("ADD COLUMN later VARCHAR(9) DEFAULT 'x' NOT NULL", _LATER)
                self._revision = revision
                return True
        return False

    def downgrade(self) -> bool:
        with suppress(DBAPIError):
            if self._revision is not None:
                self._move("DROP COLUMN later", self._revision)
            self._revision = None
            return True
        return False

    def _move(self, change: str, revision: str) -> None:
        self._records.change(
            f"ALTER TABLE job {change}",
            "UPDATE alembic_version SET version_num = :revision",
            revision=revision,
        )

    def leave_work(self, choose: random.Random) -> bool:
        """Make a slice that waits one of a kind that ours do not know."""
        with suppress(DBAPIError):
            rows = self._records.rows("SELECT id, kind FROM slice WHERE state = 'ready'")
            if rows:
                row = choose.choice(rows)
                self._kinds[row.id] = row.kind
                statement = f"{_KIND} AND state = 'ready'"
                self._records.change(statement, id=row.id, now=row.kind, to=_STRANGE)
                return True
        return False

    def take_work(self) -> bool:
        with suppress(DBAPIError):
            for slice_id, kind in list(self._kinds.items()):
                self._records.change(_KIND, id=slice_id, now=_STRANGE, to=kind)
                del self._kinds[slice_id]
            return True
        return False
