"""What is simulated of a farm, its workers and checks, and what comes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tilework.core.services.farm.verification import MOST_SLICES
from tilework.core.settings import Settings
from tilework.core.solver.optimal.proof.recheck import draw_slices
from tools.benchmarks.farm_simulation.tree import DrawnTree

SEED = 512

# A check reads the row of each slice and compares cursors, where there are not too many.
READ_SLICE_S = 0.02e-3
ALGEBRA_SLICE_S = 0.15e-3


@dataclass(frozen=True)
class Costs:
    """What a worker pays around a slice: seconds, statements, ``locked`` being part of a finish.

    ``ticket`` is from one ticket to the next, where each sends its own successor; with
    ``one_writer`` all writing transactions exclude each other.
    """

    claim: float
    finish: float
    locked: float
    claim_statements: float
    finish_statements: float
    locked_statements: float
    ticket: float
    one_writer: bool


@dataclass(frozen=True)
class Plan:
    """What is simulated; seconds of a statement's way to the database come to its measured cost."""

    tree: DrawnTree
    workers: int
    nodes_per_s: float
    costs: Costs
    round_trip: float
    paces: Sequence[float]
    settings: Settings


@dataclass
class Report:
    """How it went, in simulated seconds.

    ``useful`` is of search that was stored, ``locked`` with the solve's row held, ``waited`` for
    it. Of thresholds that keep everybody busy: until nine in ten are (``spreads``), and from when
    fewer were, for the last time, until the next began (``tails``).
    """

    makespan: float = 0.0
    searched: float = 0.0
    slices: int = 0
    useful: float = 0.0
    locked: float = 0.0
    waited: float = 0.0
    spreads: list[float] = field(default_factory=list)
    tails: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Check:
    seconds: float


def check_seconds(slices: Sequence[tuple[int, float]]) -> float:
    """Return how long a check of slices takes, by their nodes and seconds."""
    again = sum(
        slices[place][1] for place in draw_slices([nodes for nodes, _ in slices], str(SEED))
    )
    if len(slices) > MOST_SLICES:
        return READ_SLICE_S * len(slices)
    return (READ_SLICE_S + ALGEBRA_SLICE_S) * len(slices) + again
