"""The result of a run of the lab: the same statistics for every algorithm."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.lab.method import Method
from tilework.core.lab.trace import Trace
from tilework.core.messages import Message
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Statistics, StopReason

# Increased when figures or traces of any algorithm change: stored runs are not reused then
LAB_VERSION = 3


@dataclass(frozen=True, slots=True)
class RunStatistics(Statistics):
    """The effort of a run, and the shape of what was searched."""

    visited: int = 0  # nodes taken up: those expanded, and the goal where it was found
    frontier: int = 0  # nodes waiting at the end. For a search that keeps only its path: the path.
    duplicates: int = 0  # of the generated nodes, those whose board was known already
    depth: int = 0  # moves from the start to the deepest node expanded
    # Effective branching factor: a tree in which each node has so many children holds, down to the
    # solution, as many nodes as were generated. Without a solution, down to ``depth``.
    branching: float = 0.0
    memory_bytes: int = 0  # of the most nodes kept at once; estimated, not measured


@dataclass(frozen=True, slots=True)
class RunResult:
    method: Method
    moves: Moves | None  # the solution, replayed
    statistics: RunStatistics
    # None where the search came to its own end, be it with a solution or without any
    stopped_by: StopReason | None = None
    message: Message | None = None  # why there is no solution, as a sentence
    trace: Trace | None = None  # if one was requested

    @property
    def optimal(self) -> bool:
        """Whether the solution is a shortest one by the algorithm's own promise."""
        return self.moves is not None and self.method.promises_optimum
