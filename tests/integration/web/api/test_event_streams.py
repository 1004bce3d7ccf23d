"""Event streams of a server as in production, because only it can wait for the next event."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import delete

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3
from tests.support.app_server import serve_pages
from tests.support.pending_work import make_worker
from tests.support.waiting import TIMEOUT_S, wait_until
from tilework.core.errors import UnavailableError
from tilework.core.model.jobs import JobView
from tilework.core.storage.models import job
from tilework.web import events


def submit(address: str, kind: str, body: object) -> str:
    response = httpx2.post(f"{address}/api/v1/{kind}", json=body)
    return f"{address}{response.headers['Location']}"


def submit_job(address: str) -> str:
    return submit(address, "jobs", {"board": EASY_3X3})


def open_stream(url: str, headers: dict[str, str] | None = None) -> Any:
    return httpx2.stream("GET", url, headers=headers, timeout=TIMEOUT_S)


def read_events(response: httpx2.Response) -> Iterator[tuple[str, Any]]:
    """Yield the id and the document of each event."""
    lines = response.iter_lines()
    for line in lines:
        if line.startswith("id: "):
            yield line.removeprefix("id: "), json.loads(next(lines).removeprefix("data: "))


def test_events_are_the_documents_of_polls_until_the_end(tmp_path: Path) -> None:
    with serve_pages(tmp_path) as (address, services), ExitStack() as stack:
        urls = [submit_job(address), submit(address, "batches", [EASY_3X3, FARTHEST_3X3])]
        before = [httpx2.get(url).json() for url in urls]
        streams = [read_events(stack.enter_context(open_stream(f"{url}/events"))) for url in urls]
        for events, document in zip(streams, before, strict=True):
            assert next(events) == (document["version"], document)
        make_worker(services)()
        for url, events, document in zip(urls, streams, before, strict=True):
            end = httpx2.get(f"{url}?wait=20&since={document['version']}").json()
            assert end["version"] != document["version"]
            assert list(events)[-1] == (end["version"], end)
            with open_stream(f"{url}/events?since={document['version']}") as response:
                assert list(read_events(response)) == [(end["version"], end)]
            with open_stream(
                f"{url}/events?since=1", {"Last-Event-ID": end["version"]}
            ) as response:
                assert response.status_code == 204, "browsers do not connect again"


def test_stream_ends_when_its_job_is_deleted_or_its_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_HEARTBEAT_S", 0.01)
    with serve_pages(tmp_path) as (address, services):
        url = f"{submit_job(address)}/events?brief=true&lang=pt"
        with open_stream(url) as response:
            assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
            assert response.headers["Content-Language"] == "pt"
            lines = response.iter_lines()
            assert next(lines) == "retry: 1000"
            while next(lines) != ": ":
                pass
            with services.storage.engine(writes=True).begin() as connection:
                connection.execute(delete(job))
            assert set(lines) <= {": ", ""}
        assert httpx2.get(url).json()["type"] == "urn:tilework:problem:not-found"
    monkeypatch.setattr("tilework.web.events.MAX_STREAM_S", 0.0)
    with (
        serve_pages(tmp_path) as (address, _),
        open_stream(f"{submit_job(address)}/events") as response,
    ):
        assert [document["state"] for _, document in read_events(response)] == ["queued"]


def test_stream_survives_a_failed_reading_and_ends_while_the_database_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [1]

    def read() -> Any:
        if not failures:
            return reading()
        failures.pop()
        raise UnavailableError("unavailable", "no database")

    with serve_pages(tmp_path) as (address, services), monkeypatch.context() as patch:
        url = submit_job(address)
        version = httpx2.get(url).json()["version"]
        with open_stream(f"{url}/events?since={version}") as response:
            lines = response.iter_lines()
            assert next(lines) == "retry: 1000"
            reading = services.storage.reading
            patch.setattr(services.storage, "reading", read)
            # The second is sent although nothing has changed.
            assert [next(lines) for _ in range(5)] == ["", ": ", "", ": ", ""]
            failures.extend([1] * 1_000)
            assert list(lines) == []


def test_open_streams_are_limited_and_end_with_the_server(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with serve_pages(tmp_path, max_streams=2, max_streams_per_client=1) as (address, services):
            url = f"{submit_job(address)}/events"
            key = {"Authorization": f"Bearer {services.clients.create_key('second')[1]}"}

            def read_status(headers: dict[str, str] | None = None) -> int:
                with open_stream(url, headers) as response:
                    if response.is_error:
                        assert int(response.headers["Retry-After"]) > 0
                        assert response.read().startswith(b'{"type":"urn:tilework:problem:')
                    return response.status_code

            with open_stream(url) as first:
                assert first.status_code == 200
                assert read_status() == 429
                second = stack.enter_context(open_stream(url, key))
                assert second.status_code == 200
                assert read_status(key) == 503
            wait_until(lambda: read_status() == 200)
        # The server has stopped, without breaking off the response.
        assert len(list(read_events(second))) == 1


def test_one_address_cannot_open_all_streams(tmp_path: Path) -> None:
    limits = {"max_streams_per_client": 2, "max_streams_of_one": 3}
    with serve_pages(tmp_path, **limits) as (address, _services), ExitStack() as stack:

        def open_until_refused() -> list[httpx2.Response]:
            """Open streams as a new client."""
            transport = httpx2.HTTPTransport(local_address="127.0.0.2")
            client = stack.enter_context(httpx2.Client(transport=transport, timeout=TIMEOUT_S))
            location = client.post(f"{address}/api/v1/jobs", json={"board": EASY_3X3})
            url = f"{address}{location.headers['Location']}/events"
            responses: list[httpx2.Response] = []
            while not responses or responses[-1].status_code == 200:
                responses.append(stack.enter_context(client.stream("GET", url)))
            return responses

        while len(responses := open_until_refused()) > 1:
            pass
        refusal = responses[0]
        assert refusal.status_code == 429
        assert "from this address" in refusal.read().decode()
        with open_stream(f"{submit_job(address)}/events") as response:
            assert response.status_code == 200, "for another address"


def test_requests_do_not_wait_for_the_streams_of_their_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read, is_reading = threading.Event(), threading.Event()
    may_read.set()
    with serve_pages(tmp_path) as (address, services), ExitStack() as stack:
        view = services.read.view

        def view_slowly(job_id: str, *, brief: bool = False) -> JobView:
            is_reading.set()
            assert may_read.wait(TIMEOUT_S)
            return view(job_id, brief=brief)

        monkeypatch.setattr(services.read, "view", view_slowly)
        url = submit_job(address)
        streams = [
            read_events(stack.enter_context(open_stream(f"{url}/events"))) for _ in range(12)
        ]
        for events in streams:
            next(events)
        is_reading.clear()
        may_read.clear()
        stack.callback(may_read.set)
        make_worker(services)()
        assert is_reading.wait(TIMEOUT_S)
        check = httpx2.post(f"{address}/api/v1/boards/check", json={"board": EASY_3X3}, timeout=60)
        assert check.status_code == 200
        may_read.set()
        for events in streams:
            assert list(events)[-1][1]["state"] == "optimal"
