"""CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tilework.core.puzzle.board import Size

_BOOLEANS: Final = {None: None, True: "true", False: "false"}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_lines(
    columns: Iterable[str], rows: Iterable[Iterable[object]], end: str = "\r\n"
) -> Iterator[str]:
    """Yield a header and a line for each row; None becomes an empty field."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator=end)
    writer.writerow(columns)
    for row in rows:
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        writer.writerow(map(_escape_formula, row))
    yield line.getvalue()


def result_lines(
    columns: Sequence[str], records: Iterable[Mapping[str, Any]], size: Size, end: str = "\r\n"
) -> Iterator[str]:
    """Yield the runs of a comparison; the size precedes the tiles of boards that are not square."""
    size_prefix = "" if size.width == size.height else f"{size.width}x{size.height}: "

    def row(record: Mapping[str, Any]) -> list[object]:
        replaced = {
            "board": size_prefix + " ".join(map(str, record["board"])),
            "optimal": _BOOLEANS[record["optimal"]],
        }
        return [replaced[name] if name in replaced else record[name] for name in columns]

    return csv_lines(columns, map(row, records), end)


def _escape_formula(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
