"""A mixed load: each client posts, repeats, cancels and looks, by its own stream of choices."""

from __future__ import annotations

import json
import random
import threading
import uuid
from collections.abc import Callable
from typing import Any, Final

from tools.chaos.load import boards
from tools.chaos.load.boards import Puzzle
from tools.chaos.load.client import Client
from tools.chaos.load.history import History, Job

UNFINISHED: Final = 40
"""Most unfinished jobs of a client, so that a run comes to its end."""

_PAUSE_S: Final = 0.05
_BATCH: Final = (10, 40)


class Visitor(threading.Thread):
    """A client and what it does until it is told to stop.

    Parameters
    ----------
    number : int
        Its name in the history.
    first : Puzzle, optional
        What it posts before all else.
    """

    def __init__(
        self, number: int, port: int, history: History, seed: int, first: Puzzle | None = None
    ) -> None:
        super().__init__(name=f"visitor-{number}")
        self._number = number
        self._first = first
        self._history = history
        self._client = Client(port, history)
        self._choose = random.Random(f"{seed}/{number}")
        self._open: list[Job] = []
        self._mine: list[Job] = []
        self._ending = threading.Event()

    def run(self) -> None:
        """Do one thing after the other."""
        deeds: dict[Callable[[], None], int] = {
            self._small: 6,
            self._batch: 2,
            self._middle: 5,
            self._large: 4,
            self._huge: 1,
            self._again: 4,
            self._twice: 3,
            self._cancel: 2,
            self._meddle: 1,
        }
        try:
            if self._first is not None:
                self._post(self._first)
            while not self._ending.wait(_PAUSE_S * self._choose.uniform(0.2, 2.0)):
                if len(self._open) < UNFINISHED:
                    [deed] = self._choose.choices(list(deeds), list(deeds.values()))
                    deed()
                self._look()
        except Exception as error:
            self._history.wrong(f"a visitor met {error!r}")
            raise
        finally:
            self._client.close()

    def stop(self) -> None:
        """Have it end after what it is at."""
        self._ending.set()

    def _small(self) -> None:
        self._post(boards.small(self._choose))

    def _middle(self) -> None:
        self._post(boards.middle(self._choose, self._choose.choice((40, 54, 66))))

    def _large(self) -> None:
        if self._choose.random() < 0.5:
            limit = self._choose.choice((None, None, 4.0))
            self._post(boards.large(self._choose, self._choose.choice((56, 66, 72))), limit)
        else:
            # Nobody knows how long a proof of these takes.
            board = boards.walked(self._choose, 5, self._choose.randint(60, 120))
            self._post(board, self._choose.uniform(3.0, 10.0))

    def _huge(self) -> None:
        side = self._choose.choice((7, 10, 16, 30))
        self._post(boards.huge(self._choose, side), self._choose.uniform(0.5, 2.5))

    def _again(self) -> None:
        if self._mine:
            job = self._choose.choice(self._mine)
            mirrored = self._choose.random() < 0.5
            self._post(job.puzzle.mirrored() if mirrored else job.puzzle, job.time_limit_s)

    def _post(self, puzzle: Puzzle, limit: float | None = None) -> None:
        """Post once; without an answer nobody knows whether there is a job."""
        answer = self._client.ask("POST", "/api/v1/jobs?brief=true", _request(puzzle, limit))
        if answer.status in (200, 202):
            self._accept(answer.document, puzzle, limit)

    def _twice(self) -> None:
        """Post with a key until it is answered, and once more: both are the same job."""
        puzzle = self._choose.choice((boards.small(self._choose), boards.middle(self._choose, 40)))
        key = {"Idempotency-Key": str(uuid.UUID(int=self._choose.getrandbits(128), version=4))}
        ids = set()
        for _ in range(2):
            answer = self._client.insist("POST", "/api/v1/jobs?brief=true", _request(puzzle), key)
            if answer.status not in (200, 202):
                return
            ids.add(self._accept(answer.document, puzzle, None).id)
        if len(ids) != 1:
            self._history.wrong(f"one idempotency key made the jobs {sorted(ids)}")

    def _batch(self) -> None:
        puzzles = [boards.small(self._choose) for _ in range(self._choose.randint(*_BATCH))]
        body = [puzzle.tiles for puzzle in puzzles]
        answer = self._client.ask("POST", "/api/v1/batches", body)
        if answer.status != 202:
            return
        self._history.batches += 1
        address = answer.document["links"]["self"]
        results = self._client.insist("GET", f"{address}/results?format=jsonl")
        lines = results.body.decode().splitlines()
        if results.status == 200:
            for puzzle, line in zip(puzzles, lines, strict=True):
                job = Job(json.loads(line)["job_id"], self._number, puzzle, None)
                self._mine.append(self._history.accept(job))

    def _cancel(self) -> None:
        if self._open:
            job = self._choose.choice(self._open)
            job.cancelled_by_owner = True
            self._see(job, self._client.ask("DELETE", f"/api/v1/jobs/{job.id}?brief=true"))

    def _meddle(self) -> None:
        """Try to cancel what is another's: it is refused."""
        others = [job for job in list(self._history.jobs.values()) if job.client != self._number]
        if others:
            job = self._choose.choice(others[-50:])
            answer = self._client.ask("DELETE", f"/api/v1/jobs/{job.id}")
            if answer.status not in (None, 403, 503):
                self._history.wrong(f"cancelling another's job {job.id}: {answer.status}")

    def _look(self) -> None:
        if self._open:
            job = self._choose.choice(self._open)
            self._see(job, self._client.ask("GET", f"/api/v1/jobs/{job.id}?brief=true&wait=0.1"))

    def _see(self, job: Job, answer: Any) -> None:
        if answer.status == 404:
            self._history.wrong(f"the job {job.id} is not there any more")
        if answer.status == 200:
            job.seen.append(answer.document)
            if job.ended and job in self._open:
                self._open.remove(job)

    def _accept(self, document: dict[str, Any], puzzle: Puzzle, limit: float | None) -> Job:
        job = self._history.accept(Job(document["id"], self._number, puzzle, limit))
        job.seen.append(document)
        if job not in self._mine:
            self._mine.append(job)
            if not job.ended:
                self._open.append(job)
        return job


def _request(puzzle: Puzzle, limit: float | None = None) -> dict[str, Any]:
    request: dict[str, Any] = {"board": puzzle.tiles}
    if limit is not None:
        request["time_limit_s"] = round(limit, 2)
    return request
