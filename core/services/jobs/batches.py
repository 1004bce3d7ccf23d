"""Batches: many boards in one request, and their results line by line."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial

from tilework.core.errors import DamagedRowError, NotFoundError, OptionError, UnsolvableError
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import pack_board, unpack, unpack_board
from tilework.core.services.farm.course import Course
from tilework.core.services.farm.jobs import NewJob
from tilework.core.services.farm.trust.mending import Mending
from tilework.core.services.ids import new_id
from tilework.core.services.jobs.answers import solution_view, told_of
from tilework.core.services.jobs.idempotent import claim_key
from tilework.core.services.jobs.intake import TURN_S, Prepared, Slot, Submitting, prepare
from tilework.core.services.jobs.phrases import MOST_QUOTED, WITHDRAWN
from tilework.core.services.jobs.records import BatchLine, EarlierRequest
from tilework.core.services.jobs.submission import BatchSubmission, check_item
from tilework.core.services.jobs.views import BatchResultView, BatchRowView, BatchView
from tilework.core.services.ports import Storage
from tilework.core.services.repositories import Session
from tilework.core.services.states import JobState, Queue
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings

# Boards in one transaction: enough to make commits cheap, few enough to let others write.
CHUNK = 20

# Between two of them others write for as long as one took, and no less than this (seconds).
PAUSE_S = 0.01

# Results per page that is read.
PAGE = 200


class SubmitBatch(Submitting):
    """Takes many boards."""

    def __call__(self, submission: BatchSubmission) -> BatchView:
        """Store a batch.

        Boards that are already solved end at once. An unsolvable board becomes a failed job with
        the explanation as its message, so that one bad line does not cost all the others.

        Raises
        ------
        OptionError
            For no boards or more than the limit, and as `SubmitJob`.
        BoardError, QuotaError, OverloadError, ConflictError
            As `SubmitJob`.
        """
        submission.check(self._settings, self._callbacks)
        if not 0 < len(submission.items) <= self._settings.max_batch:
            raise OptionError(
                "batch-size",
                "invalid batch of {count} boards; give 1 to {most}",
                count=len(submission.items),
                most=self._settings.max_batch,
            )
        for place, (start, goal) in enumerate(submission.items, start=1):
            try:
                check_item(start, goal, submission.algorithm, submission.heuristic, self._settings)
            except OptionError as error:
                raise OptionError(
                    Message(
                        error.code,
                        "board {place} of the batch: {fault}",
                        place=place,
                        fault=error.message,
                    )
                ) from error
        prepared = [_prepared(start, goal, submission.metric) for start, goal in submission.items]
        batch_id = self._store(submission, prepared)
        with self._storage.reading() as session:
            view = session.batches.view(batch_id)
        if view is None:
            raise _no_batch(batch_id)
        return view

    def _store(
        self, submission: BatchSubmission, prepared: Sequence[Prepared | UnsolvableError]
    ) -> str:
        now = self._clock()
        batch_id = new_id()
        client_id = submission.client_id
        with self._storage.writing() as session:
            self._intake.know(session, client_id, now)
            request = EarlierRequest(submission.fingerprint(submission.items), None, batch_id)
            earlier = claim_key(session, client_id, submission.idempotency_key, request, now)
            if earlier is not None and earlier.batch_id is not None:
                return earlier.batch_id
            mine = self._intake.admit(session, client_id, len(prepared))
            session.batches.add(batch_id, client_id, len(prepared), now)
        self._intake.remember(client_id)
        for first in range(0, len(prepared), CHUNK):
            chunk = range(first, min(first + CHUNK, len(prepared)))
            # In the order of their keys, so that two batches never wait for each other's rows.
            ordered = sorted(chunk, key=lambda index: _key(prepared[index]))
            slots = [
                Slot(new_id(), now, now + (mine + index) * TURN_S, batch_id, index)
                for index in ordered
            ]
            store = partial(self._store_chunk, submission, prepared, slots)
            began = time.monotonic()
            announce(self._tickets, self._mending.run(store))
            # Who waits for the right to write meanwhile gets it; it would be taken again at once.
            time.sleep(max(PAUSE_S, time.monotonic() - began))
        return batch_id

    def _store_chunk(
        self,
        submission: BatchSubmission,
        prepared: Sequence[Prepared | UnsolvableError],
        slots: Sequence[Slot],
    ) -> list[Queue | None]:
        with self._storage.writing() as session:
            return [
                self._place(session, submission, prepared[slot.batch_index or 0], slot)
                for slot in slots
            ]

    def _place(
        self,
        session: Session,
        submission: BatchSubmission,
        item: Prepared | UnsolvableError,
        slot: Slot,
    ) -> Queue | None:
        if isinstance(item, Prepared):
            return self._intake.place(session, item, submission, slot)
        start, goal = submission.items[slot.batch_index or 0]
        session.jobs.add([_failed(submission, start, goal, item.message, slot)])
        return None


class ReadBatch:
    """Reads batches."""

    def __init__(self, storage: Storage, settings: Settings) -> None:
        self._storage = storage
        self._mending = Mending(storage, settings)

    def view(self, batch_id: str) -> BatchView:
        """Return a batch and its progress.

        Raises
        ------
        NotFoundError
            If there is no such batch.
        """
        with self._storage.reading() as session:
            view = session.batches.view(batch_id)
        if view is None:
            raise _no_batch(batch_id)
        return view

    def rows(self, batch_id: str, after: int, most: int, *, cells: int) -> list[BatchRowView]:
        """Return boards in their order, from after an index; tiles only of up to so many cells."""
        lines = self._mending.run(partial(self._page, batch_id, after, most))
        return [_row(line, cells) for line in lines]

    def results(self, batch_id: str) -> Iterator[BatchResultView]:
        """Yield the jobs in the order of the boards, read page by page as they are consumed.

        Raises
        ------
        NotFoundError
            If there is no such batch; at the call, not at the first result.
        """
        self.view(batch_id)
        return self._pages(batch_id)

    def _pages(self, batch_id: str) -> Iterator[BatchResultView]:
        after = -1
        while True:
            lines = self._mending.run(partial(self._page, batch_id, after, PAGE))
            if not lines:
                return
            for line in lines:
                yield self._result(batch_id, line)
            after = lines[-1].index

    def _page(self, batch_id: str, after: int, most: int) -> list[BatchLine]:
        with self._storage.reading() as session:
            return session.batches.lines(batch_id, after, most)

    def _result(self, batch_id: str, line: BatchLine) -> BatchResultView:
        """Return a line's result, read again where it turns out to be damaged."""
        try:
            return self._told(line)
        except DamagedRowError as error:
            self._mending.mend(error)

        def again() -> BatchResultView:
            [fresh] = self._page(batch_id, line.index - 1, 1)
            return self._told(fresh)

        return self._mending.run(again)

    def _told(self, line: BatchLine) -> BatchResultView:
        moves = self._moves(line)
        if moves is not None and line.head is not None:
            suspects = (("job", line.job_id), ("solve", line.head.solve_id))
            with told_of(*suspects):
                start, goal = unpack_board(line.board_bytes), unpack_board(line.goal_bytes)
                transform = Transform.from_text(line.transform)
            lower, metric = line.lower_bound, line.metric
            view = solution_view(start, goal, transform, moves, lower, *suspects, metric=metric)
            moves = view.moves
        return BatchResultView(
            index=line.index,
            job_id=line.job_id,
            state=line.state,
            width=line.width,
            height=line.height,
            lower_bound=line.lower_bound,
            upper_bound=line.upper_bound,
            moves=moves,
            message=WITHDRAWN if line.withdrawn else line.message,
            metric=line.metric,
        )

    def _moves(self, line: BatchLine) -> MoveSequence | None:
        if line.head is None:
            return None
        if not line.head.long:
            with told_of(("solve", line.head.solve_id)):
                return unpack(line.head.packed)
        # One line's at a time: all of a page could be gigabytes.
        with self._storage.reading() as session:
            return session.solutions.best(line.head.solve_id)


