"""Accepting boards: canonical form, the cache, rows. Shared by single jobs and batches."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from tilework.core.errors import DamagedRowError, OverloadError, QuotaError
from tilework.core.messages import plural
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import Job, known_end
from tilework.core.model.solutions import SolutionView
from tilework.core.model.solves import Puzzle, Solve
from tilework.core.model.states import Queue, new_id
from tilework.core.model.workload import MAX_PREPARATION_S, WORKER_TIMEOUT_S
from tilework.core.puzzle.arrangement import manhattan
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import Transform, canonicalize
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.services.farm.leasing import SMALL_CELLS
from tilework.core.services.farm.repair import Repair
from tilework.core.services.farm.state_machine.client_events import end_immediately
from tilework.core.services.farm.state_machine.decide import advance
from tilework.core.services.farm.state_machine.events import JobSubmitted
from tilework.core.services.jobs.solution_views import make_solution_view
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.ports import Tickets
from tilework.core.settings import Settings
from tilework.core.solver.options import SLIDES_CELLS
from tilework.core.solver.strategy import has_quick_opening
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

# Seconds of service that one unfinished job counts for when turns are given out: the jobs of a
# client who sends many at once are spread over time, with others' in between.
TURN_S = 0.05

# Openings of larger boards take a second and more: small boards that come up to so much later
# (seconds) have their turn before them.
LARGE_TURN_S = 5.0

# The count of all unfinished jobs is refreshed this often (seconds); it need not be exact.
DEPTH_SECONDS = 1.0

# A client's row is not looked for again this long (seconds) after a job of his was stored: far less
# than jobs are kept, and clients as long as they have any.
KNOWN_S = 3_600.0
MOST_KNOWN = 10_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """A solvable board in canonical form, ready for the storage."""

    start: Board
    goal: Board
    puzzle: Puzzle
    transform: Transform


def prepare(
    start: Board, goal: Board, metric: Metric = Metric.MOVES, *, fresh: bool = False
) -> Prepared:
    """Bring a board to its canonical form.

    Parameters
    ----------
    fresh : bool
        Whether it is to be searched for one job alone, from nothing.

    Raises
    ------
    BoardError
        If the goal has another size.
    UnsolvableError
        With the explanation.
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


