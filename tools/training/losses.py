"""The two losses of a potential, as functions of its tables."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.training.fit_kernel import centre
from tools.training.parameters import Reals, Tables
from tools.training.rows import Rows


class Loss(Protocol):
    def at(self, tables: Tables) -> tuple[float, Tables]:
        """Return the value and the gradient."""

    def curvature(self) -> Tables:
        """Return the approximate diagonal of the Hessian."""


class StretchLoss:
    """Squared errors of the differences between the moves left within stretches of solutions.

    Far from the goal, all labels are too large by about the same amount, which cancels out within a
    stretch.
    The weight of a stretch is one over the square root of its moves left.
    """

    def __init__(self, rows: Rows, moves_left: Reals, groups: NDArray[np.int64]) -> None:
        self._rows, self._moves_left, self._groups = rows, moves_left, groups
        counts = np.diff(groups)
        means = np.add.reduceat(moves_left, groups[:-1]) / counts
        self._weights = np.repeat(1 / np.sqrt(np.maximum(means, 4.0)), counts)

    def at(self, tables: Tables) -> tuple[float, Tables]:
        errors = self._rows.values(tables) - self._moves_left
        centre(errors, self._groups)
        weighted = errors * self._weights
        return float(errors @ weighted) / 2, self._rows.gradient(weighted)

    def curvature(self) -> Tables:
        return self._rows.gradient(self._weights)


class RankingLoss:
    """Logistic loss of a solution's board against others of the same beam level.

    A beam follows a solution while the solution's board ranks among the best of its level.
    (Logistic loss for pairs: Burges et al., "Learning to rank using gradient descent", 2005; for
    beams: Xu, Fern, "On learning linear ranking functions for beam search", 2007.)
    """

    def __init__(self, rows: Rows, group: int) -> None:
        self._rows, self._group = rows, group

    def at(self, tables: Tables) -> tuple[float, Tables]:
        values = self._rows.values(tables).reshape(-1, self._group)
        deficits = values[:, :1] - values[:, 1:]
        weights = 1 / (1 + np.exp(-deficits))
        errors = np.concatenate([weights.sum(axis=1, keepdims=True), -weights], axis=1)
        return float(np.logaddexp(0, deficits).sum()), self._rows.gradient(errors.ravel())

    def curvature(self) -> Tables:
        return self._rows.gradient(np.full(len(self._rows), 0.25))
