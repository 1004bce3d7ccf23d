"""The result of a run: the same statistics for every algorithm."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.lab.method import Method
from tilework.core.lab.trace import Trace
from tilework.core.messages import Message
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Statistics, StopReason

# Increase it when statistics or traces of any algorithm change; stored runs are then not reused
LAB_VERSION = 4


@dataclass(frozen=True, slots=True)
class RunStatistics(Statistics):
    """The cost of a run and the shape of its search tree."""

    visited: int = 0  # nodes expanded, plus the goal if it was found
    frontier: int = 0  # nodes waiting at the end; the path if only that is stored
    duplicates: int = 0  # generated nodes whose board was already reached
    depth: int = 0  # of the deepest expanded node
    # Effective branching factor: that of a uniform tree with as many nodes as were generated, down
    # to the solution's depth, or to `depth` without a solution
    branching: float = 0.0
    memory_bytes: int = 0  # estimated for the largest number of nodes in memory


@dataclass(frozen=True, slots=True)
class RunResult:
    method: Method
    moves: Moves | None  # the solution, replayed
    statistics: RunStatistics
    # None if the search was not stopped, with or without a solution
    stopped_by: StopReason | None = None
    message: Message | None = None  # why there is no solution
    trace: Trace | None = None  # if one was requested

    @property
    def optimal(self) -> bool:
        """Whether the method guarantees that the solution is shortest."""
        return self.moves is not None and self.method.guarantees_optimum