class Intake:
    """What taking one board, taking many and giving a hint have in common."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._callbacks = CallbackRules(settings)
        self._repair = Repair(storage, settings)
        self._known_clients: dict[str, float] = {}
        self._depth = 0
        self._depth_until = 0.0

    def _answered(
        self, prepared: Prepared, job: Job
    ) -> tuple[Job, Solve, SolutionView | None] | None:
        """Return an ended job where what is known answers it, and the solution, replayed."""
        with self._storage.reading() as session:
            known = session.solves.find_with_solution(prepared.puzzle.key)
        if known is None:
            return None
        solve, moves = known
        if known_end(job, solve) is None:
            return None
        ended = end_immediately(job, solve, job.created_at)
        return ended, solve, view_solution(solve, moves, prepared)

    def _know(self, session: Session, client_id: str, now: float) -> None:
        """Make sure that a client has its row; call `_remember` after the commit."""
        if time.monotonic() >= self._known_clients.get(client_id, 0.0):
            session.clients.add(client_id, now)

    def _remember(self, client_id: str) -> None:
        """Note that a client's row is committed.

        It stays for as long as its jobs do; not for ever.
        """
        if len(self._known_clients) >= MOST_KNOWN:
            self._known_clients.clear()
        self._known_clients[client_id] = time.monotonic() + KNOWN_S

    def _admit(self, session: Session, client_id: str, count: int) -> int:
        """Make sure that there is room for this many more jobs.

        Returns
        -------
        int
            Unfinished jobs of the client so far.

        Raises
        ------
        QuotaError, OverloadError
        """
        mine = session.jobs.count_unfinished_by(client_id)
        most = self._settings.jobs_per_client
        if mine + count > most:
            raise QuotaError(
                plural(
                    "job-quota",
                    "you have {count} unfinished job; {more} more would exceed the limit of {most}",
                    "you have {count} unfinished jobs; {more} more would exceed the limit of "
                    "{most}",
                    count=mine,
                    more=count,
                    most=most,
                )
            )
        if time.monotonic() >= self._depth_until:
            self._depth = session.jobs.unfinished()
            self._depth_until = time.monotonic() + DEPTH_SECONDS
        if self._depth + count > self._settings.depth_cap:
            raise OverloadError(
                plural(
                    "job-overload",
                    "the service has {count} unfinished job and accepts no more for now",
                    "the service has {count} unfinished jobs and accepts no more for now",
                    count=self._depth,
                )
            )
        self._depth += count
        return mine

    def _place(
        self, session: Session, prepared: Prepared, job: Job, priority: float
    ) -> Queue | None:
        """Store a job and make sure that there is work for it, at a turn.

        Returns
        -------
        Queue or None
            The queue of new work, which needs a ticket; None if there is none.
        """
        now = job.created_at
        solve = session.solves.get_or_create(
            new_id(), prepared.puzzle, initial_lower_bound(prepared), now
        )
        job = replace(job, solve_id=solve.id)
        if session.workers.ready_at(now - WORKER_TIMEOUT_S) is not None:
            # Whoever gets ready first starts its clock.
            job = replace(job, deadline=job.deadline + MAX_PREPARATION_S)
        if known_end(job, solve) is not None:
            view_solution(solve, session.solutions.best(solve.id), prepared)

        def search_priority() -> float:
            return _waiting_priority(session, job.client_id, now, priority)

        own_priority = priority + (LARGE_TURN_S if prepared.start.size.cells > SMALL_CELLS else 0.0)
        event = JobSubmitted(job, own_priority, search_priority)
        return next(iter(advance(session, solve, event, now, self._settings).fresh), None)

    def _job(
        self,
        submission: Submission,
        prepared: Prepared,
        now: float,
        batch_id: str | None = None,
        batch_index: int | None = None,
    ) -> Job:
        """Make a job of one of the boards of a submission."""
        options, start = submission.options, prepared.start
        limit = options.time_limit_s or self._settings.default_time_limit_s
        return Job(
            id=new_id(),
            client_id=submission.client_id,
            options=options.model_copy(update={"time_limit_s": limit}),
            width=start.width,
            height=start.height,
            transform=prepared.transform.to_text(),
            created_at=now,
            deadline=now + limit,
            queue=_first_queue(options, start.size, batched=batch_id is not None),
            batch_id=batch_id,
            batch_index=batch_index,
            callback_url=submission.callback_url,
            board_bytes=pack_board(start),
            goal_bytes=pack_board(prepared.goal),
        )


def view_solution(
    solve: Solve, moves: MoveSequence | None, prepared: Prepared
) -> SolutionView | None:
    """Return a stored solution as one of the board as given; None where there is none.

    Raises
    ------
    DamagedRowError
        If it does not solve that board, or not in as many moves as it is to have.
    """
    metric = solve.metric
    if (None if moves is None else metric.length(moves)) != solve.upper_bound:
        raise DamagedRowError(("solve", solve.id))
    if moves is None:
        return None
    start, goal, transform = prepared.start, prepared.goal, prepared.transform
    suspect = ("solve", solve.id)
    return make_solution_view(
        start, goal, transform, moves, solve.lower_bound, suspect, metric=metric
    )


def initial_lower_bound(prepared: Prepared) -> int:
    """Return the lower bound that is proved on submission, the same for every form of a puzzle."""
    start = prepared.start
    moves = manhattan(start.cells, prepared.goal.cells, start.width)
    return prepared.puzzle.metric.bound(moves, start.size)


def _first_queue(options: JobOptions, size: Size, *, batched: bool) -> Queue:
    """Return where the opening of a config waits."""
    slow = options.metric is Metric.SLIDES and size.cells > SLIDES_CELLS
    if slow or not has_quick_opening(options.algorithm, size):
        return Queue.SEARCH
    return Queue.BATCH if batched else Queue.INTERACTIVE


def _waiting_priority(session: Session, client_id: str, now: float, priority: float) -> float:
    """Return a turn among long searches, for work that would have this one by time alone."""
    first = session.slices.first_priority(None)
    if first is None:
        return priority
    return max(first, session.clients.priority(client_id)) + priority - now
