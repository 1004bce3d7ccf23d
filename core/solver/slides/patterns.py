"""Which tiles lie together in the pattern databases of slides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size

_MOST_ENTRIES = 1 << 24
"""Of one pattern."""

_STORED_CELLS = 13
"""Boards of so many cells and more take seconds to build for: theirs are kept in a file."""


@dataclass(frozen=True)
class SlidePatterns:
    """Patterns of tiles, each with the blank, for the goal that reads ``1 2 3 …`` around a blank.

    A slide is one move whatever it moves, and may move tiles of several patterns: the greatest of
    their distances is a bound, and their sum is none. Patterns may so have tiles in common.

    Attributes
    ----------
    size : Size
        From 2 × 2 to 16 cells.
    blank : int
        The cell of the goal's blank.
    """

    size: Size
    blank: int

    @property
    def title(self) -> str:
        """What they are called, as in ``4x4 slides-15``: no others are called so."""
        return f"{self.size.width}x{self.size.height} slides-{self.blank}"

    @property
    def is_stored(self) -> bool:
        """Whether they are kept in a file."""
        return self.size.cells >= _STORED_CELLS

    @cached_property
    def pieces(self) -> int:
        """Tiles of each pattern, and the blank."""
        cells = self.size.cells
        # With the others all but one, the last tile has one place left.
        return next(pieces for pieces in range(cells - 1, 0, -1) if cells**pieces <= _MOST_ENTRIES)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The goal cells of each pattern's tiles, blocks along the rows, then along the columns.

        Where `is_mirrored`, those along the rows only.
        """
        cells = np.arange(self.size.cells).reshape(self.size.height, self.size.width)
        orders = [cells.reshape(-1)]
        if not self.is_mirrored:
            orders.append(cells.T.reshape(-1))
        return tuple(group for order in orders for group in self._cut(order[order != self.blank]))

    @property
    def is_mirrored(self) -> bool:
        """Whether the goal is the same mirrored at its diagonal, and serves a second time so."""
        row, column = divmod(self.blank, self.size.width)
        return self.size.width == self.size.height and row == column

    @property
    def length(self) -> int:
        """Entries of all patterns, one byte each."""
        return len(self.groups) * self.entries

    @property
    def entries(self) -> int:
        """Entries of one pattern."""
        return int(self.size.cells**self.pieces)

    def header(self) -> dict[str, Any]:
        """Return what a file's header says of the patterns; see `pdb.files.Stored`."""
        return {
            "width": self.size.width,
            "height": self.size.height,
            "metric": "slides",
            "blank": self.blank,
            "patterns": self.groups,
        }

    def build(self, tell: Callable[[float], object] = float) -> NDArray[np.uint8]:
        """Compute every entry; see `tilework.core.solver.slides.building.build`."""
        # Here: what builds them loads kernels.
        from tilework.core.solver.slides.building import build

        return build(self, tell)

    def check_some(self, entries: NDArray[np.uint8], count: int) -> None:
        """Check random entries; see `tilework.core.solver.slides.verify.verify_some`."""
        from tilework.core.solver.slides.verify import verify_some

        verify_some(self, entries, count)

    def _cut(self, order: NDArray[np.int64]) -> list[tuple[int, ...]]:
        """Cut cells into groups of one length, which overlap where they must."""
        most = self.pieces - 1
        count = -(-len(order) // most)
        firsts = np.linspace(0, len(order) - most, count).round().astype(int)
        return [tuple(order[first : first + most].tolist()) for first in firsts]
