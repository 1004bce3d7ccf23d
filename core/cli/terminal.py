"""What commands draw on a terminal: facts, rows, and the line of a search's progress."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Self, TextIO

from tilework.core.cli.language import gettext, translate
from tilework.core.messages import Message
from tilework.core.solver.result import Progress
from tilework.core.solver.target import relative_gap

Columns = Sequence[str] | Mapping[str, str]


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


def yes_or_no(holds: bool) -> str:
    return gettext("yes") if holds else gettext("no")


def print_rows(columns: Sequence[str] | Mapping[str, str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; in a pipe a header of names that no language changes, and tabs."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        told = map(gettext, columns.values()) if isinstance(columns, Mapping) else columns
        table = Table(*told)
        for row in rows:
            table.add_row(*row)
        Console(highlight=False, markup=False).print(table)
        return
    print("\t".join(columns))
    for row in rows:
        print("\t".join(row))


_ERASE_LINE = "\r\x1b[K"
_LEAST_SECONDS_BETWEEN = 0.1


class ProgressLine:
    """A listener that redraws its line on a terminal, and erases it at the end."""

    def __init__(self, stream: TextIO, beside: Callable[[], str] = str, distance: int = 0) -> None:
        self._stream = stream
        self._beside = beside
        self._distance = distance
        self._active = stream.isatty()
        self._drawn_at = -_LEAST_SECONDS_BETWEEN
        self._drawn = False
        self.last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Note the progress, and draw it at most ten times a second."""
        self.last = progress
        self.draw(partial(self._words, progress))

    def print_line(self, words: str) -> None:
        """Write a line that stays, whatever the stream is."""
        self._erase()
        self._stream.write(f"{words}\n")
        self._stream.flush()

    def _words(self, progress: Progress) -> str:
        return f"{describe(progress, self._distance)}   {self._beside()}".rstrip()

    def draw(self, words: Callable[[], str]) -> None:
        """Draw a text, which is computed only if it is due; what is too wide is cut off."""
        now = time.monotonic()
        if self._active and now - self._drawn_at >= _LEAST_SECONDS_BETWEEN:
            self._drawn_at = now
            self._drawn = True
            columns = os.get_terminal_size(self._stream.fileno()).columns
            # A terminal that does not know its width says 0.
            self._stream.write(_ERASE_LINE + words()[: columns - 1 if columns else None])
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._erase()

    def _erase(self) -> None:
        if self._drawn:
            self._drawn = False
            self._stream.write(_ERASE_LINE)
            self._stream.flush()


def describe(progress: Progress, distance: int = 0) -> str:
    """Write progress as one line; what comes last is what a narrow terminal may cut off."""
    rate = progress.nodes / progress.seconds if progress.seconds > 0 else 0.0
    lower, upper = progress.lower_bound, progress.upper_bound
    known = bounds(lower, upper)
    if upper is not None and distance:
        known += f"   {quality(lower, upper, distance)}"
    return f"{known}   {clock(progress.seconds)}   {effort(progress.nodes, rate)}"


def quality(lower: int, upper: int, distance: int) -> str:
    """Write how far a solution is from the bound, and how long beside the Manhattan distance."""
    return translate(
        Message(
            "search-quality",
            "gap {gap}   {ratio} × Manhattan",
            gap=f"{relative_gap(lower, upper):.0%}",
            ratio=f"{upper / distance:.2f}",
        )
    )


def effort(nodes: float, rate: float) -> str:
    return translate(
        Message(
            "search-effort", "{nodes} nodes   {rate} nodes/s", nodes=count(nodes), rate=count(rate)
        )
    )


def bounds(lower: int, upper: int | None) -> str:
    """Write what is known of the optimum: ``41 ≤ optimal ≤ 57``."""
    known = translate(Message("at-least-optimal", "{lower} ≤ optimal", lower=lower))
    return known + ("" if upper is None else f" ≤ {upper}")


def clock(passed_s: float) -> str:
    minutes, seconds = divmod(int(passed_s), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def count(number: float) -> str:
    """Write a count so that it fits a line: ``950``, ``12.3 k``, ``4.1 M``, ``2.0 G``."""
    for unit in ("", " k", " M"):
        if number < 1000:
            return f"{number:.1f}{unit}" if unit else f"{number:.0f}"
        number /= 1000
    return f"{number:.1f} G"
