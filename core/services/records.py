"""Rows as the services see them, between the storage and the rules."""

from __future__ import annotations

from dataclasses import dataclass

from core.puzzle.moves import Moves
from core.search.target import Target
from core.services.states import JobState, Queue, SliceKind, SliceState, SolveState


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A canonical puzzle: what is the same for everybody who asks for it."""

    key: str
    width: int
    height: int
    goal_blank: int
    board_bytes: bytes
    goal_bytes: bytes

    @property
    def cells(self) -> int:
        """Width times height."""
        return self.width * self.height


@dataclass(frozen=True, slots=True)
class Solve:
    """The shared work on one canonical puzzle, without its boards and moves."""

    id: str
    key: str
    cells: int
    lower_bound: int
    upper_bound: int | None
    state: SolveState
    threshold: int | None
    least_over: int | None
    covered: float
    epoch: int
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job about to be stored."""

    id: str
    solve_id: str | None
    client_id: str
    board_bytes: bytes
    goal_bytes: bytes
    width: int
    height: int
    transform: str
    target: Target
    algorithm: str
    heuristic: str
    time_limit_s: float
    deadline: float
    queue: Queue
    state: JobState
    cached: bool
    created_at: float
    finished_at: float | None = None
    batch_id: str | None = None
    batch_index: int | None = None
    lower_bound: int = 0
    upper_bound: int | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ActiveJob:
    """An unfinished job, as far as its end is decided from it."""

    id: str
    client_id: str
    target: Target
    algorithm: str
    heuristic: str
    deadline: float
    batched: bool
    version: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ends.

    Attributes
    ----------
    begun_at : float or None
        When work on it began, for a job that ended before it was seen running.
    """

    job: ActiveJob
    state: JobState
    lower_bound: int
    upper_bound: int | None
    message: str | None
    begun_at: float | None


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece of work as it is claimed.

    Attributes
    ----------
    turn : float
        Epoch seconds by which the pieces of a queue are ordered.
    share : float
        Part of the threshold's tree under the cursor, 0..1.
    attempts, expiries : int
        Claims so far, this one included; leases that ran out.
    """

    id: str
    solve_id: str
    epoch: int
    kind: SliceKind
    queue: Queue
    state: SliceState
    threshold: int
    cursor: bytes
    algorithm: str
    heuristic: str
    target: Target
    share: float
    turn: float
    attempts: int = 0
    expiries: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A slice under lease, with the puzzle it belongs to."""

    slice: Slice
    puzzle: Puzzle
    lower_bound: int
    upper_bound: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a job's solution is made of; ``moves`` solve the canonical board."""

    board_bytes: bytes
    goal_bytes: bytes
    transform: str
    moves: Moves | None
    lower_bound: int


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """What an idempotency key was used for before."""

    fingerprint: str
    job_id: str | None
    batch_id: str | None


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A job as a line of its batch; ``moves`` (packed) solve the canonical board."""

    index: int
    job_id: str
    state: JobState
    width: int
    height: int
    lower_bound: int
    upper_bound: int | None
    message: str | None
    board_bytes: bytes
    goal_bytes: bytes
    transform: str
    moves_bytes: bytes | None
    proved: int | None


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Slices that wait, slices under a lease that lasts, and the turn of the first."""

    ready: int
    leased: int
    oldest: float | None
