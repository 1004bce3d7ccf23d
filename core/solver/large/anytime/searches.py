"""The kinds of searches that a portfolio is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver.costs import BeamCosts
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.names import Algorithm
from tilework.core.solver.trial import Effort


class FirstSearch(Protocol):
    """A search that finds some solution of any board."""

    def __call__(self, board: Board, goal: Board, *, limits: Limits) -> Outcome:
        """Look for a solution."""


class BeamSearch(Protocol):
    """A search of a whole board, by levels of so many boards."""

    def __call__(
        self, board: Board, goal: Board, width: int, *, limits: Limits, upper_bound: int | None
    ) -> Outcome:
        """Look for a solution that is shorter than the bound."""


class WindowSearch(Protocol):
    """A search for a shorter way from one board of a path to another."""

    def __call__(
        self, start: Board, end: Board, moves: Moves, width: int, *, limits: Limits
    ) -> Outcome:
        """Look for fewer moves than these from start to end."""


@dataclass(frozen=True, slots=True)
class First:
    """What finds the first solution that is worth to be improved."""

    search: FirstSearch
    algorithm: Algorithm


@dataclass(frozen=True, slots=True)
class Beams:
    """Beams of any width."""

    search: BeamSearch
    algorithm: Algorithm
    costs: BeamCosts


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows of a path, and the efforts at them, the least first."""

    search: WindowSearch
    algorithm: Algorithm
    efforts: tuple[Effort, ...]


@dataclass(frozen=True, slots=True)
class Searches:
    """What is tried on a board; None where there is nothing of the kind."""

    first: First | None = None
    beams: Beams | None = None
    windows: Windows | None = None
