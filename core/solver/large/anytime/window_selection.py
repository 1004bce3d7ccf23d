"""Selects the windows of a solution, in passes that divide it at different moves."""

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

# Number of passes without gain before the next effort is used
_MAX_PASSES_WITHOUT_GAIN = 2
_MAX_BYTES = 64 << 20  # for the boards of one round


@dataclass(frozen=True, slots=True)
class Window:
    first: int  # index of its first move in the path
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
        self._next_move = self._end = self._pass_gain = 0
        self.restart(path)

    def restart(self, path: Moves) -> None:
        """Start again with another path and the lowest effort."""
        self.path = path
        self._effort_index = 0
        self._passes_without_gain = 0
        self._begin_pass(self._first_pass)

    @property
    def effort(self) -> Effort | None:
        """The effort of the next windows; None if no effort gains anything any more."""
        index = self._effort_index
        return self._efforts[index] if index < len(self._efforts) else None

    def next(self, max_windows: int) -> list[Window]:
        """Return the next windows, in path order; none if no effort gains anything any more."""
        max_windows = min(max_windows, self._max_windows)
        windows: list[Window] = []
        while not windows and (effort := self.effort) is not None:
            if self._next_move >= len(self.path):
                self._end_pass()
                continue
            while len(windows) < max_windows and self._next_move < len(self.path):
                end = min(self._end, len(self.path))
                moves = self.path[self._next_move : end]
                window_end = apply(self._next_start, moves)
                if len(moves) >= MIN_MOVES:
                    windows.append(Window(self._next_move, moves, self._next_start, window_end))
                self._next_move, self._next_start = end, window_end
                self._end = end + effort.length
        return windows

    def replace(self, windows: Sequence[Window], paths: Sequence[Moves | None]) -> int:
        """Replace windows with shorter paths; return the number of moves gained."""
        parts: list[Moves] = []
        end = gain = 0
        for window, path in zip(windows, paths, strict=True):
            if path is not None and len(path) < len(window.moves):
                parts += [self.path[end : window.first], path]
                end = window.first + len(window.moves)
                gain += len(window.moves) - len(path)
        if gain:
            self.path = np.concatenate([*parts, self.path[end:]])
            self._next_move -= gain
            self._end -= gain
            self._pass_gain += gain
        return gain

    def _end_pass(self) -> None:
        self._passes_without_gain = 0 if self._pass_gain else self._passes_without_gain + 1
        if self._passes_without_gain == _MAX_PASSES_WITHOUT_GAIN or len(self.path) < MIN_MOVES:
            self._effort_index += 1
            self._passes_without_gain = 0
        self._begin_pass(self._pass_number + 1)

    def _begin_pass(self, number: int) -> None:
        self._pass_number = number
        self._next_move = self._pass_gain = 0
        self._next_start = self._board
        length = 0 if self.effort is None else self.effort.length
        self._end = int(_van_der_corput(number) * length) or length


def _van_der_corput(number: int) -> float:
    """Return 0, 1/2, 1/4, 3/4, 1/8, …, each as far as possible from the previous ones.

    J. van der Corput, "Verteilungsfunktionen", 1935.
    """
    fraction, step = 0.0, 0.5
    while number:
        fraction += step * (number & 1)
        number >>= 1
        step /= 2
    return fraction
