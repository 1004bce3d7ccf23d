"""Taking many boards in one request."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from tilework.core.errors import OptionError, UnsolvableError
from tilework.core.messages import Message
from tilework.core.model.batches import BatchView
from tilework.core.model.jobs import Job, batch_not_found
from tilework.core.model.states import JobState, Queue, new_id
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_board
from tilework.core.services.jobs.intake import TURN_S, Intake, Prepared, prepare
from tilework.core.services.jobs.submission import Submission, check_board
from tilework.core.services.tickets import announce

# Boards in one transaction: enough to make commits cheap, few enough to let others write.
CHUNK = 20

# Between two of them others write for as long as one took, and no less than this (seconds).
PAUSE_S = 0.01


class SubmitBatch(Intake):
    """Takes many boards."""

    def __call__(self, submission: Submission) -> BatchView:
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
        if not 0 < len(submission.boards) <= self._settings.max_batch:
            raise OptionError(
                "batch-size",
                "invalid batch of {count} boards; give 1 to {most}",
                count=len(submission.boards),
                most=self._settings.max_batch,
            )
        for place, (start, goal) in enumerate(submission.boards, start=1):
            try:
                check_board(start, goal, submission.options, self._settings)
            except OptionError as error:
                raise OptionError(
                    Message(
                        error.code,
                        "board {place} of the batch: {fault}",
                        place=place,
                        fault=error.message,
                    )
                ) from error
        metric = submission.options.metric
        prepared = [_prepared(start, goal, metric) for start, goal in submission.boards]
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
        key, fingerprint = submission.idempotency_key, submission.fingerprint()
        with self._storage.writing() as session:
            self._know(session, client_id, now)
            earlier = session.idempotency.claim(client_id, key, fingerprint, now, batch_id=batch_id)
            if earlier is not None and earlier[1] is not None:
                return earlier[1]
            mine = self._admit(session, client_id, len(prepared))
            session.batches.add(batch_id, client_id, len(prepared), now)
        self._remember(client_id)
        for first in range(0, len(prepared), CHUNK):
            chunk = range(first, min(first + CHUNK, len(prepared)))
            # In the order of their keys, so that two batches never wait for each other's rows.
            ordered = sorted(chunk, key=lambda index: _key(prepared[index]))
            priorities = [(index, now + (mine + index) * TURN_S) for index in ordered]
            store = partial(self._store_chunk, submission, prepared, priorities, batch_id, now)
            began = time.monotonic()
            announce(self._tickets, self._repair.run(store))
            # Who waits for the right to write meanwhile gets it; it would be taken again at once.
            time.sleep(max(PAUSE_S, time.monotonic() - began))
        return batch_id

    def _store_chunk(
        self,
        submission: Submission,
        prepared: Sequence[Prepared | UnsolvableError],
        priorities: Sequence[tuple[int, float]],
        batch_id: str,
        now: float,
    ) -> list[Queue | None]:
        """Store the boards of some places, each with its turn; return where there is new work."""
        queues: list[Queue | None] = []
        with self._storage.writing() as session:
            for place, priority in priorities:
                item = prepared[place]
                if isinstance(item, Prepared):
                    job = self._job(submission, item, now, batch_id, place)
                    queues.append(self._place(session, item, job, priority))
                else:
                    session.jobs.add([_failed(submission, batch_id, place, item.message, now)])
        return queues


def _prepared(start: Board, goal: Board, metric: Metric) -> Prepared | UnsolvableError:
    try:
        return prepare(start, goal, metric)
    except UnsolvableError as error:
        return error


def _key(item: Prepared | UnsolvableError) -> str:
    return item.puzzle.key if isinstance(item, Prepared) else ""


def _failed(submission: Submission, batch_id: str, place: int, message: Message, now: float) -> Job:
    start, goal = submission.boards[place]
    return Job(
        id=new_id(),
        client_id=submission.client_id,
        options=submission.options.model_copy(update={"time_limit_s": 0.0}),
        width=start.width,
        height=start.height,
        transform="",
        created_at=now,
        deadline=now,
        queue=Queue.BATCH,
        state=JobState.FAILED,
        batch_id=batch_id,
        batch_index=place,
        finished_at=now,
        message=message,
        board_bytes=pack_board(start),
        goal_bytes=pack_board(goal),
    )
