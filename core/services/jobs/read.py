"""Reading: one job, a client's jobs, known solutions, queues and statistics."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tilework.core.model.job_views import BoundEventView, JobView
from tilework.core.model.solutions import SolutionView
from tilework.core.model.solves import QueueCounts
from tilework.core.model.states import Queue
from tilework.core.model.statistics import QueueView, StatisticsView
from tilework.core.model.workload import WORKER_TIMEOUT_S
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.services.farm.repair import Repair
from tilework.core.services.jobs.solution_views import make_solution_view, view_stored_solution
from tilework.core.services.long_polling import wait_for_change
from tilework.core.services.ports import Tickets
from tilework.core.settings import Settings
from tilework.core.solver.pdb.progress import BuildProgress
from tilework.core.storage.database import Database

# Statistics are counts over whole tables: they are refreshed this often (seconds).
STATISTICS_SECONDS = 5.0

MOST_JOBS = 500

MOST_OTHERS = 1_000
"""So many jobs of others are counted."""


def _nothing_is_built(_size: Size) -> BuildProgress | None:
    return None


class ReadJob:
    """Read-only access to jobs, solutions, queues and statistics.

    Parameters
    ----------
    building : callable
        Says which pattern database for a size is being built here, None where none is.
    """

    def __init__(
        self,
        storage: Database,
        tickets: Tickets,
        settings: Settings,
        building: Callable[[Size], BuildProgress | None] = _nothing_is_built,
    ) -> None:
        self._storage = storage
        self._repair = Repair(storage, settings)
        self._building = building
        self._tickets = tickets
        self._clock = storage.clock
        self._statistics: StatisticsView | None = None
        self._statistics_until = 0.0

    def view(self, job_id: str, *, brief: bool = False) -> JobView:
        """Return a job as it stands; a brief view is without the boards, which never change.

        Raises
        ------
        NotFoundError
            Here and below, if there is no such job.
        """
        view = self._repair.run(partial(self._view, job_id, brief=brief))
        if view.finished or view.queue is not Queue.SEARCH:
            return view
        building = self._building(Size(view.width, view.height))
        return view if building is None else replace(view, building=building)

    def _view(self, job_id: str, *, brief: bool) -> JobView:
        now = self._clock()
        with self._storage.reading() as session:
            return session.jobs.view(job_id, now, brief=brief, workers_since=now - WORKER_TIMEOUT_S)

    def version(self, job_id: str) -> str:
        """Return only the version of a job's view, at a fraction of its cost."""
        with self._storage.reading() as session:
            return session.jobs.version(job_id)

    def wait(self, job_id: str, version: str, seconds: float, *, brief: bool = False) -> JobView:
        """Return the view as soon as its version differs, or after this many seconds."""
        wait_for_change(partial(self.version, job_id), version, seconds)
        return self.view(job_id, brief=brief)

    def solution(self, job_id: str) -> SolutionView | None:
        """Return the best solution known of a job's board, None while there is none.

        It may be better than the job's own end, where another job went on. Where what is stored
        turns out to be damaged, there is none any more, until the board is solved again.
        """

        def look() -> SolutionView | None:
            with self._storage.reading() as session:
                answer = session.jobs.answer(job_id)
            return view_stored_solution(answer)

        return self._repair.run(look)

    def others(self, job_id: str) -> int:
        """Return how many jobs of other clients are of the same puzzle, at most 1,000."""
        with self._storage.reading() as session:
            return session.jobs.others(job_id, MOST_OTHERS)

    def history(self, job_id: str) -> list[BoundEventView]:
        """Return when the bounds of a job's board improved, oldest first.

        Of very many moments, some hundreds; always the first and the last.
        """
        with self._storage.reading() as session:
            events = session.events.of_job(job_id)
            if not events:
                session.jobs.version(job_id)  # which raises where there is no such job
        return events

    def jobs_of(
        self,
        client_id: str,
        limit: int = 50,
        before: str | None = None,
        *,
        cells: int = MAX_SIDE**2,
    ) -> list[JobView]:
        """Return a client's jobs, newest first.

        Parameters
        ----------
        limit : int
            At most this many, and never more than 500.
        before : str, optional
            The id of the last job of the page before.
        cells : int
            Boards of more cells are left out, as in a brief view.
        """

        def look() -> list[JobView]:
            now = self._clock()
            with self._storage.reading() as session:
                return session.jobs.of_client(client_id, min(limit, MOST_JOBS), before, now, cells)

        return self._repair.run(look)

    def find_solution(self, start: Board, goal: Board) -> SolutionView | None:
        """Return the best solution known of a board, None where there is none.

        Raises
        ------
        BoardError
            If the goal has another size.
        """
        form = canonicalize(start, goal)

        def look() -> SolutionView | None:
            with self._storage.reading() as session:
                known = session.solves.find_with_solution(form.key)
            if known is None:
                return None
            solve, moves = known
            if moves is None:
                return None
            lower, suspect = solve.lower_bound, ("solve", solve.id)
            return make_solution_view(
                start, goal, form.transform, moves, lower, suspect, metric=solve.metric
            )

        return self._repair.run(look)

    def queues(self) -> list[QueueView]:
        """Return every queue, empty or not."""
        now = self._clock()
        with self._storage.reading() as session:
            counts = session.statistics.queues(now)
        views = []
        for queue in Queue:
            found = counts.get(queue, QueueCounts(0, 0, None))
            wait = 0.0 if found.oldest is None else max(0.0, now - found.oldest)
            views.append(QueueView(queue, found.ready, found.leased, wait, self._depth(queue)))
        return views

    def statistics(self) -> StatisticsView:
        """Return counts over everything, at most a few seconds old."""
        if self._statistics is None or time.monotonic() >= self._statistics_until:
            now = self._clock()
            with self._storage.reading() as session:
                counts = session.statistics
                nodes, seconds = counts.effort()
                nodes_per_s, workers = counts.activity(now)
                self._statistics = StatisticsView(
                    counts.job_states(),
                    counts.cached_jobs(),
                    tuple(counts.sizes()),
                    nodes,
                    seconds,
                    nodes_per_s,
                    workers,
                    counts.quarantined(),
                    session.counters.read(),
                    session.damage.count(),
                )
            self._statistics_until = time.monotonic() + STATISTICS_SECONDS
        return self._statistics

    def clock_skew_s(self) -> float:
        """Return the largest clock skew of a host against the storage, in seconds.

        Considers this host and those whose workers took long searches in the last seconds; negative
        where the clock that is off most is behind.
        """
        now = self._clock()
        own = time.time() - now
        with self._storage.reading() as session:
            return max([own, *session.workers.skews(now - WORKER_TIMEOUT_S)], key=abs)

    def _depth(self, queue: Queue) -> int | None:
        try:
            return self._tickets.depth(queue)
        except Exception:  # whatever a broker's client may raise
            return None
