"""Boards as rows of arrays, with which kernels compute potentials for any parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.potential import BLANK_CODE, BORDER_CODE, CODES
from tilework.core.solver.large.learned.potential import Labels, Layout, block_classes, get_layout
from tools.training.fit_kernel import add_to_entries, compute_values
from tools.training.parameters import STEPS_CAP, Reals, Tables


@dataclass(frozen=True, slots=True)
class Rows:
    """Boards of one size.

    Attributes
    ----------
    row_blocks : int32 array, shape (rows, blocks)
        The classes of the board's blocks.
    row_steps : uint8 array, shape (rows, cells)
        By cell: the index of the entry in the table of steps.
    distances, blank_distances : int32 arrays, shape (rows,)
        The sum of the tiles' distances, and the distance of the blank.
    """

    row_blocks: NDArray[np.int32]
    row_steps: NDArray[np.uint8]
    distances: NDArray[np.int32]
    blank_distances: NDArray[np.int32]

    @classmethod
    def of(cls, size: Size, labels: Labels, homes: NDArray[np.int64]) -> Rows:
        """Convert boards, shape (rows, cells), given the goal cells of their blanks."""
        layout = get_layout(size)
        displacements = layout.displacements(labels)
        is_blank = labels == homes[:, None]
        codes = np.full((len(labels), layout.position_count), BORDER_CODE, dtype=np.uint8)
        codes[:, layout.positions] = np.where(is_blank, BLANK_CODE, layout.codes[displacements])
        steps = layout.steps[displacements].astype(np.int32)
        down = np.minimum(np.abs(layout.down[displacements]), STEPS_CAP)
        right = np.minimum(np.abs(layout.right[displacements]), STEPS_CAP)
        return cls(
            _list_blocks(codes, layout),
            np.where(is_blank, 0, down * (STEPS_CAP + 1) + right).astype(np.uint8),
            np.where(is_blank, 0, steps).sum(axis=1, dtype=np.int32),
            np.where(is_blank, steps, 0).sum(axis=1, dtype=np.int32),
        )

    def __len__(self) -> int:
        return len(self.row_blocks)

    def values(self, tables: Tables) -> Reals:
        """Return each row's potential, in moves."""
        out = np.empty(len(self))
        compute_values(
            self.row_blocks,
            self.row_steps,
            self.distances,
            self.blank_distances,
            tables.arrays,
            out,
        )
        return out

    def gradient(self, errors: Reals) -> Tables:
        """Return, by entry, the sum of the errors of the rows that use it."""
        tables = Tables.zero()
        add_to_entries(
            self.row_blocks,
            self.row_steps,
            self.distances,
            self.blank_distances,
            errors,
            tables.arrays,
        )
        return tables


def _list_blocks(codes: NDArray[np.uint8], layout: Layout) -> NDArray[np.int32]:
    """Return the class of each block of cells, including those at the border."""
    rows = np.arange(layout.size.height + 1)[:, None] * layout.pitch
    upper_left = (rows + np.arange(layout.size.width + 1)).ravel() + int(layout.positions[0])
    upper_left -= layout.pitch + 1
    index = np.zeros((len(codes), upper_left.size), dtype=np.int32)
    for step in (0, 1, layout.pitch, layout.pitch + 1):
        index = index * CODES + codes[:, upper_left + step]
    return block_classes().by_block[index]
