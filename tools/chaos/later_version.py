"""A later version next to this one, of which only the schema matters."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from sqlalchemy.exc import DBAPIError

from tools.chaos.system.records import Records

_REVISION: Final = "9999"


class LaterVersion:
    """The changes that a later version makes to the database, and how they are undone.

    Each method returns whether it succeeded; both fail while the database is down.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._revision: str | None = None

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
