"""A client survives a server that is busy, starting, slow, or loses its connections."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from tests.support.http_server import respond, serve
from tilework import Client, UnfinishedError
from tilework.core.errors import UnavailableError

JOB_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
BOARD = "1 2 3 / 4 5 6 / 0 7 8"
GOAL = [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
VIEW = {
    "id": JOB_ID,
    "state": "queued",
    "version": "1",
    "options": {"metric": "moves", "algorithm": "auto"},
    **{"lower_bound": 2, "upper_bound": None, "progress": 0.0, "nodes": 0, "search_s": 0.0},
    "finished_at": None,
}
ENDED = VIEW | {"state": "optimal", "version": "2", "upper_bound": 2, "finished_at": 1.0}
SOLUTION = {
    "start": [[1, 2, 3], [4, 5, 6], [0, 7, 8]],
    "goal": GOAL,
    "moves": "LL",
    "metric": "moves",
    "lower_bound": 2,
}

Answer = Callable[[BaseHTTPRequestHandler], None]


def busy(status: int, retry_after: str | None = None, kind: str = "overload") -> Answer:
    problem = {"type": f"urn:tilework:problem:{kind}", "code": "busy", "detail": "too much to do"}
    headers = {} if retry_after is None else {"Retry_After": retry_after}
    return lambda request: respond(request, status, json.dumps(problem).encode(), **headers)


def proxy_error(request: BaseHTTPRequestHandler) -> None:
    respond(request, 502, b"<h1>Bad gateway</h1>")


def drop(request: BaseHTTPRequestHandler) -> None:
    """Close the connection without an answer."""


def break_off(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b'{"id"')


def answer(document: dict[str, object], status: int = 200, delay: float = 0.0) -> Answer:
    def send(request: BaseHTTPRequestHandler) -> None:
        time.sleep(delay)
        respond(request, status, json.dumps(document).encode())

    return send


class Script:
    """Answers by method and path, one after the other; the last is repeated."""

    def __init__(self, **answers: list[Answer]) -> None:
        self.answers = answers
        self.requests: list[tuple[str, str | None]] = []

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        length = int(request.headers.get("Content-Length", 0))
        request.rfile.read(length)
        path = request.path.partition("?")[0]
        name = "submit" if request.command == "POST" else path.rpartition("/")[2]
        name = "job" if name == JOB_ID else name
        self.requests.append((name, request.headers["Idempotency-Key"]))
        answers = self.answers[name]
        (answers.pop(0) if len(answers) > 1 else answers[0])(request)

    def count(self, name: str) -> int:
        return sum(name == other for other, _ in self.requests)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The pauses of the client, which take no time."""
    taken: list[float] = []
    monkeypatch.setattr("tilework.core.remote.sleep", taken.append)
    return taken


def test_job_is_solved_in_one_call_despite_every_failure(pauses: list[float]) -> None:
    script = Script(
        submit=[busy(503, "3"), drop, break_off, proxy_error, answer(VIEW, 202, delay=0.2)],
        job=[busy(429, "7"), drop, answer(VIEW, delay=0.2), busy(503), break_off, answer(ENDED)],
        solution=[proxy_error, drop, answer(SOLUTION)],
    )
    with serve(script) as url, Client(url) as client:
        solution = client.solve(BOARD)
    assert (solution.moves, solution.is_optimal, len(solution)) == ("LL", True, 2)
    keys = [key for name, key in script.requests if name == "submit"]
    assert len(keys) == 5
    assert len(set(keys)) == 1  # the server recognizes a repeated submission
    assert keys[0]
    assert {3.0, 7.0} <= set(pauses)
    assert script.count("job") == 6


@pytest.mark.parametrize("failure", [busy(503), busy(429, "0"), drop, break_off, proxy_error])
def test_failures_end_in_one_error(failure: Answer, pauses: list[float]) -> None:
    script = Script(submit=[failure], job=[answer(VIEW), failure])
    with serve(script) as url, Client(url) as client:
        with pytest.raises(UnavailableError, match=url):
            client.submit(BOARD)
        assert 3 <= script.count("submit") <= 10
        tried, waited = script.count("submit"), sum(pauses)
        with pytest.raises(UnavailableError, match=url):
            client.job(JOB_ID).wait()
        # A wait is more patient: the server may be restarted in the meantime.
        assert script.count("job") - 1 > tried
        assert 60 < sum(pauses) - waited < 600


def test_retries_respect_the_time_to_wait() -> None:
    script = Script(job=[answer(VIEW), busy(503, "60")])
    with serve(script) as url, Client(url) as client:
        job = client.job(JOB_ID)
        with pytest.raises(UnavailableError, match="too much to do"):
            job.wait(30)
        script.answers["job"] = [answer(VIEW)]
        with pytest.raises(UnfinishedError, match=r"has not ended after 0\.01 s") as info:
            job.wait(0.01)
        assert isinstance(info.value, TimeoutError)


def test_what_cannot_succeed_is_reported_at_once(pauses: list[float]) -> None:
    script = Script(submit=[busy(429, "5", kind="quota")])
    with serve(script) as url, Client(url) as client, pytest.raises(UnavailableError):
        client.submit(BOARD)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with (
            Client(f"http://127.0.0.1:{unused.getsockname()[1]}") as client,
            pytest.raises(UnavailableError, match="no server answers"),
        ):
            client.submit(BOARD)
    assert (script.count("submit"), pauses) == (1, [])


def test_wait_is_patient_with_a_server_that_is_gone(pauses: list[float]) -> None:
    with serve(Script(job=[answer(VIEW)])) as url:
        client = Client(url)
        job = client.job(JOB_ID)
    with client, pytest.raises(UnavailableError, match=f"no server answers at {url}"):
        job.wait()
    assert 60 < sum(pauses) < 600
