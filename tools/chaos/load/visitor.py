"""A mixed load: each client posts, repeats, cancels and looks, by its own stream of choices."""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

from tools.benchmarks.harness.client import Answer, Connection
from tools.chaos.load import boards
from tools.chaos.load.boards import Puzzle
from tools.chaos.load.history import History, Job

UNFINISHED: Final = 40
"""Most unfinished jobs of a client, so that a run comes to its end."""

JOBS: Final = "/api/v1/jobs?brief=true"

_TIMEOUT_S: Final = 10.0
_CLEAN: Final = (200, 202, 304, 403, 404, 429, 503)

NONE: Final = 0
"""The status where no answer came."""

_PAUSE_S: Final = 0.05
_BATCH: Final = (10, 40)


class Visit:
    """A connection, its cookie, and the history that is told of every answer."""

    def __init__(self, server: str, history: History) -> None:
        self._history = history
        self._connection = Connection(server, _TIMEOUT_S)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request once; an answer that is not clean is kept as a wrong."""
        try:
            answer = self._connection.ask(method, path, body, **headers)
        except OSError:
            self._history.count("none")
            return Answer(NONE, {}, b"")
        self._history.count(str(answer.status))
        if answer.status not in _CLEAN:
            told = f"{answer.status}: {answer.body[:300]!r}"
            self._history.wrong(f"{method} {path} was answered {told}")
        return answer

    def insist(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request that may be repeated until it is answered, for two minutes."""
        deadline = time.monotonic() + 120.0
        while True:
            answer = self.ask(method, path, body, **headers)
            if answer.status not in (NONE, 429, 503) or time.monotonic() > deadline:
                return answer
            time.sleep(0.2)

    def close(self) -> None:
        self._connection.close()


class Visitor(threading.Thread):
    def __init__(
        self, number: int, server: str, history: History, seed: int, first: Puzzle | None = None
    ) -> None:
        super().__init__(name=f"visitor-{number}")
        self._number = number
        self._first = first
        self._history = history
        self._client = Visit(server, history)
        self._choose = random.Random(f"{seed}/{number}")
        self._open: list[Job] = []
        self._mine: list[Job] = []
        self._ending = threading.Event()

    def run(self) -> None:
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
        answer = self._client.ask("POST", JOBS, _request(puzzle, limit))
        if answer.status in (200, 202):
            self._accept(answer.document, puzzle, limit)

    def _twice(self) -> None:
        """Post with a key until it is answered, and once more: both are the same job."""
        puzzle = self._choose.choice((boards.small(self._choose), boards.middle(self._choose, 40)))
        key = str(uuid.UUID(int=self._choose.getrandbits(128), version=4))
        ids = set()
        for _ in range(2):
            request = _request(puzzle)
            answer = self._client.insist("POST", JOBS, request, Idempotency_Key=key)
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
            if answer.status not in (NONE, 403, 503):
                self._history.wrong(f"cancelling another's job {job.id}: {answer.status}")

    def _look(self) -> None:
        if self._open:
            job = self._choose.choice(self._open)
            self._see(job, self._client.ask("GET", f"/api/v1/jobs/{job.id}?brief=true&wait=0.1"))

    def _see(self, job: Job, answer: Answer) -> None:
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
