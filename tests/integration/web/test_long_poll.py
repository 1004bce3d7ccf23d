"""Long-polls against the real server: as many waiters as there may be never starve the rest."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tilework.core.cli.system.programs import web_command
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade

MOST_WAITERS = 12
OVER = 5


class Browser:
    """Asks the server, each time over a connection of its own, and keeps the cookie."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""

    def ask(self, method: str, path: str, body: object = None) -> Any:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            headers = {"Content-Type": "application/json", "Cookie": self.cookie}
            connection.request(method, path, json.dumps(body), headers)
            answer = connection.getresponse()
            words = answer.read()
            assert answer.status < 400, words
            self.cookie = answer.headers.get("Set-Cookie", self.cookie).split(";")[0]
            return json.loads(words)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    settings = Settings(data_dir=tmp_path, max_waiters=MOST_WAITERS)
    upgrade(settings.database)
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "TILEWORK_DATA_DIR": str(tmp_path),
        "TILEWORK_MAX_WAITERS": str(MOST_WAITERS),
    }
    process = subprocess.Popen(web_command("127.0.0.1", port), env=environment)
    try:
        _await_answer(port, process)
        yield Browser(port)
    finally:
        process.terminate()
        process.wait(30)


def test_waiters_over_the_cap_are_answered_at_once_and_other_requests_go_on(
    browser: Browser,
) -> None:
    job = browser.ask("POST", "/api/v1/jobs", {"board": "1 2 3 4 5 6 0 7 8"})["links"]["self"]
    with ThreadPoolExecutor(MOST_WAITERS + OVER) as pool:
        polls = {
            pool.submit(browser.ask, "GET", f"{job}?wait=20") for _ in range(MOST_WAITERS + OVER)
        }
        held: set[Future[Any]] = polls
        while len(held) > MOST_WAITERS:
            held = wait(held, return_when=FIRST_COMPLETED).not_done
        assert {poll.result()["state"] for poll in polls - held} == {"queued"}
        for _ in range(50):
            assert browser.ask("GET", job)["state"] == "queued"
        browser.ask("POST", "/api/v1/boards/check", {"board": "1 2 3 0"})
        assert not any(poll.done() for poll in held)
        browser.ask("DELETE", job)
        assert {poll.result()["state"] for poll in held} == {"cancelled"}


def _await_answer(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"the server ended with {process.returncode}")
