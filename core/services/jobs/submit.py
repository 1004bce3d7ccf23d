"""A submission: boards and options, checked before anything is stored, and canonical boards."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilework.core.errors import DamagedSolveError, OptionError, OverloadError, QuotaError
from tilework.core.messages import plural
from tilework.core.model.farm.changes import Snapshot
from tilework.core.model.farm.solves import Puzzle, Solve
from tilework.core.model.farm.workload import MAX_PREPARATION_S, SMALL_CELLS, WORKER_TIMEOUT_S
from tilework.core.model.ids import new_id
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import Job, JobView, find_known_end, job_view
from tilework.core.model.solutions import SolutionView
from tilework.core.model.states import Priority, Queue
from tilework.core.puzzle.arrangement import manhattan
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform, canonicalize
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.phrases import cells
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.services.farm.state_machine.client_events import end_immediately
from tilework.core.services.farm.state_machine.decide import decide
from tilework.core.services.farm.state_machine.events import JobSubmitted
from tilework.core.services.farm.state_machine.machine import advance
from tilework.core.services.jobs.solutions import make_solution_view
from tilework.core.services.tickets import Tickets, announce
from tilework.core.settings import Settings
from tilework.core.solver.strategy import (
    INTERACTIVE_WORK,
    SLIDES_CELLS,
    check_metric,
    check_options,
    has_quick_initial_search,
)
from tilework.core.storage.changes import apply_changes
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session
from tilework.core.tracing import current_traceparent

MAX_KEY_LENGTH = 255

DEFAULT_OPTIONS = JobOptions()


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """One or more boards, each with its goal, that a client submits with the same options.

    A repeated submission with the same idempotency key gives the same job. A fresh submission is
    searched even if the answer is known.
    """

    client_id: str
    boards: Sequence[tuple[Board, Board]]
    options: JobOptions = DEFAULT_OPTIONS
    idempotency_key: str | None = None
    callback_url: str | None = None
    fresh: bool = False

    def check(self, settings: Settings, callbacks: CallbackRules) -> None:
        """Raise OptionError if an option, the idempotency key or the callback is invalid."""
        options, key = self.options, self.idempotency_key
        check_metric(options.metric, options.algorithm, options.heuristic)
        seconds = options.time_limit_s
        if seconds is not None and seconds > settings.max_time_limit_s:
            raise OptionError(
                "time-limit",
                "invalid time limit {limit:g} s; use more than 0 and at most {max:g} s",
                limit=seconds,
                max=settings.max_time_limit_s,
            )
        if key is not None and not 0 < len(key) <= MAX_KEY_LENGTH:
            raise OptionError(
                "idempotency-key-length",
                "an idempotency key cannot have {count} characters; use 1 to {max}",
                count=len(key),
                max=MAX_KEY_LENGTH,
            )
        if self.callback_url is not None:
            callbacks.check(self.callback_url)

    def fingerprint(self) -> str:
        """Return a hash that recognizes a repeated request with an idempotency key."""
        if self.idempotency_key is None:
            return ""
        options = self.options
        target, seconds = options.parsed_target, options.time_limit_s
        text = f"{target}|{seconds}|{options.algorithm}|{options.heuristic}"
        if options.metric is not Metric.MOVES:
            text += f"|{options.metric}"
        if self.callback_url is not None:
            text += f"|{self.callback_url}"
        if self.fresh:
            text += "|fresh"
        if options.priority is not Priority.NORMAL:
            text += f"|{options.priority}"
        digest = hashlib.sha256(text.encode())
        for start, goal in self.boards:
            digest.update(pack_board(start))
            digest.update(pack_board(goal))
        return digest.hexdigest()


def check_board(start: Board, goal: Board, options: JobOptions, settings: Settings) -> None:
    """Raise OptionError if a board is too large or long, or not supported by the algorithm."""
    size = start.size
    if size.cells > settings.max_cells:
        raise OptionError(
            "too-many-cells",
            "{size} boards have {cells}; this service accepts at most {max}",
            size=size,
            cells=cells(size.cells),
            max=settings.max_cells,
        )
    max_length = _max_length(min(size), settings.max_cells)
    if 1 not in size and max(size) > max_length:
        raise OptionError(
            "too-long",
            "{size} boards are too long; if the shorter side is {side}, this service accepts at "
            "most {max} for the longer one",
            size=size,
            side=min(size),
            max=max_length,
        )
    check_options(goal, options.algorithm, options.heuristic)


def _max_length(shorter_side: int, max_cells: int) -> int:
    """Return the longer side of a board that takes twice as much work as the largest square."""
    max_work = max(INTERACTIVE_WORK, 2 * math.isqrt(4 * max_cells**3))
    return (math.isqrt(shorter_side**2 + 4 * (max_work // shorter_side)) - shorter_side) // 2


@dataclass(frozen=True, slots=True)
class Prepared:
    """A solvable board and its canonical form."""

    start: Board
    goal: Board
    puzzle: Puzzle
    transform: Transform


def prepare(
    start: Board, goal: Board, metric: Metric = Metric.MOVES, *, fresh: bool = False
) -> Prepared:
    """Return the canonical form of a board; a fresh submission gets a separate solve.

    Raises BoardError if the goal has another size, and UnsolvableError.
    """
    check_solvable(start, goal)
    form = canonicalize(start, goal)
    puzzle = Puzzle(
        key=metric.key(form.key, new_id() if fresh else ""),
        width=form.board.width,
        height=form.board.height,
        goal_blank=form.goal.blank,
        board_bytes=pack_board(form.board),
        goal_bytes=pack_board(form.goal),
    )
    return Prepared(start, goal, puzzle, form.transform)


def view_solution(
    solve: Solve, moves: MoveSequence | None, prepared: Prepared
) -> SolutionView | None:
    """Return a stored solution as a solution of the given board; None if there is none.

    Raises DamagedSolveError if it does not solve that board, or has another length than stored.
    """
    metric = solve.metric
    if (None if moves is None else metric.length(moves)) != solve.upper_bound:
        raise DamagedSolveError(solve.id)
    if moves is None:
        return None
    start, goal, transform = prepared.start, prepared.goal, prepared.transform
    return make_solution_view(
        start,
        goal,
        transform,
        moves,
        lower_bound=solve.lower_bound,
        solve_id=solve.id,
        metric=metric,
    )


def initial_lower_bound(prepared: Prepared) -> int:
    """Return the lower bound of a new solve, which is the same for all equivalent boards."""
    start = prepared.start
    moves = manhattan(start.cells, prepared.goal.cells, start.width)
    return prepared.puzzle.metric.bound(moves, start.size)


# The time limit (seconds) of a job that gives none.
DEFAULT_TIME_LIMIT_S = 3_600.0

# The delay (seconds) of a job for each unfinished job of its client, which interleaves the jobs of
# different clients.
JOB_DELAY_S = 0.05

# The delay (seconds) of large boards, whose initial search takes a second or more. Small boards
# that arrive in the meantime are searched first.
LARGE_BOARD_DELAY_S = 5.0

# How long the number of all unfinished jobs is cached (seconds); it need not be exact.
UNFINISHED_CACHE_S = 1.0

# How long a client's row is assumed to exist (seconds). Clients are stored as long as their jobs,
# which is much longer.
KNOWN_CLIENT_S = 3_600.0
MAX_KNOWN_CLIENTS = 10_000


class Intake:
    """The base of the services that create jobs."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._callbacks = CallbackRules(settings)
        self._known_clients: dict[str, float] = {}
        self._unfinished = 0
        self._unfinished_until = 0.0

    def _find_answer(
        self, prepared: Prepared, job: Job
    ) -> tuple[Job, Solve, SolutionView | None] | None:
        """Return the job as ended, with the replayed solution, if the answer is already known."""
        with self._storage.reading() as session:
            match = session.solves.find_with_solution(prepared.puzzle.key, self._storage.reading)
        if match is None:
            return None
        solve, moves = match
        if find_known_end(job, solve) is None:
            return None
        ended_job = end_immediately(job, solve, job.created_at)
        with self._storage.handling_damage():
            return ended_job, solve, view_solution(solve, moves, prepared)

    def _ensure_client(self, session: Session, client_id: str, now: float) -> None:
        """Insert the client's row if it is missing; call `_remember_client` after the commit."""
        if time.monotonic() >= self._known_clients.get(client_id, 0.0):
            session.clients.add(client_id, now)

    def _remember_client(self, client_id: str) -> None:
        if len(self._known_clients) >= MAX_KNOWN_CLIENTS:
            self._known_clients.clear()
        self._known_clients[client_id] = time.monotonic() + KNOWN_CLIENT_S

    def _check_quota(
        self,
        session: Session,
        client_id: str,
        priority: Priority,
        count: int,
        now: float,
        *,
        unstored: int = 0,
    ) -> tuple[int, float, bool]:
        """Return the number of the client's unfinished jobs, and the time for workers to get ready.

        Also return whether one of these jobs has a lower priority. ``unstored`` jobs are
        unfinished, too, but not stored yet.

        Raises QuotaError or OverloadError if `count` more jobs are not allowed.
        """
        since = now - WORKER_TIMEOUT_S
        unfinished, ready_at, some_lower = session.jobs.count_unfinished_by(
            client_id, priority, since
        )
        unfinished += unstored
        limit = self._settings.jobs_per_client
        if unfinished + count > limit:
            raise QuotaError(
                plural(
                    "job-quota",
                    "you have {count} unfinished job; {more} more would exceed the limit of {max}",
                    "you have {count} unfinished jobs; {more} more would exceed the limit of {max}",
                    count=unfinished,
                    more=count,
                    max=limit,
                )
            )
        if time.monotonic() >= self._unfinished_until:
            self._unfinished = session.jobs.count_unfinished()
            self._unfinished_until = time.monotonic() + UNFINISHED_CACHE_S
        if self._unfinished + count > self._settings.depth_cap:
            raise OverloadError(
                plural(
                    "job-overload",
                    "the service has {count} unfinished job and accepts no more for now",
                    "the service has {count} unfinished jobs and accepts no more for now",
                    count=self._unfinished,
                )
            )
        self._unfinished += count
        return unfinished, 0.0 if ready_at is None else MAX_PREPARATION_S, some_lower

    def _enqueue(
        self,
        session: Session,
        prepared: Prepared,
        job: Job,
        priority: float,
        preparation_s: float,
    ) -> tuple[str, Queue | None]:
        """Store a job and its work.

        Return its solve, and the queue of new work, which needs a ticket, if any.

        The job's time limit starts when the first worker is ready, or after `preparation_s`
        seconds.
        """
        now = job.created_at
        job = replace(job, deadline=job.deadline + preparation_s)

        def search_priority() -> float:
            first = session.slices.first_priority(None)
            if first is None:
                return priority
            return max(first, session.clients.priority(job.client_id)) + priority - now

        own_priority = priority + (
            LARGE_BOARD_DELAY_S if prepared.start.size.cells > SMALL_CELLS else 0.0
        )

        def submitted_to(solve: Solve) -> JobSubmitted:
            return JobSubmitted(replace(job, solve_id=solve.id), own_priority, search_priority)

        new = Solve.unknown(new_id(), prepared.puzzle, initial_lower_bound(prepared))
        changes = decide(Snapshot.of_new(new), submitted_to(new), now)
        solve = changes.solve
        # A new solve is inserted in the state that follows from the job.
        if session.solves.insert(solve, prepared.puzzle, now):
            applied = apply_changes(session, solve, changes, now)
        else:
            solve = session.solves.lock_by_key(prepared.puzzle.key)
            if find_known_end(job, solve) is not None:
                view_solution(solve, session.solutions.best(solve.id), prepared)
            applied = advance(session, solve, submitted_to(solve), now)
        if (traceparent := current_traceparent()) is not None:
            session.solves.set_trace(solve.id, traceparent)
        return solve.id, next(iter(applied.ready_queues), None)

    def _make_job(
        self,
        submission: Submission,
        prepared: Prepared,
        now: float,
        batch_id: str | None = None,
        batch_index: int | None = None,
    ) -> Job:
        options, start = submission.options, prepared.start
        is_slow = options.metric is Metric.SLIDES and start.size.cells > SLIDES_CELLS
        if is_slow or not has_quick_initial_search(options.algorithm, start.size):
            queue = Queue.SEARCH
        else:
            queue = Queue.INTERACTIVE if batch_id is None else Queue.BATCH
        options = with_time_limit(options)
        return Job(
            id=new_id(),
            client_id=submission.client_id,
            options=options,
            width=start.width,
            height=start.height,
            transform=prepared.transform.to_text(),
            created_at=now,
            deadline=now + (options.time_limit_s or DEFAULT_TIME_LIMIT_S),
            queue=queue,
            batch_id=batch_id,
            batch_index=batch_index,
            callback_url=submission.callback_url,
            board_bytes=pack_board(start),
            goal_bytes=pack_board(prepared.goal),
        )


