"""The terminal: language, exit codes, Ctrl-C, fields, tables and the progress line."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import IntEnum
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Self

from tilework.core.errors import InputError, NotFoundError, TileworkError, UnsolvableError
from tilework.core.messages import Language, Message, plural, translations
from tilework.core.puzzle import phrases
from tilework.core.redaction import redact

if TYPE_CHECKING:
    from tilework.core.solver.result import Progress

NO_MEMORY: Final = Message("no-memory", "there is not enough memory for this board")

_LANGUAGE: Final = ContextVar("language", default=Language.ENGLISH)


def set_language(language: Language) -> None:
    _LANGUAGE.set(language)


def current_language() -> Language:
    return _LANGUAGE.get()


_AS_JSON: Final = ContextVar("as_json", default=False)


def set_json(requested: bool) -> None:
    """Make `show` print JSON, or text."""
    _AS_JSON.set(requested)


def wants_json() -> bool:
    return _AS_JSON.get()


def translate(message: Message) -> str:
    return message.translate(translations(current_language()))


def gettext(text: str) -> str:
    return translations(current_language()).gettext(text)


class ExitCode(IntEnum):
    """The exit codes documented in ``docs/cli.md``."""

    ANSWERED = 0
    NO_SOLUTION = 1
    """The board is unsolvable, or a limit was reached without a solution."""
    BAD_INPUT = 2
    """An invalid board, option, file or job; the message quotes it."""
    UNAVAILABLE = 3
    """A server, database or key that is unavailable or rejected."""
    INTERNAL = 70
    """A bug in Tilework; ``EX_SOFTWARE`` of ``sysexits.h``."""
    INTERRUPTED = 130
    """Ctrl-C: 128 + SIGINT."""
    BROKEN_PIPE = 141
    """The reader of the output closed the pipe: 128 + SIGPIPE."""


def exit_code_for(error: TileworkError) -> ExitCode:
    if isinstance(error, UnsolvableError):
        return ExitCode.NO_SOLUTION
    if isinstance(error, (InputError, NotFoundError)):
        return ExitCode.BAD_INPUT
    return ExitCode.UNAVAILABLE


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed; a second press raises."""
    interrupted = False

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        if interrupted:
            raise KeyboardInterrupt
        interrupted = True

    previous_handler = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: interrupted
    finally:
        signal.signal(signal.SIGINT, previous_handler)


def print_note(message: Message) -> None:
    """Print a message to standard error."""
    print(translate(message), file=sys.stderr)


def print_error(message: Message) -> None:
    print(f"tilework: {redact(translate(message))}", file=sys.stderr)


def solvable_for(goals: Sequence[str]) -> Message:
    return Message(
        "solvable-for",
        "it can be solved for {goals}",
        goals=", ".join(f"--goal {goal}" for goal in goals),
    )


def print_json(document: Any) -> None:
    print(json.dumps(document, default=str), flush=True)


def show(document: Any, print_text: Callable[[], object]) -> None:
    """Print a result as JSON if ``--json`` was given, otherwise as text."""
    if wants_json():
        print_json(document)
    else:
        print_text()


def print_fields(fields: Mapping[str, str]) -> None:
    if sys.stdout.isatty():
        from rich.table import Table

        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        _print_table(table, fields.items())
        return
    indent = max(map(len, fields), default=0) + 2
    for name, value in fields.items():
        print(f"{name:<{indent}}{value}")


def print_rows(columns: Sequence[str] | Mapping[str, str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; in a pipe it is tab-separated and its header is not translated."""
    if sys.stdout.isatty():
        from rich.table import Table

        headings = columns.values() if isinstance(columns, Mapping) else columns
        _print_table(Table(*map(gettext, headings)), rows)
        return
    for row in (columns, *rows):
        print("\t".join(row))


def _print_table(table: Any, rows: Iterable[Sequence[str]]) -> None:
    from rich.console import Console

    for row in rows:
        table.add_row(*row)
    Console(highlight=False, markup=False).print(table)


def yes_or_no(value: bool) -> str:
    return gettext("yes") if value else gettext("no")


_ERASE_LINE = "\r\x1b[K"
_REDRAW_INTERVAL_S = 0.1


class ProgressLine:
    """A progress listener that redraws one line on a terminal and erases it at the end."""

    def __init__(self, suffix: Callable[[], str] = str, distance: int = 0) -> None:
        self._stream = sys.stderr
        self._suffix = suffix
        self._distance = distance
        self._is_active = self._stream.isatty()
        self._drawn_at = -_REDRAW_INTERVAL_S
        self._is_drawn = False

    def __call__(self, progress: Progress) -> None:
        """Draw the progress, at most ten times per second."""

        def describe() -> str:
            return f"{describe_progress(progress, self._distance)}   {self._suffix()}".rstrip()

        self.draw(describe)

    def print_line(self, text: str) -> None:
        """Print a line that is not erased, even if the stream is not a terminal."""
        self._erase()
        self._stream.write(f"{text}\n")
        self._stream.flush()

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
    parts = [format_bounds(lower, upper)]
    if upper is not None and lower and distance:
        quality = Message(
            "search-quality",
            "gap {gap}   {ratio} × Manhattan",
            gap=format_gap(upper / lower),
            ratio=f"{upper / distance:.2f}",
        )
        parts.append(translate(quality))
    return "   ".join(
        [*parts, format_duration(progress.seconds), format_effort(progress.nodes, rate)]
    )


def format_gap(ratio: float) -> str:
    """Format how far a solution can be from optimal, as in ``30.4%`` for a ratio of 1.304."""
    from tilework.core.puzzle.metric import round_ratio

    return f"{round_ratio(ratio) - 1:.1%}"


def format_ratio(ratio: float) -> str:
    """Format the ratio of a length to its lower bound, as in ``1.304``."""
    from tilework.core.puzzle.metric import round_ratio

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


def format_nodes(number: int) -> Message:
    return plural(
        "nodes-shown", "{shown} node", "{shown} nodes", count=number, shown=format_count(number)
    )


def moves_and_slides(length: int, slides: int) -> Message:
    return Message(
        "moves-and-slides",
        "{moves} ({slides})",
        moves=phrases.moves(length),
        slides=phrases.slides(slides),
    )


def describe_shortest(
    length: int, slides: int, nodes: int, seconds: float, algorithm: str
) -> Message:
    return Message(
        "proved-shortest",
        "{moves}, proven optimal: {nodes} in {seconds} s by {algorithm}",
        moves=moves_and_slides(length, slides),
        nodes=format_nodes(nodes),
        seconds=f"{seconds:.3g}",
        algorithm=algorithm,
    )
