"""Jobs, and their views: snapshots whose ``version`` shows whether they are still current."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from tilework.core.errors import DamagedRowError, InputError
from tilework.core.messages import Message
from tilework.core.model.farm.estimate import node_rate, remaining_nodes, remaining_threshold_nodes
from tilework.core.model.farm.improvement import ImprovementView, improvement_view
from tilework.core.model.farm.solves import NO_BOUNDS, Bounded, Bounds, SearchConfig, Solve
from tilework.core.model.job_options import JobOptions
from tilework.core.model.solutions import SolutionView
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.solver.options import SLIDES_CELLS
from tilework.core.solver.pdb.builds import BuildProgress
from tilework.core.solver.target import Target, relative_gap


class Effort(NamedTuple):
    """The effort on a solve at the end of one of its jobs."""

    nodes: int
    wall_s: float
    threshold: int | None
    covered: float
    engine: str | None

    @classmethod
    def of(cls, solve: Solve) -> Effort:
        """Return the effort on a solve by now."""
        return cls(solve.nodes, solve.wall_s, solve.threshold, solve.covered, solve.engine)


@dataclass(frozen=True, kw_only=True)
class Job(Bounded):
    """A job as it is stored.

    ``revision``: increases with each change.
    ``bounds``, ``effort``: the final values, only once the job has ended.
    ``board_bytes``, ``goal_bytes``: packed boards, empty if they were not read.
    """

    id: str
    client_id: str
    options: JobOptions
    width: int
    height: int
    transform: str
    created_at: float
    deadline: float
    queue: Queue
    state: JobState = JobState.QUEUED
    solve_id: str | None = None
    batch_id: str | None = None
    batch_index: int | None = None
    cached: bool = False
    revision: int = 1
    started_at: float | None = None
    finished_at: float | None = None
    bounds: Bounds = NO_BOUNDS
    message: Message | None = None
    effort: Effort | None = None
    callback_url: str | None = None
    board_bytes: bytes = b""
    goal_bytes: bytes = b""

    @cached_property
    def board(self) -> Board:
        """The given board; here and below, DamagedRowError is raised if it cannot be read."""
        return _unpack(self.board_bytes)

    @cached_property
    def goal(self) -> Board:
        """The given goal."""
        return _unpack(self.goal_bytes)

    @property
    def target(self) -> Target:
        """Which solution is good enough."""
        return self.options.parsed_target

    @property
    def config(self) -> SearchConfig:
        """The algorithm and the heuristic."""
        return self.options.config

    @property
    def finished(self) -> bool:
        """Whether the job has ended."""
        return self.finished_at is not None


def _unpack(packed: bytes) -> Board:
    try:
        return unpack_board(packed)
    except InputError:
        raise DamagedRowError from None


METHOD_DONE: Final = Message(
    "algorithm-exhausted", "The requested algorithm cannot improve the result any further."
)
SLIDES_DONE: Final = Message(
    "slides-not-counted-out",
    "A minimum of slides is proved only on boards of up to {cells} cells; for larger ones, the "
    "best solution found is returned.",
    cells=SLIDES_CELLS,
)
WITHDRAWN: Final = Message(
    "solution-withdrawn",
    "The stored solution of this board was damaged and has been removed; submit the board "
    "again to solve it from scratch.",
)


@dataclass(frozen=True, kw_only=True)
class JobView(Job):
    """A job with its current bounds, effort and message.

    `JobOutline` describes the fields. ``queue_position`` is at most 1,000, and ``solution`` is set
    only if the job was answered when it was submitted.
    """

    version: str
    progress: float
    nodes: int
    nodes_per_s: float
    search_s: float
    threshold: int | None
    engine: str | None
    seconds_left: float | None = None
    seconds_left_factor: float | None = None
    threshold_seconds_left: float | None = None
    threshold_seconds_left_factor: float | None = None
    improvement: ImprovementView | None = None
    queue_position: int | None = None
    building: BuildProgress | None = None
    preparing_s: float | None = None
    solution: SolutionView | None = None

    @property
    def ratio(self) -> float | None:
        """Upper / lower; None without a solution or a positive lower bound."""
        lower, upper = self.bounds
        return None if upper is None or lower == 0 else upper / lower

    @property
    def gap(self) -> float | None:
        """(upper − lower) / lower; None without a solution or a positive lower bound."""
        lower, upper = self.bounds
        if upper is None or (lower == 0 and upper > 0):
            return None
        return relative_gap(lower, upper)

    @property
    def can_improve(self) -> bool:
        """Whether another job with the same board could find something better."""
        codes = (METHOD_DONE.code, SLIDES_DONE.code)
        is_exhausted = self.message is not None and self.message.code in codes
        return not is_exhausted and not self.target.is_met_by(*self.bounds)


def job_view(
    job: Job,
    solve: Solve | None,
    now: float,
    solve_version: int = 0,
    *,
    brief: bool = False,
    **more: Any,
) -> JobView:
    """Return the view of a job and its solve, if any. A brief view is without the boards.

    ``more`` are additional attributes of the view.
    """
    effort = _read_effort(job, solve)
    per_s, bounds = 0.0, job.bounds
    upper_bound = None if solve is None else solve.bounds.upper
    if job.finished_at is not None:
        per_s = effort.nodes / effort.wall_s if effort.wall_s else 0.0
    elif solve is None:
        bounds = Bounds(bounds.lower)
    else:
        bounds = solve.bounds
        if solve.recent_s:
            per_s = node_rate(solve.recent_nodes, solve.recent_s, solve.rate_at, now)
        if per_s:
            more |= _time_left(solve, per_s)
    withdrawn = is_withdrawn(job.finished_at, job.bounds.upper, upper_bound)
    fields: dict[str, Any] = {
        "version": version_text(job.revision, solve_version, job.finished_at, withdrawn=withdrawn),
        "bounds": bounds,
        "message": WITHDRAWN if withdrawn else job.message,
        "progress": 1.0 if job.state is JobState.OPTIMAL else min(max(effort.covered, 0.0), 1.0),
        "nodes": effort.nodes,
        "nodes_per_s": per_s,
        "search_s": effort.wall_s or 0.0,
        "threshold": effort.threshold,
        "engine": effort.engine,
    }
    if solve is not None and solve.improvement.opened:
        is_reversed = Transform.from_text(job.transform).reverse
        improvement = improvement_view(solve.improvement, upper_bound if is_reversed else None)
        # Once the job has ended, trials are made for other jobs with the same board.
        fields["improvement"] = replace(improvement, trying=()) if job.finished else improvement
    if brief:
        fields |= {"board_bytes": b"", "goal_bytes": b""}
    return JobView(**vars(job) | fields | more)


def is_withdrawn(finished_at: float | None, end_upper: int | None, known_upper: int | None) -> bool:
    """Whether a job ended with a solution that has since been withdrawn."""
    return finished_at is not None and end_upper is not None and known_upper is None


def version_text(
    revision: int, solve_version: int, finished_at: float | None, *, withdrawn: bool
) -> str:
    """Return the version of a view.

    A job that has ended does not change, except when its solution is withdrawn.
    """
    if finished_at is None:
        return f"{revision}.{solve_version}"
    return f"{revision}w" if withdrawn else f"{revision}"


def _read_effort(job: Job, solve: Solve | None) -> Effort:
    """Return the effort until the end of a job, or until now."""
    current = Effort(0, 0.0, None, 0.0, None) if solve is None else Effort.of(solve)
    if job.finished_at is None or job.effort is None:
        return current
    # Without a search by thresholds, a job has no threshold and no engine.
    if None not in (job.effort.nodes, job.effort.wall_s, job.effort.covered):
        return job.effort
    # Old rows lack these values, so the current ones are used.
    values: list[Any] = [
        now if own is None else own for own, now in zip(job.effort, current, strict=True)
    ]
    return Effort(*values)


def _time_left(solve: Solve, per_s: float) -> dict[str, float]:
    total = remaining_nodes(solve.iterations, solve.covered, solve.bounds.upper)
    of_threshold = remaining_threshold_nodes(solve.iterations, solve.covered)
    estimates: dict[str, float] = {}
    for name, remaining in (("seconds_left", total), ("threshold_seconds_left", of_threshold)):
        if remaining is not None:
            estimates |= {name: remaining.nodes / per_s, f"{name}_factor": remaining.factor}
    return estimates


@dataclass(frozen=True, slots=True)
class StoredSolution:
    """A job's stored solution, whose ``moves`` solve the canonical board.

    ``solution``: a name that identifies the solution.
    ``lower_bound``: the current one of the board.
    ``algorithm``: the algorithm that found the moves.
    ``nodes``, ``seconds``: the total effort on the board.
    ``withdrawn``: whether the job ended with a solution that has since been withdrawn.
    """

    job: Job
    moves: MoveSequence | None
    solution: str | None
    lower_bound: int
    algorithm: str | None
    nodes: int
    seconds: float
    withdrawn: bool = False
