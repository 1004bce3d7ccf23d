"""What a potential is judged by: two losses, as functions of its tables."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.training.fit_kernel import centre
from tools.training.parameters import Reals, Tables
from tools.training.rows import Rows


class Loss(Protocol):
    def at(self, tables: Tables) -> tuple[float, Tables]:
        """Return its value, and how it changes with each entry."""

    def curvature(self) -> Tables:
        """Return about how strongly it is curved along each entry."""


class StretchLoss:
    """Squared errors of differences of moves left within stretches of solutions.

    Far from the goal all labels are too great alike; within a stretch that cancels out. A stretch
    counts by one over the root of its moves left.
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
    """Logistic loss of a solution's board against others that a beam had at the same level.

    A beam follows a solution as long as the solution's board ranks among the best of its level:
    this loss asks for just that. (Logistic loss of pairs: Burges et al., "Learning to rank using
    gradient descent", 2005; for beams: Xu, Fern, "On learning linear ranking functions for beam
    search", 2007.)
    """

    def __init__(self, rows: Rows, group: int) -> None:
        self._rows, self._group = rows, group

    def at(self, tables: Tables) -> tuple[float, Tables]:
        values = self._rows.values(tables).reshape(-1, self._group)
        behind = values[:, :1] - values[:, 1:]
        pull = 1 / (1 + np.exp(-behind))
        errors = np.concatenate([pull.sum(axis=1, keepdims=True), -pull], axis=1)
        return float(np.logaddexp(0, behind).sum()), self._rows.gradient(errors.ravel())

    def curvature(self) -> Tables:
        return self._rows.gradient(np.full(len(self._rows), 0.25))
