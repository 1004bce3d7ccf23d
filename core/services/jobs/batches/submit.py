"""Taking many boards in one request."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from tilework.core.errors import OptionError, UnsolvableError
from tilework.core.messages import Message
from tilework.core.model.batches import BatchView
from tilework.core.model.job_views import EarlierRequest
from tilework.core.model.jobs import NewJob, no_batch
from tilework.core.model.solves import Course
from tilework.core.model.states import JobState, Queue, new_id
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_board
from tilework.core.services.jobs.idempotent import claim_key
from tilework.core.services.jobs.intake import TURN_S, Prepared, Slot, Submitting, prepare
from tilework.core.services.jobs.submission import BatchSubmission, check_item
from tilework.core.services.tickets import announce
from tilework.core.storage.session import Session

# Boards in one transaction: enough to make commits cheap, few enough to let others write.
CHUNK = 20

# Between two of them others write for as long as one took, and no less than this (seconds).
PAUSE_S = 0.01


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
            raise no_batch(batch_id)
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
