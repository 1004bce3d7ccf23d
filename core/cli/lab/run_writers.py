"""Writing the rows of a comparison to a pipe or a file: plain text, CSV, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from tilework.core.cli.lab.run_columns import columns_of
from tilework.core.cli.lab.run_records import COLUMNS, Record
from tilework.core.formats.csv_lines import csv_lines
from tilework.core.puzzle.board import Size


class TableFormat(StrEnum):
    """How to write a comparison."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


_TRUTH: Final = {None: None, True: "true", False: "false"}

Boards = Iterable[list[Record]]
"""The records of each board, as soon as they are there."""


def lines_of(form: TableFormat, boards: Boards, size: Size, *, sweep: bool) -> Iterator[str]:
    """Yield the lines of a comparison, those of each board as soon as they are there.

    Parameters
    ----------
    size : Size
        Of the boards; CSV writes it before the tiles unless the board is square.
    """
    match form:
        case TableFormat.TABLE:
            return _plain(boards, sweep=sweep)
        case TableFormat.CSV:
            return _csv(
                boards, "" if size.width == size.height else f"{size.width}x{size.height}: "
            )
        case TableFormat.JSON:
            return _json(boards)
        case TableFormat.JSONL:
            return (json.dumps(record, default=str) for board in boards for record in board)


def _plain(boards: Boards, *, sweep: bool) -> Iterator[str]:
    columns = columns_of(sweep=sweep)
    yield "\t".join(column.name for column in columns)
    for board in boards:
        for record in board:
            yield "\t".join(column.words(record) for column in columns)


def _csv(boards: Boards, size: str) -> Iterator[str]:
    def row(record: Record) -> list[object]:
        tiles = size + " ".join(map(str, record["board"]))
        written = record | {"board": tiles, "optimal": _TRUTH[record["optimal"]]}
        return [written[name] for name in COLUMNS]

    return csv_lines(COLUMNS, (row(record) for board in boards for record in board), end="")


def _json(boards: Boards) -> Iterator[str]:
    before = "["
    for board in boards:
        for record in board:
            yield before + json.dumps(record, default=str)
            before = ","
    yield "]" if before == "," else "[]"
