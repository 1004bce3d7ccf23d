"""What the services return: plain, frozen values, ready to be shown.

Times are epoch seconds. A view is a snapshot; its ``version`` tells whether it is still current.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tilework.core.formats.solution_boards import Effort
from tilework.core.lab.method import Method, is_optimal
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.lab.result import RunStatistics
from tilework.core.messages import Message
from tilework.core.model.improvement import ImprovementView
from tilework.core.model.jobs import METHOD_DONE, SLIDES_DONE
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.search.limits import StopReason
from tilework.core.solver.pdb.progress import Building
from tilework.core.solver.target import Target, TargetKind, gap_of


@dataclass(frozen=True)
class JobView:
    """One request and where it stands.

    Attributes
    ----------
    version : str
        Changes with everything else here; the ETag.
    metric : Metric
        What the bounds count.
    gap_asked : float
        Largest accepted gap, for the target ``gap``.
    progress : float
        Share of the present threshold's tree that is searched, 0..1; 1 once the job has ended
        optimal.
    nodes_per_s : float
        Over all workers: of the last seconds while the job runs, over the whole search after.
    threshold : int or None
        Length up to which solutions are being looked for; None before a search in slices.
    seconds_left, seconds_left_factor : float or None
        An estimate of the time to the proof of the optimum at the present rate, expected to be
        right within that factor either way; None where nothing useful can be said.
    threshold_seconds_left, threshold_seconds_left_factor : float or None
        The same of the present threshold alone, should no solution be met in it.
    engine : str or None
        What the last finished slice searched with, as in ``5x5 6-6-6-6``.
    improvement : ImprovementView or None
        Of a large board, how the search for shorter solutions goes.
    building : Building or None
        A better pattern database for this size that is being built.
    preparing_s : float or None
        How long it takes about until a worker has compiled what larger boards need.
    run : MethodRunView or None
        Of a job that asks for a textbook search.
    queue_position : int or None
        Slices ahead of this job's in its queue, at most 1,000; None unless queued.
    board_bytes, goal_bytes : bytes
        Packed; ``board`` and ``goal`` unpack them when asked. Empty in a brief view.
    """

    id: str
    state: JobState
    width: int
    height: int
    target: str
    gap_asked: float
    algorithm: str
    heuristic: str
    time_limit_s: float | None
    created_at: float
    started_at: float | None
    finished_at: float | None
    lower_bound: int
    upper_bound: int | None
    progress: float
    nodes: int
    nodes_per_s: float
    queue: Queue
    queue_position: int | None
    cached: bool
    version: str
    client_id: str
    batch_id: str | None
    message: Message | None
    board_bytes: bytes
    goal_bytes: bytes
    threshold: int | None
    seconds_left: float | None
    seconds_left_factor: float | None
    threshold_seconds_left: float | None
    threshold_seconds_left_factor: float | None
    engine: str | None
    improvement: ImprovementView | None = None
    building: Building | None = None
    preparing_s: float | None = None
    run: MethodRunView | None = None
    metric: Metric = Metric.MOVES

    @cached_property
    def board(self) -> Board:
        """The board as it was given."""
        return unpack_board(self.board_bytes)

    @cached_property
    def goal(self) -> Board:
        """The goal as it was given."""
        return unpack_board(self.goal_bytes)

    @property
    def ratio(self) -> float | None:
        """Upper / lower; None while there is no solution or no lower bound over 0."""
        if self.upper_bound is None or self.lower_bound == 0:
            return None
        return self.upper_bound / self.lower_bound

    @property
    def gap(self) -> float | None:
        """(upper − lower) / lower; None while there is no solution or no lower bound over 0."""
        if self.upper_bound is None or (self.lower_bound == 0 and self.upper_bound > 0):
            return None
        return gap_of(self.lower_bound, self.upper_bound)

    @property
    def leaves_more(self) -> bool:
        """Whether another job of the same board may come to something better."""
        # The same run of the lab would be the answer again.
        done = (METHOD_DONE.code, SLIDES_DONE.code)
        over = self.run or (self.message is not None and self.message.code in done)
        target = Target(TargetKind(self.target), self.gap_asked)
        return not over and not target.met_by(self.lower_bound, self.upper_bound)

    @property
    def finished(self) -> bool:
        """Whether the state is a last one."""
        return self.state.terminal


@dataclass(frozen=True)
class BoundEventView:
    """A moment at which a bound got better, and the nodes spent on the puzzle by then.

    Attributes
    ----------
    number : int
        Its place among all such moments, from 1, those that are left out included; the storage
        gives it.
    """

    time: float
    lower_bound: int
    upper_bound: int | None
    nodes: int
    number: int = 0


@dataclass(frozen=True)
class SolutionView:
    """A solution of a board as given, replayed; the lower bound counts in the metric."""

    start: Board
    goal: Board
    moves: MoveSequence
    lower_bound: int
    metric: Metric = Metric.MOVES

    @property
    def optimal(self) -> bool:
        """Whether no solution is shorter; proved."""
        return self.metric.length(self.moves) == self.lower_bound


@dataclass(frozen=True)
class ApiKeyView:
    """An API key without its secret, which is shown once and stored only as a hash."""

    id: str
    client_id: str
    name: str
    created_at: float
    revoked_at: float | None


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


@dataclass(frozen=True, slots=True)
class Answer:
    """What a job's solution is made of; ``moves`` solve the canonical board, as long as promised.

    Attributes
    ----------
    solution : str or None
        The name of the solution; another one has another name.
    metric : Metric
        What the lower bound counts.
    withdrawn : bool
        Whether the job has ended with a solution that was found damaged since.
    algorithm : str or None
        What found the moves.
    nodes, seconds : int, float
        All effort on the board.
    """

    id: str
    board_bytes: bytes
    goal_bytes: bytes
    transform: str
    moves: MoveSequence | None
    solution: str | None
    lower_bound: int
    solve_id: str | None
    algorithm: str | None
    nodes: int
    seconds: float
    metric: Metric = Metric.MOVES
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class SolutionHead:
    """Which solution a solve has.

    Attributes
    ----------
    packed : bytes
        The moves; of a long solution only what tells it from others.
    long : bool
        Whether the moves are in chunks of their own.
    count : int
        Of its moves.
    name : str
        Another solution has another name.
    """

    solve_id: str
    packed: bytes
    long: bool
    count: int
    name: str


@dataclass(frozen=True, slots=True)
class JobSolution:
    """Which solution a job has, and the way to its canonical board; None while it has none."""

    transform: str
    head: SolutionHead | None


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """What an idempotency key was used for before."""

    fingerprint: str
    job_id: str | None
    batch_id: str | None
