"""The table of a comparison on a terminal; it grows as runs end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from tilework.core.cli.lab.records import Column, Record, under_way
from tilework.core.cli.language import say, say_words
from tilework.core.cli.terminal import clock
from tilework.core.lab.method import Method
from tilework.core.messages import Message

_SECONDS_BETWEEN: Final = 0.25
_LINES_AROUND: Final = 8
"""Lines of the table's frame, its heading and the text below it."""

_LET_GO: Final = (
    "memory",
    "branching",
    "depth",
    "duplicates",
    "optimal_length",
    "generated",
    "seconds",
    "max_frontier",
    "ended",
)
"""Columns that are dropped on a narrow terminal, in this order."""

_MEASURED_WIDTH: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Layout:
    """The columns shown, and whether they stand close, with methods on several lines."""

    columns: tuple[Column, ...]
    close: bool = False


class GrowingTable:
    """The table and the run under way: the last rows that fit the screen, all at the end."""

    def __init__(self, columns: Sequence[Column], total: int) -> None:
        self._console = Console(highlight=False, markup=False)
        self._columns = tuple(columns)
        self._total = total
        self._records: Sequence[Record] = ()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._place = 0
        self._began = self._drawn = 0.0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        if self._records:
            self._print(self._records)

    def watch(self, place: int, method: Method) -> None:
        """Draw again, at most four times a second."""
        now = time.monotonic()
        if place != self._place:
            self._place, self._began = place, now
        if now - self._drawn >= _SECONDS_BETWEEN:
            self._drawn = now
            at_work = f"{under_way(place, self._total, method)}   {clock(now - self._began)}"
            most = max(1, self._console.height - _LINES_AROUND)
            layout = self._layout(self._records[-most:])
            rows = self._records[-(max(1, most // 2) if layout.close else most) :]
            shown = self._table(rows, layout)
            self._live.update(Group(shown, at_work), refresh=True)

    def show(self, records: Sequence[Record]) -> None:
        self._records = records
        self._drawn = 0.0

    def _print(self, records: Sequence[Record]) -> None:
        layout = self._layout(records)
        self._console.print(self._table(records, layout))
        missing = [say_words(one.heading) for one in self._columns if one not in layout.columns]
        if missing:
            names = ", ".join(missing)
            wider = Message(
                "wider-terminal", "A wider terminal shows {columns} too.", columns=names
            )
            self._console.print(say(wider))

    def _layout(self, records: Sequence[Record]) -> _Layout:
        unbounded = self._console.options.update_width(_MEASURED_WIDTH)
        for layout in self._layouts():
            table = self._table(records, layout)
            if self._console.measure(table, options=unbounded).maximum <= self._console.width:
                break
        return layout

    def _layouts(self) -> Iterator[_Layout]:
        yield _Layout(self._columns)
        for count in range(len(_LET_GO) + 1):
            kept = (one for one in self._columns if one.name not in _LET_GO[:count])
            yield _Layout(tuple(kept), close=True)

    def _table(self, records: Sequence[Record], layout: _Layout) -> Table:
        gap = 0 if layout.close else 1
        table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False)
        for column in layout.columns:
            words = column.name in ("method", "ended")
            heading = say_words(column.heading).replace(" ", "\n")
            table.add_column(heading, justify="left" if words else "right", no_wrap=True)
        for record in records:
            table.add_row(*(self._cell(record, column, layout) for column in layout.columns))
        return table

    @staticmethod
    def _cell(record: Record, column: Column, layout: _Layout) -> str:
        words = column.words(record)
        return words.replace(":", ":\n", 1) if layout.close and column.name == "method" else words
