"""Submitting many boards in one request, and reading batches and their results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial

from tilework.core.errors import DamagedRowError, DamagedSolveError, OptionError, UnsolvableError
from tilework.core.messages import Message
from tilework.core.model.batches import BatchFigures, BatchResult, BatchView, batch_not_found
from tilework.core.model.farm.workload import CLAIM_SIZE, claim_weight
from tilework.core.model.ids import new_id
from tilework.core.model.jobs import Job, JobView
from tilework.core.model.solutions import SolutionHead
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_board, unpack
from tilework.core.services.jobs.solutions import blaming, view_job_solution
from tilework.core.services.jobs.submit import (
    JOB_DELAY_S,
    Intake,
    Prepared,
    Submission,
    check_board,
    prepare,
    with_time_limit,
)
from tilework.core.services.long_polling import wait_for_change
from tilework.core.services.tickets import announce
from tilework.core.storage.database import Database

# Results that are read at a time.
PAGE = 200

_Row = tuple[JobView, SolutionHead | None, str | None]


class ReadBatch:
    """Reads batches."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage

    def view(self, batch_id: str) -> BatchView:
        """Return a batch and its progress; raise NotFoundError if there is no such batch."""
        with self._storage.reading() as session:
            view = session.batches.view(batch_id)
        if view is None:
            raise batch_not_found(batch_id)
        return view

    def version(self, batch_id: str) -> str:
        """Return the version of a batch's view."""
        return self.view(batch_id).version

    def versions(self, batch_ids: Collection[str]) -> dict[str, str]:
        """Return the versions of the batches that exist, by their ids."""
        with self._storage.reading() as session:
            return session.batches.versions(batch_ids)

    def wait(self, batch_id: str, version: str, seconds: float) -> BatchView:
        """Return the view as soon as its version differs, or after `seconds`."""
        wait_for_change(partial(self.version, batch_id), version, seconds)
        return self.view(batch_id)

    def figures(self, batch_id: str) -> list[BatchFigures]:
        """Return the figures of all jobs, in the order of the boards."""
        with self._storage.reading() as session:
            return session.batches.figures(batch_id)

    def jobs(self, batch_id: str, indexes: Sequence[int]) -> Iterator[JobView]:
        """Return an iterator over the jobs with these indexes, in that order, read page by page."""
        for first in range(0, len(indexes), PAGE):
            page = indexes[first : first + PAGE]
            yield from self._views(batch_id, page)

    def _views(self, batch_id: str, indexes: Sequence[int]) -> list[JobView]:
        with self._storage.reading() as session:
            return session.batches.views(batch_id, indexes)

    def results(self, batch_id: str) -> Iterator[BatchResult]:
        """Return an iterator over the results in the order of the boards, read page by page.

        Raises NotFoundError immediately if there is no such batch.
        """
        self.view(batch_id)
        return self._pages(batch_id)

    def _pages(self, batch_id: str) -> Iterator[BatchResult]:
        after = -1
        while True:
            rows = self._page(batch_id, after, PAGE)
            if not rows:
                return
            for row in rows:
                with suppress(DamagedRowError):
                    yield self._result(batch_id, row)
            after = _index(rows[-1])

    def _page(self, batch_id: str, after: int, limit: int) -> list[_Row]:
        with self._storage.reading() as session:
            return session.batches.lines(batch_id, after, limit)

    def _result(self, batch_id: str, row: _Row) -> BatchResult:
        """Return the result of a row, which is read again if its solve has just started again."""
        try:
            return self._read_solution(row)
        except DamagedSolveError:
            [current] = self._page(batch_id, _index(row) - 1, 1)
            return self._read_solution(current)

    def _read_solution(self, row: _Row) -> BatchResult:
        view, head, algorithm = row
        if head is None:
            return BatchResult(view, None, None)
        with self._storage.handling_damage(), blaming(head.solve_id):
            if head.long:
                # One at a time: all long solutions of a page could be gigabytes.
                with self._storage.reading() as session:
                    moves = session.solutions.best(head.solve_id)
            else:
                moves = unpack(head.packed)
            if moves is not None:
                moves = view_job_solution(view, moves, view.lower_bound).moves
        return BatchResult(view, moves, algorithm)


def _index(row: _Row) -> int:
    return row[0].batch_index or 0


# Boards per transaction: enough to make commits cheap, few enough to let others write.
CHUNK = 20

# The minimum pause between two transactions (seconds). A pause is as long as the last transaction.
PAUSE_S = 0.01

# How long the boards of a batch that have no jobs yet count as unfinished jobs (seconds). An
# interrupted batch may never get them.
MAX_STORING_S = 300.0


