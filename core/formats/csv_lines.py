"""CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

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


def result_lines(
    columns: Sequence[str], records: Iterable[Mapping[str, Any]], size: Size, end: str = "\r\n"
) -> Iterator[str]:
    """Yield the runs of a comparison."""

    def row(record: Mapping[str, Any]) -> list[object]:
        replaced = {"board": board_cell(record["board"], size)}
        return [replaced[name] if name in replaced else record[name] for name in columns]

    return csv_lines(columns, map(row, records), end)


def board_cell(tiles: Sequence[int], size: Size) -> str:
    """Return the tiles of a board, after the size if the board is not square."""
    prefix = "" if size.width == size.height else f"{size.width}x{size.height}: "
    return prefix + " ".join(map(str, tiles))


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
