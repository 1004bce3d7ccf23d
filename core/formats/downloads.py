"""CSV that is safe to open in a spreadsheet, and ZIP archives, as streams."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile

from tilework.core.puzzle.board import Size

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_lines(
    columns: Iterable[str], rows: Iterable[Iterable[object]], end: str = "\r\n"
) -> Iterator[str]:
    """Yield a header and a line for each row.

    None becomes an empty field; booleans become ``true`` and ``false``.
    """
    line = io.StringIO()
    writer = csv.writer(line, lineterminator=end)
    writer.writerow(columns)
    for row in rows:
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        writer.writerow(map(_cell, row))
    yield line.getvalue()


RUN_COLUMNS: Final = (
    *("board_index", "board", "optimal_length", "method", "algorithm", "heuristic", "weight"),
    *("beam_width", "state", "length", "optimal", "stopped_by", "expanded", "generated", "visited"),
    *("frontier", "max_frontier", "duplicates", "depth", "branching", "seconds", "memory_bytes"),
    "message",
)
"""What is said of each run of a comparison; unknown values are null in JSON and empty in CSV."""


def run_lines(records: Iterable[Mapping[str, Any]], size: Size, end: str = "\r\n") -> Iterator[str]:
    """Yield the runs of a comparison."""
    rows = (
        [
            board_cell(record[name], size) if name == "board" else record[name]
            for name in RUN_COLUMNS
        ]
        for record in records
    )
    return csv_lines(RUN_COLUMNS, rows, end)


def board_cell(tiles: Sequence[int], size: Size) -> str:
    """Return the tiles of a board, after the size if the board is not square."""
    prefix = "" if size.width == size.height else f"{size.width}x{size.height}: "
    return prefix + " ".join(map(str, tiles))


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


_CHUNK_BYTES: Final = 64 * 1024


class _Buffer(bytearray):
    """A file that cannot be read or sought."""

    def write(self, data: bytes) -> int:
        self += data
        return len(data)

    def flush(self) -> None:
        """Do nothing; `ZipFile` requires this method."""


def stream_zip(files: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """Yield a ZIP archive of text files, given as names and chunks of their content.

    Only one chunk is in memory at a time, so the archive can be larger than the memory.
    """
    buffer = _Buffer()
    with ZipFile(cast(IO[bytes], buffer), "w", ZIP_DEFLATED) as archive:
        for name, chunks in files:
            with archive.open(name, "w", force_zip64=True) as file:
                for chunk in chunks:
                    file.write(chunk.encode())
                    if len(buffer) >= _CHUNK_BYTES:
                        yield bytes(buffer)
                        buffer.clear()
    yield bytes(buffer)
