"""Reading and cancelling jobs, and reading solutions, queues and statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from functools import partial

from tilework.core.model.activity import ActivityView, activity_view
from tilework.core.model.farm.solves import BoundEventView
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.ids import foreign_job
from tilework.core.model.jobs import JobView
from tilework.core.model.operation import QueueCounts, QueueView, StatisticsView
from tilework.core.model.solutions import SolutionView
from tilework.core.model.states import Queue
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.services.farm.state_machine.events import JobCancelled
from tilework.core.services.farm.state_machine.machine import report_event
from tilework.core.services.jobs.solutions import make_solution_view, view_stored_solution
from tilework.core.services.long_polling import wait_for_change
from tilework.core.services.tickets import Tickets
from tilework.core.solver.pdb.builds import BuildProgress
from tilework.core.storage.database import Database

# How long statistics, which count whole tables, are cached (seconds).
STATISTICS_SECONDS = 5.0

MAX_JOBS = 500

MAX_OTHERS = 1_000
"""The largest number of other clients' jobs that is counted."""


def _find_no_build(_size: Size) -> BuildProgress | None:
    return None


class JobService:
    """Reads and cancels jobs, and reads solutions, queues and statistics.

    Parameters
    ----------
    building : callable
        Returns which pattern database for a size is being built here, or None.
    """

    def __init__(
        self,
        storage: Database,
        tickets: Tickets,
        building: Callable[[Size], BuildProgress | None] = _find_no_build,
    ) -> None:
        self._storage = storage
        self._building = building
        self._tickets = tickets
        self._clock = storage.clock
        self._statistics: StatisticsView | None = None
        self._statistics_until = 0.0

    def view(self, job_id: str, *, brief: bool = False) -> JobView:
        """Return a job; a brief view is without the boards.

        All methods that take a job's id raise NotFoundError if there is no such job.
        """
        with self._storage.reading() as session:
            return session.job_views.view(job_id, brief=brief)

    def latest(self, job_id: str) -> JobView:
        """Return a job, or the newest one with its board and options if it ended early."""
        view = self.view(job_id)
        if not (view.finished and view.can_improve):
            return view
        with self._storage.reading() as session:
            latest_id = session.job_views.latest(job_id)
        return view if latest_id == job_id else self.view(latest_id)

    def activity(self, job_id: str) -> ActivityView:
        """Return what workers are doing for a job at the moment."""
        now = self._clock()
        with self._storage.reading() as session:
            job, solve, position, ready_at = session.job_views.activity(
                job_id, now - WORKER_TIMEOUT_S
            )
            is_running = not job.finished and solve is not None
            running = session.slices.running(solve.id) if solve is not None and is_running else []
        is_long = is_running and job.queue is Queue.SEARCH
        return activity_view(
            job,
            solve,
            running,
            now,
            queue_position=position,
            ready_at=ready_at,
            building=self._building(Size(job.width, job.height)) if is_long else None,
        )

    def version(self, job_id: str) -> str:
        """Return the version of a job's view, which is much cheaper than the view."""
        with self._storage.reading() as session:
            return session.job_views.version(job_id)

    def versions(self, job_ids: Collection[str]) -> dict[str, str]:
        """Return the versions of the jobs that exist, by their ids."""
        with self._storage.reading() as session:
            return session.job_views.versions(job_ids)

    def wait(self, job_id: str, version: str, seconds: float, *, brief: bool = False) -> JobView:
        """Return the view as soon as its version differs, or after `seconds`."""
        wait_for_change(partial(self.version, job_id), version, seconds)
        return self.view(job_id, brief=brief)

    def cancel(self, job_id: str, client_id: str | None, *, brief: bool = False) -> JobView:
        """Cancel a job, unless it has ended. Without a client, an operator cancels it.

        If its solve has no other jobs, waiting slices are parked and running ones stop within half
        a second.

        Raises ForbiddenError if the job belongs to another client.
        """
        job = self.view(job_id, brief=True)
        if client_id not in (None, job.client_id):
            raise foreign_job(job_id)
        if job.solve_id is not None:
            report_event(self._storage, job.solve_id, JobCancelled(job_id))
        return self.view(job_id, brief=brief)

    def solution(self, job_id: str) -> SolutionView | None:
        """Return the best known solution of a job's board, or None if there is none.

        It can be better than the one with which the job ended.
        """
        with self._storage.reading() as session:
            answer = session.job_views.answer(job_id, self._storage.reading)
        with self._storage.handling_damage():
            return view_stored_solution(answer)

    def count_others(self, job_id: str) -> int:
        """Return the number of other clients' jobs with the same puzzle, at most 1,000."""
        with self._storage.reading() as session:
            return session.job_views.count_others(job_id, MAX_OTHERS)

    def history(self, job_id: str) -> list[BoundEventView]:
        """Return when the bounds of a job's board improved, oldest first, at most a few hundred."""
        with self._storage.reading() as session:
            events = session.events.list_by_job(job_id)
            if not events:
                session.job_views.version(job_id)  # raises if there is no such job
        return events

    def list_jobs(
        self,
        client_id: str,
        limit: int = 50,
        before: str | None = None,
        *,
        cells: int = MAX_SIDE**2,
    ) -> list[JobView]:
        """Return a page of a client's jobs, newest first, at most 500.

        Parameters
        ----------
        before : str, optional
            The id of the last job of the previous page.
        cells : int
            Boards with more cells are omitted, as in a brief view.
        """
        with self._storage.reading() as session:
            return session.job_views.list_by_client(client_id, min(limit, MAX_JOBS), before, cells)

    def find_solution(self, start: Board, goal: Board) -> SolutionView | None:
        """Return the best known solution of a board, or None if there is none.

        Raises BoardError if the goal has another size.
        """
        form = canonicalize(start, goal)
        with self._storage.reading() as session:
            match = session.solves.find_with_solution(form.key, self._storage.reading)
        if match is None:
            return None
        solve, moves = match
        if moves is None:
            return None
        with self._storage.handling_damage():
            return make_solution_view(
                start,
                goal,
                form.transform,
                moves,
                lower_bound=solve.lower_bound,
                solve_id=solve.id,
                metric=solve.metric,
            )

    def queues(self) -> list[QueueView]:
        """Return all queues, including empty ones."""
        now = self._clock()
        with self._storage.reading() as session:
            counts = session.operation.queues(now)
            suspended = session.operation.suspended_queues()
        views = []
        for queue in Queue:
            count = counts.get(queue, QueueCounts(0, 0, None))
            wait = 0.0 if count.oldest is None else max(0.0, now - count.oldest)
            views.append(
                QueueView(
                    name=queue,
                    ready=count.ready,
                    leased=count.leased,
                    oldest_wait_s=wait,
                    tickets=self._depth(queue),
                    suspended=queue in suspended,
                )
            )
        return views

    def statistics(self) -> StatisticsView:
        """Return the statistics, which can be a few seconds old."""
        if self._statistics is None or time.monotonic() >= self._statistics_until:
            now = self._clock()
            with self._storage.reading() as session:
                counts = session.operation
                nodes, seconds = counts.effort()
                nodes_per_s, workers = counts.activity(now)
                self._statistics = StatisticsView(
                    jobs=counts.job_states(),
                    cached_jobs=counts.cached_jobs(),
                    nodes=nodes,
                    seconds=seconds,
                    nodes_per_s=nodes_per_s,
                    workers=workers,
                    quarantined=counts.quarantined(),
                    sizes=tuple(counts.sizes()),
                    counters=session.operation.counters(),
                )
            self._statistics_until = time.monotonic() + STATISTICS_SECONDS
        return self._statistics

    def gains(self, size: Size, begin: float, end: float) -> list[int]:
        """Return the moves saved from `begin` to `end`, in seconds, of recent jobs of a size."""
        with self._storage.reading() as session:
            return session.events.gains(size, begin, end)

    def estimate_batch(self, sizes: Sequence[Size]) -> tuple[float, int] | None:
        """Return the seconds that proofs for boards of these sizes may take, and the workers.

        None if no job with a board of one of the sizes has ended recently, or without workers.
        """
        with self._storage.reading() as session:
            means = session.operation.mean_seconds()
            _, workers = session.operation.activity(self._clock())
        if not workers or not means.keys() >= set(sizes):
            return None
        return sum(means[size] for size in sizes) / workers, workers

    def clock_skew_s(self) -> float:
        """Return the largest clock skew of this host and the workers' hosts, in seconds.

        It is negative if that clock is behind the database's.
        """
        now = self._clock()
        own_skew = time.time() - now
        with self._storage.reading() as session:
            return max([own_skew, *session.workers.skews(now - WORKER_TIMEOUT_S)], key=abs)

    def _depth(self, queue: Queue) -> int | None:
        try:
            return self._tickets.depth(queue)
        except Exception:  # broker clients raise various exceptions
            return None
