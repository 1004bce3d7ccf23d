"""CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_lines(
    columns: Iterable[str], rows: Iterable[Iterable[object]], end: str = "\r\n"
) -> Iterator[str]:
    """Yield a header and a line for each row; None is left empty."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator=end)
    writer.writerow(columns)
    for row in rows:
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        writer.writerow(map(_harmless, row))
    yield line.getvalue()


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
