"""The one line on a terminal that tells where a running search stands."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from core.search.result import Progress

_ERASE_LINE = "\r\x1b[K"
_LEAST_SECONDS_BETWEEN = 0.1


class ProgressLine:
    """A listener that redraws its line; it draws nothing where the stream is no terminal.

    The line is erased at the end, so that only the answer stays on the screen.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._active = stream.isatty()
        self._drawn_at = -_LEAST_SECONDS_BETWEEN
        self._drawn = False
        self.last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Take note of the progress, and draw it at most ten times a second."""
        self.last = progress
        now = time.monotonic()
        if self._active and now - self._drawn_at >= _LEAST_SECONDS_BETWEEN:
            self._drawn_at = now
            self._drawn = True
            self._stream.write(_ERASE_LINE + describe(progress))
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._drawn:
            self._stream.write(_ERASE_LINE)
            self._stream.flush()


def describe(progress: Progress) -> str:
    """Write bounds, nodes, nodes a second and elapsed time as one short line."""
    upper = f" ≤ {progress.upper_bound}" if progress.upper_bound is not None else ""
    rate = progress.nodes / progress.seconds if progress.seconds > 0 else 0.0
    minutes, seconds = divmod(int(progress.seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (
        f"{progress.lower_bound} ≤ moves{upper}   {count(progress.nodes)} nodes   "
        f"{count(rate)} nodes/s   {hours}:{minutes:02}:{seconds:02}"
    )


def count(number: float) -> str:
    """Write a count so that it fits a line: ``950``, ``12.3 k``, ``4.1 M``, ``2.0 G``."""
    for unit in ("", " k", " M"):
        if number < 1000:
            return f"{number:.1f}{unit}" if unit else f"{number:.0f}"
        number /= 1000
    return f"{number:.1f} G"
