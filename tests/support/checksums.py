"""Checksums of rows that a test has changed directly."""

from sqlalchemy import select, update

from tilework.core.storage.checksums import SLICE, SLICE_END, SOLVE
from tilework.core.storage.database import Database

_CHECKSUMS = (
    ("checksum", SOLVE, None),
    ("checksum", SLICE, None),
    ("end_checksum", SLICE_END, "done"),
)


def update_checksums(database: Database) -> None:
    """Recompute the checksums of all rows."""
    with database.engine(writes=True).begin() as connection:
        for name, checksum, state in _CHECKSUMS:
            table = checksum.columns[0].table
            rows = select(*checksum.columns)
            if state is not None:
                rows = rows.where(table.c.state == state)
            for row in connection.execute(rows).mappings().all():
                values = {name: checksum.compute(row)}
                connection.execute(update(table).where(table.c.id == row["id"]).values(values))
