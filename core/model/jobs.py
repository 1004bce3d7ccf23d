"""Jobs, how they end, and their views, whose ``version`` shows whether they are current."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Final, NamedTuple

from pydantic import (
    Field,
    GetPydanticSchema,
    PlainSerializer,
    WithJsonSchema,
    computed_field,
)
from pydantic_core.core_schema import any_schema

from tilework.core.errors import DamagedRowError, InputError
from tilework.core.messages import Message
from tilework.core.model.farm.solves import NO_BOUNDS, Bounded, Bounds, SearchConfig, Solve
from tilework.core.model.job_options import JobOptions
from tilework.core.model.solutions import SolutionView
from tilework.core.model.states import JobState, Queue
from tilework.core.model.views import Links, Seconds, Text, View, is_absent, list_tiles
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.solver.strategy import SLIDES_CELLS
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
    ``is_hint``: whether a player's hint needed it, rather than a client submitting it.
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
    is_hint: bool = False
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


_CACHED_BYTES: Final = 128
"""The largest packed board that is cached: jobs are polled many times."""

_unpack_with_cache = lru_cache(maxsize=4_096)(unpack_board)


def _unpack(packed: bytes) -> Board:
    try:
        return (_unpack_with_cache if len(packed) <= _CACHED_BYTES else unpack_board)(packed)
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


def _serialize_board(packed: bytes) -> list[int]:
    return list_tiles(_unpack(packed))


PackedBoard = Annotated[
    bytes,
    PlainSerializer(_serialize_board),
    WithJsonSchema({"type": "array", "items": {"type": "integer"}}),
]


_NOT_VALIDATED: Final = GetPydanticSchema(lambda _type, _handler: any_schema())


class JobView(View):
    """A job with its current bounds. Fields that do not apply to it are omitted."""

    id: str
    state: JobState
    width: int
    height: int
    board_bytes: PackedBoard = Field(
        serialization_alias="board",
        exclude_if=operator.not_,
        description="The tiles row by row, with 0 for the blank. Omitted with brief.",
    )
    goal_bytes: PackedBoard = Field(
        serialization_alias="goal", exclude_if=operator.not_, description="The same of the goal."
    )
    options: JobOptions
    lower_bound: int = Field(
        description="A proven lower bound on the length of any solution, in the metric.",
        examples=[97],
    )
    upper_bound: int | None = Field(
        description="The length of the best solution so far, in the metric.", examples=[103]
    )
    progress: float = Field(
        description="The fraction of the current threshold's tree that has been searched, from 0 "
        "to 1. Equal fractions can take very different times.",
        examples=[0.37],
    )
    nodes: int = Field(
        description="The number of nodes searched so far.", examples=[48_113_209_776]
    )
    search_s: float = Field(
        description="The seconds in which at least one worker has searched, without waiting for "
        "workers and without loading code or databases. The search may have begun for an earlier "
        "job.",
        examples=[406.4],
    )
    created_at: Seconds
    started_at: Seconds | None
    finished_at: Seconds | None
    cached: bool = Field(description="Whether it was answered from stored results.")
    version: str = Field(description="Changes whenever anything about the job changes.")
    message: Text
    batch_id: str | None = Field(exclude_if=is_absent, description="Its batch, if it is in one.")
    moves: str | None = Field(
        default=None,
        exclude_if=is_absent,
        description="The moves of the solution of a job that was answered immediately. Omitted if "
        "they are many, or if a better solution has replaced it: use links.solution instead.",
    )
    slides: int | None = Field(
        default=None,
        exclude_if=is_absent,
        description="The number of slides. Adjacent tiles that move together count as one slide.",
    )
    read_as: Text = Field(
        default=None,
        exclude_if=is_absent,
        description="How the text of the board was read, if it is not in the plain form.",
        examples=["3×3, one digit or letter a tile, blank -"],
    )
    links: Links = Field(default_factory=dict)

    client_id: str = Field(exclude=True)
    solve_id: str | None = Field(exclude=True)
    batch_index: int | None = Field(exclude=True)
    transform: str = Field(exclude=True)
    engine: str | None = Field(exclude=True)
    solution: Annotated[SolutionView | None, _NOT_VALIDATED] = Field(default=None, exclude=True)
    """Only of a job that was answered when it was submitted."""

    @computed_field(description="(upper − lower) / lower")  # type: ignore[prop-decorator]
    @property
    def gap(self) -> float | None:
        """None without a solution or a positive lower bound."""
        lower, upper = self.lower_bound, self.upper_bound
        return None if upper is None or lower == 0 < upper else relative_gap(lower, upper)

    @computed_field(  # type: ignore[prop-decorator]
        description="The code of the message, for programs.", examples=["time-is-up"]
    )
    @property
    def message_code(self) -> str | None:
        return None if self.message is None else self.message.code

    @cached_property
    def board(self) -> Board:
        """The given board; here and below, DamagedRowError is raised if it cannot be read."""
        return _unpack(self.board_bytes)

    @cached_property
    def goal(self) -> Board:
        return _unpack(self.goal_bytes)

    @property
    def finished(self) -> bool:
        return self.finished_at is not None

    @property
    def can_improve(self) -> bool:
        """Whether another job with the same board could find something better."""
        is_exhausted = self.message_code in (METHOD_DONE.code, SLIDES_DONE.code)
        target = self.options.parsed_target
        return not is_exhausted and not target.is_met_by(self.lower_bound, self.upper_bound)


def job_view(
    job: Job,
    solve: Solve | None,
    solve_version: int = 0,
    solution: SolutionView | None = None,
    *,
    brief: bool = False,
) -> JobView:
    """Return the view of a job and its solve, if any. A brief view is without the boards."""
    effort = read_effort(job, solve)
    bounds, known_upper = job.bounds, None if solve is None else solve.upper_bound
    if not job.finished:
        bounds = Bounds(bounds.lower) if solve is None else solve.bounds
    withdrawn = is_withdrawn(job.finished_at, job.upper_bound, known_upper)
    return JobView(
        id=job.id,
        state=job.state,
        width=job.width,
        height=job.height,
        board_bytes=b"" if brief else job.board_bytes,
        goal_bytes=b"" if brief else job.goal_bytes,
        options=job.options,
        lower_bound=bounds.lower,
        upper_bound=bounds.upper,
        progress=read_progress(job, effort),
        nodes=effort.nodes,
        search_s=effort.wall_s or 0.0,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        cached=job.cached,
        version=version_text(job.revision, solve_version, job.finished_at, withdrawn=withdrawn),
        message=WITHDRAWN if withdrawn else job.message,
        batch_id=job.batch_id,
        client_id=job.client_id,
        solve_id=job.solve_id,
        batch_index=job.batch_index,
        transform=job.transform,
        engine=effort.engine,
        solution=solution,
    )


def read_progress(job: Job, effort: Effort) -> float:
    """Return the fraction of the current threshold's tree that has been searched."""
    return 1.0 if job.state is JobState.OPTIMAL else min(max(effort.covered, 0.0), 1.0)


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


