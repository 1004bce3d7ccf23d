"""A mixed load: each client posts, repeats, cancels and polls in its own random sequence."""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

from tools.benchmarks.client import Connection, Response
from tools.chaos import puzzles
from tools.chaos.history import History, Job
from tools.chaos.puzzles import Puzzle

MAX_UNFINISHED: Final = 40
"""Limit for each client, so that a run comes to an end."""

NO_RESPONSE: Final = 0
"""The status if no response arrived."""

JOBS: Final = "/api/v1/jobs?brief=true"
_TIMEOUT_S: Final = 10.0
_RETRY_S: Final = 120.0
_EXPECTED: Final = (200, 202, 304, 403, 404, 429, 503)
_PAUSE_S: Final = 0.05
_LIST_SHARE: Final = 0.05


class ApiClient:
    """A connection with a cookie; every response is recorded in the history."""

    def __init__(self, server: str, history: History) -> None:
        self._history = history
        self._connection = Connection(server, _TIMEOUT_S)
        self.close = self._connection.close

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Send a request once; record an unexpected status as an error."""
        try:
            response = self._connection.request(method, path, body, **headers)
        except OSError:
            response = Response(NO_RESPONSE, {}, b"")
        self._history.count_answer(str(response.status or "none"))
        if response.status not in (NO_RESPONSE, *_EXPECTED):
            text = f"{response.status}: {response.body[:300]!r}"
            self._history.add_error(f"{method} {path} was answered with {text}")
        return response

    def retry(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Repeat an idempotent request until it is answered, for at most two minutes."""
        deadline = time.monotonic() + _RETRY_S
        while True:
            response = self.request(method, path, body, **headers)
            if response.status not in (NO_RESPONSE, 429, 503) or time.monotonic() > deadline:
                return response
            time.sleep(0.2)


