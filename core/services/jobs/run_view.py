"""What a job tells of the textbook search that it asked for."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.formats.eightpuzzle import Effort
from tilework.core.lab.method import Method
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.lab.result import RunStatistics
from tilework.core.lab.verdict import is_optimal
from tilework.core.search.limits import StopReason


@dataclass(frozen=True, slots=True)
class MethodRunView:
    """The run of a textbook search that answers a job.

    Attributes
    ----------
    length : int or None
        Moves of the solution that it found.
    statistics : RunStatistics or None
        None until it is done.
    """

    id: str
    method: Method
    length: int | None
    stopped_by: StopReason | None
    statistics: RunStatistics | None

    @property
    def optimal(self) -> bool | None:
        """Whether the solution is a shortest one by the method's promise; None if unknown."""
        return is_optimal(self.method, self.length, None)

    @property
    def effort(self) -> Effort | None:
        """What published programs tell of a search beside its solution; None until it is done."""
        if self.statistics is None:
            return None
        named = self.method.heuristic
        return Effort(
            self.statistics.visited,
            self.statistics.max_frontier,
            None if named is None else PUBLISHED_NAMES.get(named, named),
        )
