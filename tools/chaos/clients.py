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

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Send a request once; record an unexpected status as an error."""
        try:
            response = self._connection.request(method, path, body, **headers)
        except OSError:
            self._history.count_answer("none")
            return Response(NO_RESPONSE, {}, b"")
        self._history.count_answer(str(response.status))
        if response.status not in _EXPECTED:
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

    def close(self) -> None:
        self._connection.close()


class LoadClient(threading.Thread):
    def __init__(
        self,
        number: int,
        server: str,
        history: History,
        seed: int,
        first_puzzle: Puzzle | None = None,
    ) -> None:
        super().__init__(name=f"client-{number}")
        self._number = number
        self._first_puzzle = first_puzzle
        self._history = history
        self._client = ApiClient(server, history)
        self._rng = random.Random(f"{seed}/{number}")
        self._unfinished_jobs: list[Job] = []
        self._posted_jobs: list[Job] = []
        self._stopping = threading.Event()

    def run(self) -> None:
        actions: dict[Callable[[], object], int] = {
            lambda: self._post(puzzles.draw_3x3(self._rng)): 6,
            self._post_batch: 2,
            lambda: self._post(self._draw_4x4((40, 54, 66))): 5,
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
                if len(self._unfinished_jobs) < MAX_UNFINISHED:
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

    def _draw_4x4(self, lengths: tuple[int, ...]) -> Puzzle:
        return puzzles.draw_from_solution(self._rng, 4, self._rng.choice(lengths))

    def _post_5x5(self) -> None:
        if self._rng.random() < 0.5:
            limit = self._rng.choice((None, None, 4.0))
            length = self._rng.choice((56, 66, 72))
            self._post(puzzles.draw_from_solution(self._rng, 5, length), limit)
        else:
            # A proof for these boards may take any time.
            board = puzzles.walk_randomly(self._rng, 5, self._rng.randint(60, 120))
            self._post(board, self._rng.uniform(3.0, 10.0))

    def _post_large(self) -> None:
        side = self._rng.choice((7, 10, 16, 30))
        self._post(puzzles.draw_board(self._rng, side), self._rng.uniform(0.5, 2.5))

    def _post_again(self) -> None:
        if self._posted_jobs:
            job = self._rng.choice(self._posted_jobs)
            is_mirrored = self._rng.random() < 0.5
            self._post(job.puzzle.mirror() if is_mirrored else job.puzzle, job.time_limit_s)

    def _post(self, puzzle: Puzzle, limit: float | None = None) -> None:
        """Post once; without a response, it is unknown whether a job exists."""
        response = self._client.request("POST", JOBS, _make_request(puzzle, limit))
        if response.status in (200, 202):
            self._add_accepted_job(response.document, puzzle, limit)

    def _post_with_key(self) -> None:
        """Post twice with an idempotency key until answered; both responses must name one job."""
        puzzle = self._rng.choice((puzzles.draw_3x3(self._rng), self._draw_4x4((40,))))
        key = str(uuid.UUID(int=self._rng.getrandbits(128), version=4))
        ids = set()
        for _ in range(2):
            request = _make_request(puzzle)
            response = self._client.retry("POST", JOBS, request, Idempotency_Key=key)
            if response.status not in (200, 202):
                return
            ids.add(self._add_accepted_job(response.document, puzzle, None).id)
        if len(ids) != 1:
            self._history.add_error(f"one idempotency key created the jobs {sorted(ids)}")

    def _post_batch(self) -> None:
        batch = [puzzles.draw_3x3(self._rng) for _ in range(self._rng.randint(10, 40))]
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
                self._posted_jobs.append(self._history.add_job(job))

    def _cancel(self) -> None:
        if self._unfinished_jobs:
            job = self._rng.choice(self._unfinished_jobs)
            job.cancelled_by_owner = True
            self._record_response(
                job, self._client.request("DELETE", f"/api/v1/jobs/{job.id}?brief=true")
            )

    def _cancel_job_of_another_client(self) -> None:
        """Try to cancel a job of another client, which must be rejected."""
        jobs = [job for job in list(self._history.jobs.values()) if job.client != self._number]
        if jobs:
            job = self._rng.choice(jobs[-50:])
            response = self._client.request("DELETE", f"/api/v1/jobs/{job.id}")
            if response.status not in (NO_RESPONSE, 403, 503):
                self._history.add_error(
                    f"cancelling job {job.id} of another client: {response.status}"
                )

    def _poll(self) -> None:
        if self._unfinished_jobs:
            job = self._rng.choice(self._unfinished_jobs)
            self._record_response(
                job, self._client.request("GET", f"/api/v1/jobs/{job.id}?brief=true&wait=0.1")
            )
            if self._rng.random() < _LIST_SHARE:
                self._read_list()

    def _read_list(self) -> None:
        """Read the newest jobs; what the list shows of a job must not get less, either."""
        response = self._client.request("GET", f"{JOBS}&limit=20")
        if response.status == 200:
            unfinished = {job.id: job for job in self._unfinished_jobs}
            for document in response.document["jobs"]:
                if document["id"] in unfinished:
                    unfinished[document["id"]].documents.append(document)

    def _record_response(self, job: Job, response: Response) -> None:
        if response.status == 404:
            self._history.add_error(f"the job {job.id} has disappeared")
        if response.status == 200:
            job.documents.append(response.document)
            if job.has_ended and job in self._unfinished_jobs:
                self._unfinished_jobs.remove(job)

    def _add_accepted_job(
        self, document: dict[str, Any], puzzle: Puzzle, limit: float | None
    ) -> Job:
        job = self._history.add_job(Job(document["id"], self._number, puzzle, limit))
        job.documents.append(document)
        if job not in self._posted_jobs:
            self._posted_jobs.append(job)
            if not job.has_ended:
                self._unfinished_jobs.append(job)
        return job


def _make_request(puzzle: Puzzle, limit: float | None = None) -> dict[str, Any]:
    request: dict[str, Any] = {"board": puzzle.tiles}
    if limit is not None:
        request["time_limit_s"] = round(limit, 2)
    return request
