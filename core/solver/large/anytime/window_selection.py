"""Selection of the windows of a solution, in passes with different cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.solver.trial import Effort

# Shorter windows can hardly be improved: different paths around a 2×2 square have the same length
MIN_MOVES = 6

# Passes without gain before the next effort: one with each of two cuts
_PASSES_WITHOUT_GAIN = 2
_MAX_BYTES = 64 << 20  # for the boards of one round


@dataclass(frozen=True, slots=True)
class Window:
    first: int  # its first move in the path
    moves: Moves
    start: Board
    end: Board


class WindowSelection:
    """Selects the windows of the best path, into which their improvements are spliced."""

    def __init__(
        self, board: Board, path: Moves, efforts: Sequence[Effort], first_pass: int = 0
    ) -> None:
        self._board = board
        self._efforts = efforts
        self._first_pass = first_pass
        self._most = max(1, _MAX_BYTES // (8 * board.size.cells))
        self._here = board
        self._at = self._end = self._gained = 0
        self.begin(path)

    def begin(self, path: Moves) -> None:
        """Start over with another path and the least effort."""
        self.path = path
        self._place = 0
        self._without_gain = 0
        self._begin_pass(self._first_pass)

    @property
    def effort(self) -> Effort | None:
        """The effort of the next windows; None once no effort gains anything."""
        return self._efforts[self._place] if self._place < len(self._efforts) else None

    def next(self, most: int) -> list[Window]:
        """Return the next windows, in path order; empty once no effort gains anything."""
        windows: list[Window] = []
        while not windows and (effort := self.effort) is not None:
            if self._at >= len(self.path):
                self._end_pass()
                continue
            while len(windows) < min(most, self._most) and self._at < len(self.path):
                end = min(self._end, len(self.path))
                moves = self.path[self._at : end]
                after = apply(self._here, moves)
                if len(moves) >= MIN_MOVES:
                    windows.append(Window(self._at, moves, self._here, after))
                self._at, self._here, self._end = end, after, end + effort.length
        return windows

    def replace(self, windows: Sequence[Window], paths: Sequence[Moves | None]) -> int:
        """Replace windows by shorter paths; return how many moves that gains."""
        parts: list[Moves] = []
        at = gained = 0
        for window, path in zip(windows, paths, strict=True):
            if path is not None and len(path) < len(window.moves):
                parts += [self.path[at : window.first], path]
                at = window.first + len(window.moves)
                gained += len(window.moves) - len(path)
        if gained:
            self.path = np.concatenate([*parts, self.path[at:]])
            self._at -= gained
            self._end -= gained
            self._gained += gained
        return gained

    def _end_pass(self) -> None:
        self._without_gain = 0 if self._gained else self._without_gain + 1
        if self._without_gain == _PASSES_WITHOUT_GAIN or len(self.path) < MIN_MOVES:
            self._place += 1
            self._without_gain = 0
        self._begin_pass(self._passes + 1)

    def _begin_pass(self, number: int) -> None:
        self._passes = number
        self._at = self._gained = 0
        self._here = self._board
        length = 0 if self.effort is None else self.effort.length
        self._end = int(_spread(number) * length) or length


def _spread(number: int) -> float:
    """Return 0, 1/2, 1/4, 3/4, 1/8, …: each as far as possible from those before.

    J. van der Corput, "Verteilungsfunktionen", 1935.
    """
    place, step = 0.0, 0.5
    while number:
        place += step * (number & 1)
        number >>= 1
        step /= 2
    return place
