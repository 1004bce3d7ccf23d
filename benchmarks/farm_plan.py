"""What is simulated of a farm, and what comes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.transaction_costs import Costs
from tilework.core.puzzle.board import Board
from tilework.core.settings import Settings


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

    board: Board
    goal: Board
    pdb_folder: Path
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
    makespan, useful, locked : float
        Simulated seconds until the solution is stored; of search that was stored; in which the
        solve's row was held.
    spreads : list of float
        By threshold that keeps everybody busy, seconds until nine in ten are.
    """

    makespan: float = 0.0
    slices: int = 0
    nodes: int = 0
    useful: float = 0.0
    locked: float = 0.0
    spreads: list[float] = field(default_factory=list)

    def efficiency(self, workers: int) -> float:
        """Useful search by what the workers could have done."""
        return self.useful / (workers * self.makespan)