def with_time_limit(options: JobOptions) -> JobOptions:
    """Return the options with the default time limit, if they have none."""
    limit = options.time_limit_s or DEFAULT_TIME_LIMIT_S
    return options.model_copy(update={"time_limit_s": limit})


class SubmitJob(Intake):
    """Submits one board to the solver."""

    def __call__(self, submission: Submission, *, brief: bool = False) -> JobView:
        """Store a job and return its view, without boards if it is ``brief``.

        If the answer is already known, the job has ended (``finished``, ``cached``) and contains
        its solution. If the idempotency key was used for an equal request, that job is returned,
        without its solution.

        Raises
        ------
        OptionError, BoardError
            If an option is not supported, the board is too large or the goal does not fit.
        UnsolvableError
            If the board cannot be solved.
        QuotaError, OverloadError
            If the client or the service has too many unfinished jobs.
        ConflictError
            If the idempotency key was used for another request.
        """
        submission.check(self._settings, self._callbacks)
        [(start, goal)] = submission.boards
        check_board(start, goal, submission.options, self._settings)
        prepared = prepare(start, goal, submission.options.metric, fresh=submission.fresh)
        view_or_id = self._store(submission, prepared, brief=brief)
        if isinstance(view_or_id, JobView):
            return view_or_id
        with self._storage.reading() as session:
            return session.job_views.view(view_or_id, brief=brief)

    def _store(self, submission: Submission, prepared: Prepared, *, brief: bool) -> JobView | str:
        """Store a job; return its view if it has ended, and otherwise its id."""
        now = self._clock()
        job, queue = self._make_job(submission, prepared, now), None
        answer = None if submission.fresh else self._find_answer(prepared, job)
        with self._storage.writing() as session:
            self._ensure_client(session, job.client_id, now)
            if submission.idempotency_key is not None:
                earlier_id, _ = session.clients.claim_request(
                    job.client_id,
                    submission.idempotency_key,
                    submission.fingerprint(),
                    now,
                    job_id=job.id,
                )
                if earlier_id is not None:
                    return earlier_id
            if answer is not None:
                session.jobs.add([answer[0]])
            else:
                own = job.options.priority
                unfinished, preparation_s, some_lower = self._check_quota(
                    session, job.client_id, own, 1, now
                )
                priority = now + unfinished * JOB_DELAY_S
                solve_id, queue = self._enqueue(session, prepared, job, priority, preparation_s)
                if some_lower:
                    session.jobs.promote(job.client_id, own, [solve_id])
        self._remember_client(job.client_id)
        announce(self._tickets, [queue])
        if answer is None:
            return job.id
        ended_job, solve, solution = answer
        return job_view(ended_job, solve, solution=solution, brief=brief)
