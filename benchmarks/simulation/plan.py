"""What is simulated of a farm, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from benchmarks.transaction_costs import Costs
from tilework.core.puzzle.board import Board
from tilework.core.settings import Settings
from tilework.core.solver.work_unit import Piece, SliceOutcome


class Tree(Protocol):
    """The part of the services' ``Solver`` that a search by thresholds needs."""

    def first_threshold(self, board: Board, goal: Board, /) -> int: ...

    def root(self) -> Piece: ...

    def search(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        cursor: bytes,
        /,
        *,
        nodes: int,
        cancelled: Callable[[], bool],
    ) -> SliceOutcome: ...

    def split(self, board: Board, cursor: bytes, /) -> tuple[Piece, Piece] | None: ...


@dataclass(frozen=True)
class Plan:
    """What is simulated.

    Attributes
    ----------
    nodes_per_s : float
        Of one worker, in simulated time.
    round_trip : float
        Seconds by which each statement is slower than on the measured database.
    paces : sequence of float
        Seconds a node of recorded slices, by their mean.
    """

    tree: Tree
    board: Board
    goal: Board
    workers: int
    nodes_per_s: float
    costs: Costs
    round_trip: float
    paces: Sequence[float]
    settings: Settings


@dataclass
class Report:
    """How it went.

    Attributes
    ----------
    makespan, searched, useful, locked, waited : float
        Simulated seconds until the solution is proved; until nothing was left to search; of search
        that was stored; in which the solve's row was held; that workers waited for it.
    spreads : list of float
        By threshold that keeps everybody busy, seconds until nine in ten are.
    tails : list of float
        By threshold, seconds from when fewer than nine in ten were at work, for the last time,
        until the next began.
    """

    makespan: float = 0.0
    searched: float = 0.0
    slices: int = 0
    nodes: int = 0
    useful: float = 0.0
    locked: float = 0.0
    waited: float = 0.0
    spreads: list[float] = field(default_factory=list)
    tails: list[float] = field(default_factory=list)

    def efficiency(self, workers: int) -> float:
        """Useful search by what the workers could have done."""
        return self.useful / (workers * self.makespan)
