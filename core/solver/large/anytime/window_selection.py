"""Cutting a path into windows, pass after pass, each pass elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.solver.trial import Effort

# Fewer moves than this hardly ever have a shorter way: two round a square are the same four
LEAST_MOVES = 6

# Passes without gain after which more effort is worth it: one cut here, one between
_DRY_PASSES = 2
_MOST_BYTES = 64 << 20  # of the boards of one round


@dataclass(frozen=True, slots=True)
class Window:
    first: int
    moves: Moves
    start: Board
    end: Board


class WindowSelection:
    """Where the windows of a board's best path are; the path has all that windows have gained."""

    def __init__(
        self, board: Board, path: Moves, efforts: Sequence[Effort], first_pass: int = 0
    ) -> None:
        self._board = board
        self._efforts = efforts
        self._first_pass = first_pass
        self._most = max(1, _MOST_BYTES // (8 * board.size.cells))
        self._here = board
        self._at = self._end = self._gained = 0
        self.begin(path)

    def begin(self, path: Moves) -> None:
        """Take another path, with the least effort first."""
        self.path = path
        self._place = 0
        self._dry = 0
        self._begin_pass(self._first_pass)

    @property
    def effort(self) -> Effort | None:
        """The effort of the next windows; None where nothing more is gained."""
        return self._efforts[self._place] if self._place < len(self._efforts) else None

    def next(self, most: int) -> list[Window]:
        """Return the next windows, in their order along the path; None where all gain nothing."""
        windows: list[Window] = []
        while not windows and (effort := self.effort) is not None:
            if self._at >= len(self.path):
                self._end_pass()
                continue
            while len(windows) < min(most, self._most) and self._at < len(self.path):
                end = min(self._end, len(self.path))
                moves = self.path[self._at : end]
                after = apply(self._here, moves)
                if len(moves) >= LEAST_MOVES:
                    windows.append(Window(self._at, moves, self._here, after))
                self._at, self._here, self._end = end, after, end + effort.length
        return windows

    def put(self, windows: Sequence[Window], ways: Sequence[Moves | None]) -> int:
        """Put the shorter ways into the path; return how many moves that gains."""
        pieces: list[Moves] = []
        at = gained = 0
        for window, way in zip(windows, ways, strict=True):
            if way is not None and len(way) < len(window.moves):
                pieces += [self.path[at : window.first], way]
                at = window.first + len(window.moves)
                gained += len(window.moves) - len(way)
        if gained:
            self.path = np.concatenate([*pieces, self.path[at:]])
            self._at -= gained
            self._end -= gained
            self._gained += gained
        return gained

    def _end_pass(self) -> None:
        self._dry = 0 if self._gained else self._dry + 1
        if self._dry == _DRY_PASSES or len(self.path) < LEAST_MOVES:
            self._place += 1
            self._dry = 0
        self._begin_pass(self._passes + 1)

    def _begin_pass(self, number: int) -> None:
        self._passes = number
        self._at = self._gained = 0
        self._here = self._board
        length = 0 if self.effort is None else self.effort.length
        self._end = int(_spread(number) * length) or length


def _spread(number: int) -> float:
    """0, 1/2, 1/4, 3/4, 1/8, …: each as far from those before as can be.

    J. van der Corput, "Verteilungsfunktionen", 1935.
    """
    place, step = 0.0, 0.5
    while number:
        place += step * (number & 1)
        number >>= 1
        step /= 2
    return place
