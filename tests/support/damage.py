import os
from pathlib import Path

from sqlalchemy import select, update

from tilework.core.storage.checksums import SLICE, SLICE_END, SOLVE
from tilework.core.storage.database import Database


def overwrite(path: Path, position: int, data: bytes, *, keep_time: bool = False) -> None:
    """Overwrite part of a file in place, and optionally hide it by its time."""
    stat = path.stat()
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.seek(position)
        file.write(data)
    if keep_time:
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


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
