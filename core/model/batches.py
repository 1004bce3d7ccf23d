"""Views of batches and their results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from pydantic import Field, computed_field

from tilework.core.errors import NotFoundError
from tilework.core.model.ids import MAX_QUOTED
from tilework.core.model.jobs import JobView
from tilework.core.model.states import JobState
from tilework.core.model.views import Links, Seconds, View
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.solver.strategy import IDA_STAR_CELLS, SLIDES_CELLS
from tilework.core.solver.target import Algorithm, Heuristic

# By the tables in the name of an engine
_HEURISTICS: Final = {"lines": Heuristic.LINEAR_CONFLICT, "manhattan": Heuristic.MANHATTAN}

_PROVABLE_CELLS: Final = {Metric.MOVES: IDA_STAR_CELLS, Metric.SLIDES: SLIDES_CELLS}


class BatchView(View):
    """A batch, with the number of its jobs in each state."""

    id: str
    total: int
    states: Mapping[JobState, int]
    created_at: Seconds
    links: Links = Field(default_factory=dict)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def unfinished(self) -> int:
        """The number of jobs that have not ended."""
        return sum(count for state, count in self.states.items() if not state.terminal)

    @property
    def ended(self) -> int:
        """The number of jobs that have ended."""
        return sum(count for state, count in self.states.items() if state.terminal)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def finished(self) -> bool:
        """Whether every job that has been stored has ended."""
        return self.unfinished == 0

    @property
    def is_stored(self) -> bool:
        """Whether every job has been stored; large batches are stored in several transactions."""
        return sum(self.states.values()) >= self.total

    @computed_field  # type: ignore[prop-decorator]
    @property
    def version(self) -> str:
        """Changes whenever a job of the batch enters another state."""
        return version_text(self.states)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def progress(self) -> float:
        """The share of the boards whose jobs have ended.

        It stays below 1 if storing the batch was interrupted, or if jobs have been deleted.
        """
        return self.ended / self.total if self.total else 1.0


def version_text(states: Mapping[JobState, int]) -> str:
    """Return the version of a batch: the number of its jobs in each state."""
    return ".".join(str(states.get(state, 0)) for state in JobState)


class BatchFigures(NamedTuple):
    """The figures of a job of a batch, by which its table is filtered, sorted and summarized.

    ``nodes`` and ``seconds`` of search are None until the job has ended.
    """

    batch_index: int
    state: JobState
    metric: Metric
    width: int
    height: int
    lower_bound: int
    upper_bound: int | None
    nodes: int | None
    seconds: float | None
    finished_at: float | None

    @property
    def is_solved(self) -> bool:
        """Whether the job has ended with a solution."""
        return self.state.terminal and self.upper_bound is not None

    @property
    def needs_proof(self) -> bool:
        """Whether the job has ended with a solution that another search could prove optimal."""
        is_provable = self.width * self.height <= _PROVABLE_CELLS[self.metric]
        return is_provable and self.is_solved and self.upper_bound != self.lower_bound


class BatchResult(NamedTuple):
    """A job of a batch, its solution, if any, and the algorithm that found it."""

    job: JobView
    moves: MoveSequence | None
    algorithm: str | None

    @property
    def heuristic(self) -> str | None:
        """The heuristic of the algorithm; None if it has none, and in old rows."""
        if self.algorithm not in (Algorithm.A_STAR, Algorithm.IDA_STAR) or not self.job.engine:
            return None
        tables = self.job.engine.split()[1]
        return _HEURISTICS.get(tables, Heuristic.PATTERN_DATABASE)

    @property
    def wait_seconds(self) -> float | None:
        """How long the job waited for a worker; None if it still does."""
        started_at = self.job.started_at or self.job.finished_at
        return None if started_at is None else started_at - self.job.created_at

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven optimal."""
        metric = self.job.options.metric
        return self.moves is not None and metric.length(self.moves) == self.job.lower_bound


def batch_not_found(batch_id: str) -> NotFoundError:
    return NotFoundError("no-batch", "there is no batch {id!r}", id=batch_id[:MAX_QUOTED])