def _row(line: BatchLine, cells: int) -> BatchRowView:
    small = line.width * line.height <= cells
    with told_of(("job", line.job_id)):
        board, goal = (
            (unpack_board(line.board_bytes), unpack_board(line.goal_bytes))
            if small
            else (None, None)
        )
    return BatchRowView(
        index=line.index,
        job_id=line.job_id,
        state=line.state,
        width=line.width,
        height=line.height,
        board=board,
        goal=goal,
        lower_bound=line.lower_bound,
        upper_bound=line.upper_bound,
        seconds=None if line.finished_at is None else line.finished_at - line.created_at,
        message=WITHDRAWN if line.withdrawn else line.message,
    )


def _prepared(start: Board, goal: Board, metric: Metric) -> Prepared | UnsolvableError:
    try:
        return prepare(start, goal, metric)
    except UnsolvableError as error:
        return error


def _key(item: Prepared | UnsolvableError) -> str:
    return item.puzzle.key if isinstance(item, Prepared) else ""


def _failed(
    submission: BatchSubmission, start: Board, goal: Board, message: Message, slot: Slot
) -> NewJob:
    return NewJob(
        id=slot.job_id,
        solve_id=None,
        client_id=submission.client_id,
        board_bytes=pack_board(start),
        goal_bytes=pack_board(goal),
        width=start.width,
        height=start.height,
        transform="",
        metric=submission.metric,
        target=submission.target,
        course=Course(submission.algorithm, submission.heuristic),
        time_limit_s=0.0,
        deadline=slot.now,
        queue=Queue.BATCH,
        state=JobState.FAILED,
        cached=False,
        created_at=slot.now,
        finished_at=slot.now,
        batch_id=slot.batch_id,
        batch_index=slot.batch_index,
        message=message,
    )


def _no_batch(batch_id: str) -> NotFoundError:
    return NotFoundError("no-batch", "there is no batch {id!r}", id=batch_id[:MOST_QUOTED])
