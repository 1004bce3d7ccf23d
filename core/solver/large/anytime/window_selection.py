"""Selection of the windows of a solution, in passes that divide it at different moves."""

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

# Passes without gain before the next effort
_PASSES_WITHOUT_GAIN = 2
_MAX_BYTES = 64 << 20  # for the boards of one round


@dataclass(frozen=True, slots=True)
class Window:
    first: int  # its first move in the path
    moves: Moves
    start: Board
    end: Board


class WindowSelection:
    """Selects windows of the best path, and replaces them with shorter paths."""

    def __init__(
        self, board: Board, path: Moves, efforts: Sequence[Effort], first_pass: int = 0
    ) -> None:
        self._board = board
        self._efforts = efforts
        self._first_pass = first_pass
        self._max_windows = max(1, _MAX_BYTES // (8 * board.size.cells))
        self._next_start = board
        self._next_move = self._end = self._gained = 0
        self.restart(path)

    def restart(self, path: Moves) -> None:
        """Start over with another path and the smallest effort."""
        self.path = path
        self._effort_index = 0
        self._without_gain = 0
        self._begin_pass(self._first_pass)

    @property
    def effort(self) -> Effort | None:
        """The effort of the next windows; None once no effort gains anything."""
        index = self._effort_index
        return self._efforts[index] if index < len(self._efforts) else None

    def next(self, max_windows: int) -> list[Window]:
        """Return the next windows, in path order; empty once no effort gains anything."""
        max_windows = min(max_windows, self._max_windows)
        windows: list[Window] = []
        while not windows and (effort := self.effort) is not None:
            if self._next_move >= len(self.path):
                self._end_pass()
                continue
            while len(windows) < max_windows and self._next_move < len(self.path):
                end = min(self._end, len(self.path))
                moves = self.path[self._next_move : end]
                after = apply(self._next_start, moves)
                if len(moves) >= MIN_MOVES:
                    windows.append(Window(self._next_move, moves, self._next_start, after))
                self._next_move, self._next_start, self._end = end, after, end + effort.length
        return windows

    def replace(self, windows: Sequence[Window], paths: Sequence[Moves | None]) -> int:
        """Replace windows by shorter paths; return the number of moves gained."""
        parts: list[Moves] = []
        end = gained = 0
        for window, path in zip(windows, paths, strict=True):
            if path is not None and len(path) < len(window.moves):
                parts += [self.path[end : window.first], path]
                end = window.first + len(window.moves)
                gained += len(window.moves) - len(path)
        if gained:
            self.path = np.concatenate([*parts, self.path[end:]])
            self._next_move -= gained
            self._end -= gained
            self._gained += gained
        return gained

    def _end_pass(self) -> None:
        self._without_gain = 0 if self._gained else self._without_gain + 1
        if self._without_gain == _PASSES_WITHOUT_GAIN or len(self.path) < MIN_MOVES:
            self._effort_index += 1
            self._without_gain = 0
        self._begin_pass(self._passes + 1)

    def _begin_pass(self, number: int) -> None:
        self._passes = number
        self._next_move = self._gained = 0
        self._next_start = self._board
        length = 0 if self.effort is None else self.effort.length
        self._end = int(_van_der_corput(number) * length) or length


def _van_der_corput(number: int) -> float:
    """Return 0, 1/2, 1/4, 3/4, 1/8, …, each as far as possible from the earlier ones.

    J. van der Corput, "Verteilungsfunktionen", 1935.
    """
    fraction, step = 0.0, 0.5
    while number:
        fraction += step * (number & 1)
        number >>= 1
        step /= 2
    return fraction