class SubmitBatch(Intake):
    """Submits many boards."""

    def __call__(self, submission: Submission) -> BatchView:
        """Store a batch.

        An unsolvable board becomes a failed job with the explanation as its message.

        Raises
        ------
        OptionError
            If the number of boards is out of range, and as in `SubmitJob`.
        BoardError, QuotaError, OverloadError, ConflictError
            As in `SubmitJob`.
        """
        submission.check(self._settings, self._callbacks)
        options = submission.options
        if not 0 < len(submission.boards) <= self._settings.max_batch:
            raise OptionError(
                "batch-size",
                "invalid batch of {count} boards; use 1 to {max}",
                count=len(submission.boards),
                max=self._settings.max_batch,
            )
        for number, (start, goal) in enumerate(submission.boards, start=1):
            try:
                check_board(start, goal, options, self._settings)
            except OptionError as error:
                raise OptionError(
                    Message(
                        error.code,
                        "board {position} of the batch: {error}",
                        position=number,
                        error=error.message,
                    )
                ) from error
        prepared = [
            _try_to_prepare(start, goal, options.metric) for start, goal in submission.boards
        ]
        batch_id = self._store(submission, prepared)
        with self._storage.reading() as session:
            view = session.batches.view(batch_id)
        if view is None:
            raise batch_not_found(batch_id)
        return view

    def _store(self, submission: Submission, prepared: Sequence[Prepared | UnsolvableError]) -> str:
        now = self._clock()
        batch_id = new_id()
        client_id = submission.client_id
        earlier_id: str | None = None
        with self._storage.writing() as session:
            self._ensure_client(session, client_id, now)
            if submission.idempotency_key is not None:
                _, earlier_id = session.clients.claim_request(
                    client_id,
                    submission.idempotency_key,
                    submission.fingerprint(),
                    now,
                    batch_id=batch_id,
                )
            if earlier_id is not None:
                batch_id = earlier_id
                earlier = session.batches.view(batch_id)
                if earlier is None or earlier.is_stored:
                    return batch_id
            new_jobs = unstored = 0
            if earlier_id is None:
                new_jobs = len(prepared)
                unstored = session.batches.count_unstored(client_id, now - MAX_STORING_S)
            unfinished, preparation_s, _ = self._check_quota(
                session, client_id, submission.options.priority, new_jobs, now, unstored=unstored
            )
            if earlier_id is None:
                session.batches.add(batch_id, client_id, new_jobs, now)
        self._remember_client(client_id)
        # An earlier request with the same key may have been interrupted, or be under way.
        for first in range(0, len(prepared), CHUNK):
            chunk = range(first, min(first + CHUNK, len(prepared)))
            # Sorted by key, so that two batches never wait for each other's rows.
            ordered = sorted(chunk, key=lambda index: _key(prepared[index]))
            priorities = [(index, now + (unfinished + index) * JOB_DELAY_S) for index in ordered]
            started = time.monotonic()
            queues = self._store_chunk(
                submission,
                prepared,
                priorities,
                preparation_s,
                batch_id=batch_id,
                now=now,
            )
            announce(self._tickets, queues)
            # Let others write: without a pause, the lock would be taken again immediately.
            time.sleep(max(PAUSE_S, time.monotonic() - started))
        return batch_id

    def _store_chunk(
        self,
        submission: Submission,
        prepared: Sequence[Prepared | UnsolvableError],
        priorities: Sequence[tuple[int, float]],
        preparation_s: float,
        *,
        batch_id: str,
        now: float,
    ) -> list[Queue]:
        """Store the boards with these indexes and priorities; return the queues of new work.

        A queue is returned once for each claim that workers need for its work.
        """
        solve_ids: list[str] = []
        weights: Counter[Queue] = Counter()
        with self._storage.writing() as session:
            missing = session.batches.list_missing(batch_id, [index for index, _ in priorities])
            for index, priority in priorities:
                if index not in missing:
                    continue
                item = prepared[index]
                if isinstance(item, Prepared):
                    job = self._make_job(submission, item, now, batch_id, index)
                    solve_id, queue = self._enqueue(session, item, job, priority, preparation_s)
                    solve_ids.append(solve_id)
                    if queue is not None:
                        weights[queue] += claim_weight(item.puzzle.cells)
                else:
                    session.jobs.add([_failed_job(submission, batch_id, index, item.message, now)])
            session.jobs.promote(submission.client_id, submission.options.priority, solve_ids)
        return [queue for queue in weights for _ in range(-(-weights[queue] // CLAIM_SIZE))]


def _try_to_prepare(start: Board, goal: Board, metric: Metric) -> Prepared | UnsolvableError:
    try:
        return prepare(start, goal, metric)
    except UnsolvableError as error:
        return error


def _key(item: Prepared | UnsolvableError) -> str:
    return item.puzzle.key if isinstance(item, Prepared) else ""


def _failed_job(
    submission: Submission, batch_id: str, index: int, message: Message, now: float
) -> Job:
    start, goal = submission.boards[index]
    return Job(
        id=new_id(),
        client_id=submission.client_id,
        options=with_time_limit(submission.options),
        width=start.width,
        height=start.height,
        transform="",
        created_at=now,
        deadline=now,
        queue=Queue.BATCH,
        state=JobState.FAILED,
        batch_id=batch_id,
        batch_index=index,
        finished_at=now,
        message=message,
        board_bytes=pack_board(start),
        goal_bytes=pack_board(goal),
    )
