"""A mixed load: each client posts, repeats, cancels and polls, by its own random sequence."""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

from tools.benchmarks.harness.client import Connection, Response
from tools.chaos import puzzles
from tools.chaos.history import History, Job
from tools.chaos.puzzles import Puzzle

MAX_UNFINISHED: Final = 40
"""Jobs of a client, so that a run comes to an end."""

NO_ANSWER: Final = 0
"""The status where no answer arrived."""

JOBS: Final = "/api/v1/jobs?brief=true"
_TIMEOUT_S: Final = 10.0
_RETRY_S: Final = 120.0
_EXPECTED: Final = (200, 202, 304, 403, 404, 429, 503)
_PAUSE_S: Final = 0.05


class ApiClient:
    """A connection with a cookie, which records every answer in the history."""

    def __init__(self, server: str, history: History) -> None:
        self._history = history
        self._connection = Connection(server, _TIMEOUT_S)

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Send a request once; record an unexpected status as an error."""
        try:
            response = self._connection.request(method, path, body, **headers)
        except OSError:
            self._history.count_answer("none")
            return Response(NO_ANSWER, {}, b"")
        self._history.count_answer(str(response.status))
        if response.status not in _EXPECTED:
            text = f"{response.status}: {response.body[:300]!r}"
            self._history.add_error(f"{method} {path} was answered {text}")
        return response

    def retry(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Repeat an idempotent request until it is answered, for at most two minutes."""
        deadline = time.monotonic() + _RETRY_S
        while True:
            response = self.request(method, path, body, **headers)
            if response.status not in (NO_ANSWER, 429, 503) or time.monotonic() > deadline:
                return response
            time.sleep(0.2)

    def close(self) -> None:
        self._connection.close()


class LoadClient(threading.Thread):
    def __init__(
        self, number: int, server: str, history: History, seed: int, first: Puzzle | None = None
    ) -> None:
        super().__init__(name=f"client-{number}")
        self._number = number
        self._first = first
        self._history = history
        self._client = ApiClient(server, history)
        self._choose = random.Random(f"{seed}/{number}")
        self._unfinished: list[Job] = []
        self._posted: list[Job] = []
        self._stopping = threading.Event()

    def run(self) -> None:
        actions: dict[Callable[[], object], int] = {
            lambda: self._post(puzzles.random_3x3(self._choose)): 6,
            self._post_batch: 2,
            lambda: self._post(self._puzzle_4x4((40, 54, 66))): 5,
            self._post_5x5: 4,
            self._post_large: 1,
            self._post_again: 4,
            self._post_with_key: 3,
            self._cancel: 2,
            self._cancel_of_another: 1,
        }
        try:
            if self._first is not None:
                self._post(self._first)
            while not self._stopping.wait(_PAUSE_S * self._choose.uniform(0.2, 2.0)):
                if len(self._unfinished) < MAX_UNFINISHED:
                    [action] = self._choose.choices(list(actions), list(actions.values()))
                    action()
                self._poll()
        except Exception as error:
            self._history.add_error(f"a client raised {error!r}")
            raise
        finally:
            self._client.close()

    def stop(self) -> None:
        self._stopping.set()

    def _puzzle_4x4(self, lengths: tuple[int, ...]) -> Puzzle:
        return puzzles.on_solution(self._choose, 4, self._choose.choice(lengths))

    def _post_5x5(self) -> None:
        if self._choose.random() < 0.5:
            limit = self._choose.choice((None, None, 4.0))
            length = self._choose.choice((56, 66, 72))
            self._post(puzzles.on_solution(self._choose, 5, length), limit)
        else:
            # A proof of these may take any time.
            board = puzzles.random_walk(self._choose, 5, self._choose.randint(60, 120))
            self._post(board, self._choose.uniform(3.0, 10.0))

    def _post_large(self) -> None:
        side = self._choose.choice((7, 10, 16, 30))
        self._post(puzzles.shuffle(self._choose, side), self._choose.uniform(0.5, 2.5))

    def _post_again(self) -> None:
        if self._posted:
            job = self._choose.choice(self._posted)
            mirrored = self._choose.random() < 0.5
            self._post(job.puzzle.mirrored() if mirrored else job.puzzle, job.time_limit_s)

    def _post(self, puzzle: Puzzle, limit: float | None = None) -> None:
        """Post once; without an answer it is unknown whether there is a job."""
        response = self._client.request("POST", JOBS, _request(puzzle, limit))
        if response.status in (200, 202):
            self._accept(response.document, puzzle, limit)

    def _post_with_key(self) -> None:
        """Post with an idempotency key until it is answered, twice: both are the same job."""
        puzzle = self._choose.choice((puzzles.random_3x3(self._choose), self._puzzle_4x4((40,))))
        key = str(uuid.UUID(int=self._choose.getrandbits(128), version=4))
        ids = set()
        for _ in range(2):
            request = _request(puzzle)
            response = self._client.retry("POST", JOBS, request, Idempotency_Key=key)
            if response.status not in (200, 202):
                return
            ids.add(self._accept(response.document, puzzle, None).id)
        if len(ids) != 1:
            self._history.add_error(f"one idempotency key made the jobs {sorted(ids)}")

    def _post_batch(self) -> None:
        batch = [puzzles.random_3x3(self._choose) for _ in range(self._choose.randint(10, 40))]
        response = self._client.request(
            "POST", "/api/v1/batches", [puzzle.tiles for puzzle in batch]
        )
        if response.status != 202:
            return
        path = response.document["links"]["self"]
        results = self._client.retry("GET", f"{path}/results?format=jsonl")
        if results.status == 200:
            lines = results.body.decode().splitlines()
            for puzzle, line in zip(batch, lines, strict=True):
                job = Job(json.loads(line)["job_id"], self._number, puzzle, None)
                self._posted.append(self._history.add_job(job))

    def _cancel(self) -> None:
        if self._unfinished:
            job = self._choose.choice(self._unfinished)
            job.cancelled_by_owner = True
            self._record(job, self._client.request("DELETE", f"/api/v1/jobs/{job.id}?brief=true"))

    def _cancel_of_another(self) -> None:
        """Try to cancel a job of another client, which must be refused."""
        others = [job for job in list(self._history.jobs.values()) if job.client != self._number]
        if others:
            job = self._choose.choice(others[-50:])
            response = self._client.request("DELETE", f"/api/v1/jobs/{job.id}")
            if response.status not in (NO_ANSWER, 403, 503):
                self._history.add_error(f"cancelling another's job {job.id}: {response.status}")

    def _poll(self) -> None:
        if self._unfinished:
            job = self._choose.choice(self._unfinished)
            self._record(
                job, self._client.request("GET", f"/api/v1/jobs/{job.id}?brief=true&wait=0.1")
            )

    def _record(self, job: Job, response: Response) -> None:
        if response.status == 404:
            self._history.add_error(f"the job {job.id} has disappeared")
        if response.status == 200:
            job.seen.append(response.document)
            if job.ended and job in self._unfinished:
                self._unfinished.remove(job)

    def _accept(self, document: dict[str, Any], puzzle: Puzzle, limit: float | None) -> Job:
        job = self._history.add_job(Job(document["id"], self._number, puzzle, limit))
        job.seen.append(document)
        if job not in self._posted:
            self._posted.append(job)
            if not job.ended:
                self._unfinished.append(job)
        return job


def _request(puzzle: Puzzle, limit: float | None = None) -> dict[str, Any]:
    request: dict[str, Any] = {"board": puzzle.tiles}
    if limit is not None:
        request["time_limit_s"] = round(limit, 2)
    return request
