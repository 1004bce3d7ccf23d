"""The result of a run of the lab: the same statistics for every algorithm."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.lab.method import Method
from tilework.core.lab.trace import Trace
from tilework.core.messages import Message
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason
from tilework.core.search.statistics import Statistics

LAB_VERSION = 3
"""Increased when figures or traces of any algorithm change: stored runs are not reused then."""


@dataclass(frozen=True, slots=True)
class RunStatistics(Statistics):
    """The effort of a run, and the shape of what was searched.

    Seconds do not include making the heuristic's tables.

    Attributes
    ----------
    visited : int
        Nodes taken up: those expanded, and the goal where it was found.
    frontier : int
        Nodes waiting at the end. For a search that keeps only its path: the path.
    duplicates : int
        Of the generated nodes, those whose board was known already.
    depth : int
        Moves from the start to the deepest node expanded.
    branching : float
        Effective branching factor: a tree in which each node has so many children holds, down to
        the solution, as many nodes as were generated. Without a solution, down to ``depth``.
    memory_bytes : int
        Of the most nodes kept at once; estimated, not measured.
    """

    visited: int = 0
    frontier: int = 0
    duplicates: int = 0
    depth: int = 0
    branching: float = 0.0
    memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended.

    Attributes
    ----------
    moves : Moves or None
        The solution, replayed.
    stopped_by : StopReason or None
        None where the search came to its own end, be it with a solution or without any.
    message : Message or None
        Why there is no solution, as a sentence.
    trace : Trace or None
        If one was requested.
    """

    method: Method
    moves: Moves | None
    statistics: RunStatistics
    stopped_by: StopReason | None = None
    message: Message | None = None
    trace: Trace | None = None

    @property
    def optimal(self) -> bool:
        """Whether the solution is a shortest one by the algorithm's own promise."""
        return self.moves is not None and self.method.promises_optimum
