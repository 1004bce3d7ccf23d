"""Checksums of rows that a test has changed directly."""

from sqlalchemy import select, update

from tilework.core.storage.damage import checksums
from tilework.core.storage.database import Database

_CHECKSUMS = (
    ("seal", checksums.SOLVE, None),
    ("seal", checksums.SLICE, None),
    ("end_seal", checksums.SLICE_END, "done"),
    ("seal", checksums.JOB, None),
    ("boards_seal", checksums.JOB_BOARDS, None),
    ("seal", checksums.CHUNK, None),
)


def update_checksums(database: Database) -> None:
    """Recompute the checksums of all rows."""
    with database.engine(writes=True).begin() as connection:
        for name, checksum, state in _CHECKSUMS:
            table = checksum.columns[0].table
            keys = list(table.primary_key.columns)
            rows = select(*keys, *checksum.columns)
            if state is not None:
                rows = rows.where(table.c.state == state)
            for row in connection.execute(rows).all():
                names = (column.name for column in checksum.columns)
                values = dict(zip(names, row[len(keys) :], strict=True))
                conditions = (key == value for key, value in zip(keys, row, strict=False))
                statement = (
                    update(table).where(*conditions).values({name: checksum.compute(values)})
                )
                connection.execute(statement)
