"""Processes of a later version beside ours: its schema, and work that only it knows."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import DBAPIError

from tools.chaos.system.database import Records

_LATER: Final = "9999"
_STRANGE: Final = "dream"


class LaterVersion:
    """What a later version has left in the database, and how it is taken back.

    Each method returns whether it could.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._revision: str | None = None
        self._kinds: dict[str, str] = {}

    def upgrade(self) -> bool:
        """Upgrade the schema under those who work, unless it is."""
        if self._revision is not None:
            return False
        with suppress(DBAPIError):
            revision = self._records.rows("SELECT version_num FROM alembic_version")[0][0]
            self._records.change(
                "ALTER TABLE job ADD COLUMN later VARCHAR(9) DEFAULT 'x' NOT NULL",
                "UPDATE alembic_version SET version_num = :later",
                later=_LATER,
            )
            self._revision = revision
            return True
        return False

    def downgrade(self) -> bool:
        """Take the schema back."""
        if self._revision is None:
            return True
        with suppress(DBAPIError):
            self._records.change(
                "ALTER TABLE job DROP COLUMN later",
                "UPDATE alembic_version SET version_num = :revision",
                revision=self._revision,
            )
            self._revision = None
            return True
        return False

    def leave_work(self, choose: random.Random) -> bool:
        """Make a slice that waits one of a kind that ours do not know."""
        with suppress(DBAPIError):
            rows = self._records.rows("SELECT id, kind FROM slice WHERE state = 'ready'")
            if rows:
                row = choose.choice(rows)
                self._kinds[row.id] = row.kind
                self._records.change(
                    "UPDATE slice SET kind = :kind WHERE id = :id AND state = 'ready'",
                    kind=_STRANGE,
                    id=row.id,
                )
                return True
        return False

    def take_work(self) -> bool:
        """Take all such slices back."""
        with suppress(DBAPIError):
            for slice_id, kind in list(self._kinds.items()):
                self._records.change(
                    "UPDATE slice SET kind = :kind WHERE id = :id AND kind = :strange",
                    kind=kind,
                    id=slice_id,
                    strange=_STRANGE,
                )
                del self._kinds[slice_id]
            return True
        return False