def read_effort(job: Job, solve: Solve | None) -> Effort:
    """Return the effort until the end of a job, or until now."""
    if job.finished and job.effort is not None and job.effort.nodes is not None:
        return job.effort
    return Effort(0, 0.0, None, 0.0, None) if solve is None else Effort.of(solve)


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


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a job. ``started_at`` is for a job that ended while it was still queued."""

    job: Job
    state: JobState
    bounds: Bounds
    message: Message | None
    started_at: float | None
    effort: Effort


NO_SOLUTION: Final = Message("no-solution-found", "No method found a solution to this board.")
TIMED_OUT: Final = Message("time-is-up", "The job reached its time limit.")
RECORD_LOST: Final = Message(
    "record-damaged",
    "The stored data of this job was damaged; submit the board again.",
)
"""The message of a job whose row was damaged."""

End = tuple[JobState, Message | None]


QUARANTINE_S: Final = 3_600.0
"""How long work that crashed its workers stays quarantined."""

QUARANTINED: Final = Message(
    "quarantined", "The search crashed its workers repeatedly and is suspended for an hour."
)


def find_reached_state(solve: Solve, target: Target) -> JobState | None:
    """Return the final state of a job if its solution is good enough, and otherwise None."""
    if solve.upper_bound is None:
        return None
    if solve.settled:
        return JobState.OPTIMAL
    return JobState.BOUNDED if target.is_met_by(*solve.bounds) else None


def find_known_end(job: Job, solve: Solve) -> End | None:
    """Return how a job ends if its answer is known or its search is exhausted, otherwise None."""
    state = find_reached_state(solve, job.target)
    if state is not None:
        return state, None
    if job.config not in solve.tried:
        return None
    if solve.upper_bound is None:
        return JobState.FAILED, NO_SOLUTION
    return JobState.BOUNDED, METHOD_DONE if solve.metric is Metric.MOVES else SLIDES_DONE


def decide_end(job: Job, solve: Solve, now: float, blocked: Mapping[str, Message]) -> End | None:
    """Return how an unfinished job ends now, or None if it continues.

    ``blocked``: for each job that cannot be continued, the reason by its id.
    """
    end = find_known_end(job, solve)
    if end is not None:
        return end
    has_solution = solve.upper_bound is not None
    if job.id in blocked:
        return JobState.BOUNDED if has_solution else JobState.FAILED, blocked[job.id]
    if job.deadline <= now:
        return JobState.BOUNDED if has_solution else JobState.EXPIRED, TIMED_OUT
    return None
