"""Boards as rows of entries, and the losses of a potential as functions of its entries."""

from __future__ import annotations

from typing import Protocol

import numba
import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.potential import BLANK_CODE, BORDER_CODE, CODES, NEAR
from tilework.core.solver.large.learned.potential import Labels, Layout, block_classes, get_layout
from tools.training.parameters import BLOCKS, NEAR_GOAL, NO_ENTRY, STEPS, STEPS_CAP, Reals

_compiled = numba.njit(nogil=True)


@_compiled
def _sum_entries(indices, distances, entries, out):
    """Store the potential of each row in `out`."""
    for row in range(indices.shape[0]):
        total = entries[0] * distances[row]
        for index in range(indices.shape[1]):
            total += entries[indices[row, index]]
        out[row] = total


@_compiled
def _add_errors(indices, distances, errors, sums):
    """Add each row's error to the entries that its potential uses."""
    for row in range(indices.shape[0]):
        sums[0] += errors[row] * distances[row]
        for index in range(indices.shape[1]):
            sums[indices[row, index]] += errors[row]


@_compiled
def _centre(values, groups):
    """Subtract the mean of its group from each value; group i is groups[i]:groups[i + 1]."""
    for group in range(groups.size - 1):
        mean = values[groups[group] : groups[group + 1]].mean()
        for row in range(groups[group], groups[group + 1]):
            values[row] -= mean


class Rows:
    """Boards of one size, shape (rows, cells), whose goal has the blank last.

    The potential of a row is its distance times the first entry, and the sum of other entries.
    """

    def __init__(self, size: Size, labels: Labels) -> None:
        layout = get_layout(size)
        displacements = layout.displacements(labels)
        is_blank = labels == size.cells - 1
        codes = np.full((len(labels), layout.position_count), BORDER_CODE, dtype=np.uint8)
        codes[:, layout.positions] = np.where(is_blank, BLANK_CODE, layout.codes[displacements])
        steps = layout.steps[displacements].astype(np.int32)
        down = np.minimum(np.abs(layout.down[displacements]), STEPS_CAP)
        right = np.minimum(np.abs(layout.right[displacements]), STEPS_CAP)
        step_entries = STEPS.start + down * (STEPS_CAP + 1) + right
        blank_distances = np.where(is_blank, steps, 0).sum(axis=1)
        self._distances = np.where(is_blank, 0, steps).sum(axis=1, dtype=np.int32)
        near = self._distances * NEAR + np.minimum(blank_distances, NEAR - 1)
        near_entries = np.where(self._distances < NEAR, NEAR_GOAL.start + near, NO_ENTRY)
        self._indices = np.hstack(
            [
                np.where(is_blank, NO_ENTRY, step_entries).astype(np.int32),
                BLOCKS.start + _list_blocks(codes, layout),
                near_entries[:, None].astype(np.int32),
            ]
        )

    def values(self, entries: Reals) -> Reals:
        """Return each row's potential, in moves."""
        out = np.empty(len(self._distances))
        _sum_entries(self._indices, self._distances, entries, out)
        return out

    def gradient(self, errors: Reals) -> Reals:
        """Return, by entry, the sum of the errors of the rows that use it."""
        sums = np.zeros(NEAR_GOAL.stop)
        _add_errors(self._indices, self._distances, errors, sums)
        return sums


def _list_blocks(codes: NDArray[np.uint8], layout: Layout) -> NDArray[np.int32]:
    """Return the class of each block of cells, including those at the border."""
    rows = np.arange(layout.size.height + 1)[:, None] * layout.pitch
    upper_left = (rows + np.arange(layout.size.width + 1)).ravel() + int(layout.positions[0])
    upper_left -= layout.pitch + 1
    index = np.zeros((len(codes), upper_left.size), dtype=np.int32)
    for step in (0, 1, layout.pitch, layout.pitch + 1):
        index = index * CODES + codes[:, upper_left + step]
    return block_classes().by_block[index]


class Loss(Protocol):
    def at(self, entries: Reals) -> tuple[float, Reals]:
        """Return the value and the gradient."""

    def curvature(self) -> Reals:
        """Return the approximate diagonal of the Hessian."""


class StretchLoss:
    """Squared errors of the differences between the moves left within stretches of solutions.

    Far from the goal, all labels are too large by about the same amount, which cancels out within a
    stretch. The weight of a stretch is one over the square root of its moves left.
    """

    def __init__(self, rows: Rows, moves_left: Reals, groups: NDArray[np.int64]) -> None:
        self._rows, self._moves_left, self._groups = rows, moves_left, groups
        counts = np.diff(groups)
        means = np.add.reduceat(moves_left, groups[:-1]) / counts
        self._weights = np.repeat(1 / np.sqrt(np.maximum(means, 4.0)), counts)

    def at(self, entries: Reals) -> tuple[float, Reals]:
        errors = self._rows.values(entries) - self._moves_left
        _centre(errors, self._groups)
        weighted = errors * self._weights
        return float(errors @ weighted) / 2, self._rows.gradient(weighted)

    def curvature(self) -> Reals:
        return self._rows.gradient(self._weights)


class RankingLoss:
    """Logistic loss of a solution's board against others of the same beam level.

    A beam follows a solution while the solution's board ranks among the best of its level.
    (Logistic loss for pairs: Burges et al., "Learning to rank using gradient descent", 2005; for
    beams: Xu, Fern, "On learning linear ranking functions for beam search", 2007.)
    """

    def __init__(self, rows: Rows, count: int, group: int) -> None:
        self._rows, self._count, self._group = rows, count, group

    def at(self, entries: Reals) -> tuple[float, Reals]:
        values = self._rows.values(entries).reshape(-1, self._group)
        deficits = values[:, :1] - values[:, 1:]
        weights = 1 / (1 + np.exp(-deficits))
        errors = np.concatenate([weights.sum(axis=1, keepdims=True), -weights], axis=1)
        return float(np.logaddexp(0, deficits).sum()), self._rows.gradient(errors.ravel())

    def curvature(self) -> Reals:
        return self._rows.gradient(np.full(self._count, 0.25))
