"""Clients that ask for one thing again and again, and note how and when they were answered."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from dataclasses import dataclass
from typing import Final, NamedTuple

from tools.chaos.load import boards
from tools.chaos.load.boards import Puzzle
from tools.chaos.load.history import History, Job
from tools.chaos.outages.kinds import READS, WRITES

KINDS: Final = ("healthz", "readyz", "home", *READS, *WRITES)
"""Every kind of request, each asked by a client of its own."""

LONG_POLL_S: Final = 0.3
"""What a long-poll asks to wait; its answer may take that much longer."""

_PAUSE_S: Final = 0.15
_TIMEOUT_S: Final = 60.0

_POSTS: Final = "/api/v1/jobs?brief=true"


class Heard(NamedTuple):
    """An answer; its status is 0 where none came."""

    kind: str
    at: float
    seconds: float
    status: int
    says_when: bool

    def waited_s(self, since: float) -> float:
        """How long it was waited for after a moment."""
        return max(0.0, self.at + self.seconds - max(self.at, since))


@dataclass(frozen=True)
class Known:
    """What a client may ask about: a job that has ended with a solution, its board and version."""

    id: str
    version: str
    puzzle: Puzzle


class Probe(threading.Thread):
    """Asks for one kind of thing until it is told to stop.

    Parameters
    ----------
    heard : list of Heard
        Each answer is added to it.
    """

    def __init__(
        self,
        kind: str,
        port: int,
        history: History,
        known: Known,
        *,
        heard: list[Heard],
        seed: int,
    ) -> None:
        super().__init__(name=f"probe-{kind}")
        self._kind = kind
        self._history = history
        self._known = known
        self._heard = heard
        self._choose = random.Random(f"{seed}/{kind}")
        self._ending = threading.Event()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
        self._cookie = ""
        job = f"/api/v1/jobs/{known.id}"
        self._path = {
            "healthz": "/healthz",
            "readyz": "/readyz",
            "home": "/",
            "poll": job,
            "long-poll": f"{job}?wait={LONG_POLL_S}&since={known.version}",
            "solution": f"{job}/solution?format=udlr",
            "page": f"/jobs/{known.id}",
        }.get(kind, _POSTS)

    def run(self) -> None:
        """Ask until the end."""
        while not self._ending.wait(_PAUSE_S * self._choose.uniform(0.3, 1.7)):
            self._ask()
        self._connection.close()

    def stop(self) -> None:
        """Have it end after what it is at."""
        self._ending.set()

    def _board(self) -> Puzzle:
        if self._kind == "known":
            return self._known.puzzle
        if self._choose.random() < 0.8:
            return boards.small(self._choose)
        return boards.middle(self._choose, 40)

    def _ask(self) -> None:
        puzzle = self._board() if self._path == _POSTS else None
        headers = {"Content-Type": "application/json"}
        if self._cookie:
            headers["Cookie"] = self._cookie
        at = time.monotonic()
        try:
            if puzzle is None:
                self._connection.request("GET", self._path, headers=headers)
            else:
                words = json.dumps({"board": puzzle.tiles})
                self._connection.request("POST", self._path, words, headers)
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._heard.append(Heard(self._kind, at, time.monotonic() - at, 0, False))
            return
        seconds = time.monotonic() - at
        if cookie := response.headers.get("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        says_when = "Retry-After" in response.headers
        self._heard.append(Heard(self._kind, at, seconds, response.status, says_when))
        if puzzle is not None and response.status in (200, 202):
            document = json.loads(text)
            self._history.accept(Job(document["id"], 0, puzzle, None, [document]))
