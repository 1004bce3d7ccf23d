"""Output of commands: fields, tables and a progress line."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Self, TextIO

from tilework.core.cli.language import gettext, translate
from tilework.core.messages import Message
from tilework.core.puzzle.metric import round_ratio
from tilework.core.solver.result import Progress


def print_fields(fields: Mapping[str, str]) -> None:
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        for name, value in fields.items():
            table.add_row(name, value)
        Console(highlight=False, markup=False).print(table)
        return
    indent = max(map(len, fields), default=0) + 2
    for name, value in fields.items():
        print(f"{name:<{indent}}{value}")


def yes_or_no(value: bool) -> str:
    return gettext("yes") if value else gettext("no")


def print_rows(columns: Sequence[str] | Mapping[str, str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; in a pipe it is tab-separated and its header is not translated."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        headings = map(gettext, columns.values()) if isinstance(columns, Mapping) else columns
        table = Table(*headings)
        for row in rows:
            table.add_row(*row)
        Console(highlight=False, markup=False).print(table)
        return
    print("\t".join(columns))
    for row in rows:
        print("\t".join(row))


_ERASE_LINE = "\r\x1b[K"
_REDRAW_INTERVAL_S = 0.1


class ProgressLine:
    """A progress listener that redraws one line on a terminal and erases it at the end."""

    def __init__(self, stream: TextIO, suffix: Callable[[], str] = str, distance: int = 0) -> None:
        self._stream = stream
        self._suffix = suffix
        self._distance = distance
        self._is_active = stream.isatty()
        self._drawn_at = -_REDRAW_INTERVAL_S
        self._is_drawn = False
        self.last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Draw the progress, at most ten times per second."""
        self.last = progress
        self.draw(partial(self._describe, progress))

    def print_line(self, text: str) -> None:
        """Print a line that is not erased, even if the stream is not a terminal."""
        self._erase()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def _describe(self, progress: Progress) -> str:
        return f"{describe_progress(progress, self._distance)}   {self._suffix()}".rstrip()

    def draw(self, text: Callable[[], str]) -> None:
        """Draw text, which is computed only if it is due and truncated to the terminal's width."""
        now = time.monotonic()
        if self._is_active and now - self._drawn_at >= _REDRAW_INTERVAL_S:
            self._drawn_at = now
            self._is_drawn = True
            columns = os.get_terminal_size(self._stream.fileno()).columns
            # Terminals of unknown width report 0; the text is then not truncated.
            self._stream.write(_ERASE_LINE + text()[: columns - 1 if columns else None])
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._erase()

    def _erase(self) -> None:
        if self._is_drawn:
            self._is_drawn = False
            self._stream.write(_ERASE_LINE)
            self._stream.flush()


def describe_progress(progress: Progress, distance: int = 0) -> str:
    """Format progress as a line that begins with the most important values."""
    rate = progress.nodes / progress.seconds if progress.seconds > 0 else 0.0
    lower, upper = progress.lower_bound, progress.upper_bound
    bounds = format_bounds(lower, upper)
    if upper is not None and lower and distance:
        bounds += f"   {format_quality(lower, upper, distance)}"
    return f"{bounds}   {format_duration(progress.seconds)}   {format_effort(progress.nodes, rate)}"


def format_quality(lower: int, upper: int, distance: int) -> str:
    """Format the gap of a solution, and its ratio to the Manhattan distance."""
    return translate(
        Message(
            "search-quality",
            "gap {gap}   {ratio} × Manhattan",
            gap=format_gap(upper / lower),
            ratio=f"{upper / distance:.2f}",
        )
    )


def format_gap(ratio: float) -> str:
    """Format how far a solution can be from optimal, as in ``30.4%`` for a ratio of 1.304."""
    return f"{round_ratio(ratio) - 1:.1%}"


def format_ratio(ratio: float) -> str:
    """Format the ratio of a length to its lower bound, as in ``1.304``."""
    return f"{round_ratio(ratio):.3f}"


def format_effort(nodes: float, rate: float) -> str:
    return translate(
        Message(
            "search-effort",
            "{nodes} nodes   {rate} nodes/s",
            nodes=format_count(nodes),
            rate=format_count(rate),
        )
    )


def format_bounds(lower: int, upper: int | None) -> str:
    """Format the bounds: ``41 ≤ optimal ≤ 57``."""
    bound = translate(Message("at-least-optimal", "{lower} ≤ optimal", lower=lower))
    return bound + ("" if upper is None else f" ≤ {upper}")


def format_duration(elapsed_s: float) -> str:
    minutes, seconds = divmod(int(elapsed_s), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def format_time(seconds: float | None) -> str:
    """Format a time in UTC, to the minute."""
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


def format_count(number: float) -> str:
    """Format a count: ``950``, ``12.3 k``, ``4.1 M``, ``2.0 G``."""
    for unit in ("", " k", " M"):
        if number < 1000:
            return f"{number:.1f}{unit}" if unit else f"{number:.0f}"
        number /= 1000
    return f"{number:.1f} G"
