"""The table of a comparison in a terminal, redrawn while the searches run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from tilework.core.cli.lab.records import HEADINGS, Record, format_cell
from tilework.core.cli.language import gettext, translate
from tilework.core.cli.terminal import format_duration
from tilework.core.lab.methods import Method
from tilework.core.messages import Message


def describe_progress(number: int, total: int, method: Method) -> str:
    return translate(
        Message(
            "run-under-way",
            "{position} of {total}: {method}",
            position=number,
            total=total,
            method=method.text,
        )
    )


_REFRESH_S: Final = 0.25
_LINES_AROUND: Final = 8
"""Lines of the table's frame, its heading and the text below it."""

_DROPPED_FIRST: Final = (
    *("memory", "branching", "depth", "duplicates", "optimal_length", "generated"),
    *("seconds", "max_frontier", "ended"),
)
"""Columns that are dropped on a narrow terminal, in this order."""

_MEASURED_WIDTH: Final = 1_000


class _Layout(NamedTuple):
    columns: tuple[str, ...]
    compact: bool = False  # without padding, and with methods on two lines


class LiveTable:
    """A table that shows the latest rows and the current run, and all rows at the end."""

    def __init__(self, columns: tuple[str, ...], total: int) -> None:
        self._console = Console(highlight=False, markup=False)
        self._columns = columns
        self._total = total
        self._records: Sequence[Record] = ()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._number = 0
        self._started_at = self._drawn_at = 0.0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        if self._records:
            self._print()

    def redraw(self, number: int, method: Method) -> None:
        """Redraw the table, at most four times per second."""
        now = time.monotonic()
        if number != self._number:
            self._number, self._started_at = number, now
        if now - self._drawn_at < _REFRESH_S:
            return
        self._drawn_at = now
        elapsed = format_duration(now - self._started_at)
        status = f"{describe_progress(number, self._total, method)}   {elapsed}"
        room = max(1, self._console.height - _LINES_AROUND)
        layout = self._choose_layout(self._records[-room:])
        rows = self._records[-(max(1, room // 2) if layout.compact else room) :]
        self._live.update(Group(self._table(rows, layout), status), refresh=True)

    def show(self, records: Sequence[Record]) -> None:
        self._records = records
        self._drawn_at = 0.0

    def _print(self) -> None:
        layout = self._choose_layout(self._records)
        self._console.print(self._table(self._records, layout))
        dropped = [
            gettext(HEADINGS[column]) for column in self._columns if column not in layout.columns
        ]
        if dropped:
            names = ", ".join(dropped)
            wider = Message(
                "wider-terminal", "A wider terminal also shows {columns}.", columns=names
            )
            self._console.print(translate(wider))

    def _choose_layout(self, records: Sequence[Record]) -> _Layout:
        """Return the first layout that fits the terminal, or the narrowest one."""
        unbounded = self._console.options.update_width(_MEASURED_WIDTH)
        layout = _Layout(self._columns)
        for count in range(-1, len(_DROPPED_FIRST) + 1):
            if count >= 0:
                dropped = _DROPPED_FIRST[:count]
                columns = tuple(column for column in self._columns if column not in dropped)
                layout = _Layout(columns, compact=True)
            table = self._table(records, layout)
            if self._console.measure(table, options=unbounded).maximum <= self._console.width:
                break
        return layout

    def _table(self, records: Sequence[Record], layout: _Layout) -> Table:
        gap = 0 if layout.compact else 1
        table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False)
        for column in layout.columns:
            heading = gettext(HEADINGS[column]).replace(" ", "\n")
            is_text = column in ("method", "ended")
            table.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
        for record in records:
            cells = {column: format_cell(column, record) for column in layout.columns}
            if layout.compact:
                cells["method"] = cells["method"].replace(":", ":\n", 1)
            table.add_row(*cells.values())
        return table
