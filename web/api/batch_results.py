"""The results of a batch as lines: CSV for spreadsheets, JSON lines for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tilework.core.formats.csv_lines import csv_lines
from tilework.core.formats.letters import letters
from tilework.core.formats.runs import runs
from tilework.core.model.batches import BatchResultView
from tilework.core.puzzle.moves import to_letters
from tilework.web.i18n import say

_COLUMNS: Final = (
    "index",
    "job_id",
    "state",
    "width",
    "height",
    "lower_bound",
    "upper_bound",
    "optimal",
    "moves",
    "message",
)


def table(results: Iterable[BatchResultView]) -> Iterator[str]:
    """Yield CSV: a header and a line for each result."""
    return csv_lines(_COLUMNS, (_record(result).values() for result in results))


def json_lines(results: Iterable[BatchResultView]) -> Iterator[str]:
    """Yield one JSON object a line."""
    for result in results:
        code = None if result.message is None else result.message.code
        record = _record(result) | {"message_code": code}
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def move_lines(results: Iterable[BatchResultView], *, in_runs: bool) -> Iterator[str]:
    """Yield the moves of each board on a line of their own, which is empty while there are none."""
    write = runs if in_runs else letters
    for result in results:
        if result.moves is not None:
            yield from write(result.moves)
        yield "\n"


def _record(result: BatchResultView) -> dict[str, Any]:
    moves = None if result.moves is None else to_letters(result.moves)
    message = None if result.message is None else say(result.message)
    said = {"moves": moves, "message": message}
    return {name: said[name] if name in said else getattr(result, name) for name in _COLUMNS}