class LoadClient(threading.Thread):
    def __init__(
        self, number: int, server: str, history: History, seed: int, first_puzzle: Puzzle | None
    ) -> None:
        super().__init__(name=f"client-{number}")
        self._number = number
        self._first_puzzle = first_puzzle
        self._history = history
        self._client = ApiClient(server, history)
        self._rng = random.Random(f"{seed}/{number}")
        self._jobs: list[Job] = []  # posted by this client
        self._unfinished: list[Job] = []
        self._stopping = threading.Event()

    def run(self) -> None:
        actions: dict[Callable[[], object], int] = {
            lambda: self._post(puzzles.draw_3x3(self._rng)): 6,
            self._post_batch: 2,
            lambda: self._post(self._draw_from_solution(4, 40, 54, 66)): 5,
            self._post_5x5: 4,
            self._post_large: 1,
            self._post_again: 4,
            self._post_with_key: 3,
            self._cancel: 2,
            self._cancel_job_of_another_client: 1,
        }
        try:
            if self._first_puzzle is not None:
                self._post(self._first_puzzle)
            while not self._stopping.wait(_PAUSE_S * self._rng.uniform(0.2, 2.0)):
                if len(self._unfinished) < MAX_UNFINISHED:
                    [action] = self._rng.choices(list(actions), list(actions.values()))
                    action()
                self._poll()
        except Exception as error:
            self._history.add_error(f"a client raised {error!r}")
            raise
        finally:
            self._client.close()

    def stop(self) -> None:
        self._stopping.set()

    def _draw_from_solution(self, side: int, *lengths: int) -> Puzzle:
        return puzzles.draw_from_solution(self._rng, side, self._rng.choice(lengths))

    def _post_5x5(self) -> None:
        if self._rng.random() < 0.5:
            limit = self._rng.choice((None, None, 4.0))
            self._post(self._draw_from_solution(5, 56, 66, 72), limit)
        else:
            # A proof for these boards may take any time.
            board = puzzles.walk_randomly(self._rng, 5, self._rng.randint(60, 120))
            self._post(board, self._rng.uniform(3.0, 10.0))

    def _post_large(self) -> None:
        side = self._rng.choice((7, 10, 16, 30))
        self._post(puzzles.draw_board(self._rng, side), self._rng.uniform(0.5, 2.5))

    def _post_again(self) -> None:
        if self._jobs:
            job = self._rng.choice(self._jobs)
            is_mirrored = self._rng.random() < 0.5
            self._post(job.puzzle.mirror() if is_mirrored else job.puzzle, job.time_limit_s)

    def _post(self, puzzle: Puzzle, limit: float | None = None) -> None:
        """Post once; without a response, it is unknown whether a job exists."""
        request = {"board": puzzle.tiles} | ({} if limit is None else {"time_limit_s": limit})
        response = self._client.request("POST", JOBS, request)
        if response.status in (200, 202):
            self._add_job(response.document, puzzle, limit)

    def _post_with_key(self) -> None:
        """Post twice with an idempotency key until answered; both responses must name one job."""
        puzzle = self._rng.choice((puzzles.draw_3x3(self._rng), self._draw_from_solution(4, 40)))
        key = str(uuid.UUID(int=self._rng.getrandbits(128), version=4))
        ids = set()
        for _ in range(2):
            request = {"board": puzzle.tiles}
            response = self._client.retry("POST", JOBS, request, Idempotency_Key=key)
            if response.status not in (200, 202):
                return
            ids.add(self._add_job(response.document, puzzle, None).id)
        if len(ids) != 1:
            self._history.add_error(f"one idempotency key created the jobs {sorted(ids)}")

    def _post_batch(self) -> None:
        batch = [puzzles.draw_3x3(self._rng) for _ in range(self._rng.randint(10, 40))]
        boards = [puzzle.tiles for puzzle in batch]
        response = self._client.request("POST", "/api/v1/batches", boards)
        if response.status != 202:
            return
        path = response.document["links"]["self"]
        results = self._client.retry("GET", f"{path}/results?format=jsonl")
        if results.status == 200:
            lines = results.body.decode().splitlines()
            for puzzle, line in zip(batch, lines, strict=True):
                job = Job(json.loads(line)["job_id"], self._number, puzzle, None)
                self._jobs.append(self._history.add_job(job))

    def _cancel(self) -> None:
        if self._unfinished:
            job = self._rng.choice(self._unfinished)
            job.cancelled_by_owner = True
            path = f"/api/v1/jobs/{job.id}?brief=true"
            self._record_response(job, self._client.request("DELETE", path))

    def _cancel_job_of_another_client(self) -> None:
        """Try to cancel a job of another client, which must be rejected."""
        jobs = [job for job in list(self._history.jobs.values()) if job.client != self._number]
        if jobs:
            job = self._rng.choice(jobs[-50:])
            status = self._client.request("DELETE", f"/api/v1/jobs/{job.id}").status
            if status not in (NO_RESPONSE, 403, 503):
                self._history.add_error(f"cancelling job {job.id} of another client: {status}")

    def _poll(self) -> None:
        """Read one unfinished job, or now and then a list; neither may show less than before."""
        if self._unfinished and self._rng.random() < _LIST_SHARE:
            response = self._client.request("GET", f"{JOBS}&limit=20")
            jobs = {job.id: job for job in self._unfinished}
            for document in response.document["jobs"] if response.status == 200 else ():
                if document["id"] in jobs:
                    jobs[document["id"]].documents.append(document)
        elif self._unfinished:
            job = self._rng.choice(self._unfinished)
            path = f"/api/v1/jobs/{job.id}?brief=true&wait=0.1"
            self._record_response(job, self._client.request("GET", path))

    def _record_response(self, job: Job, response: Response) -> None:
        if response.status == 404:
            self._history.add_error(f"the job {job.id} has disappeared")
        if response.status == 200:
            job.documents.append(response.document)
            if job.has_ended and job in self._unfinished:
                self._unfinished.remove(job)

    def _add_job(self, document: dict[str, Any], puzzle: Puzzle, limit: float | None) -> Job:
        job = self._history.add_job(Job(document["id"], self._number, puzzle, limit))
        job.documents.append(document)
        if job not in self._jobs:
            self._jobs.append(job)
            if not job.has_ended:
                self._unfinished.append(job)
        return job
