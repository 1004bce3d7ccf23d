"""Seals for rows that a test has changed directly."""

from sqlalchemy import select, update

from tilework.core.storage.damage import seals
from tilework.core.storage.database import Database

_SEALS = (
    ("seal", seals.SOLVE, None),
    ("seal", seals.SLICE, None),
    ("end_seal", seals.SLICE_END, "done"),
    ("seal", seals.JOB, None),
    ("boards_seal", seals.JOB_BOARDS, None),
    ("seal", seals.CHUNK, None),
)


def seal_all(database: Database) -> None:
    """Seal every row with its current values."""
    with database.engine(writes=True).begin() as connection:
        for name, seal, state in _SEALS:
            table = seal.columns[0].table
            keys = list(table.primary_key.columns)
            rows = select(*keys, *seal.columns)
            if state is not None:
                rows = rows.where(table.c.state == state)
            for row in connection.execute(rows).all():
                values = dict(
                    zip((column.name for column in seal.columns), row[len(keys) :], strict=True)
                )
                this = (key == value for key, value in zip(keys, row, strict=False))
                change = update(table).where(*this).values({name: seal.of_values(values)})
                connection.execute(change)
