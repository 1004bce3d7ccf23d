"""One client over HTTP, whose requests may fail at any time."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any, Final, NamedTuple

from tools.chaos.load.history import History

_TIMEOUT_S: Final = 10.0
_CLEAN: Final = (200, 202, 304, 403, 404, 429, 503)


class Answer(NamedTuple):
    """A status and what came with it; no status where no answer came."""

    status: int | None
    body: bytes = b""

    @property
    def document(self) -> Any:
        """The JSON of the answer."""
        return json.loads(self.body)


class Client:
    """A connection, its cookie, and what it has heard.

    Parameters
    ----------
    port : int
        Of 127.0.0.1.
    history : History
        Is told of every answer.
    """

    def __init__(self, port: int, history: History) -> None:
        self._port = port
        self._history = history
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
        self._cookie = ""

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request once; an answer that is not clean is kept as a wrong."""
        sent = {"Content-Type": "application/json"} | (headers or {})
        if self._cookie:
            sent["Cookie"] = self._cookie
        try:
            words = None if body is None else json.dumps(body)
            self._connection.request(method, path, words, sent)
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._history.count("none")
            return Answer(None)
        cookie = response.headers.get("Set-Cookie")
        if cookie:
            self._cookie = cookie.partition(";")[0]
        self._history.count(str(response.status))
        if response.status not in _CLEAN:
            self._history.wrong(f"{method} {path} was answered {response.status}: {text[:300]!r}")
        return Answer(response.status, text)

    def insist(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request that may be repeated until it is answered, for two minutes."""
        deadline = time.monotonic() + 120.0
        while True:
            answer = self.ask(method, path, body, headers)
            if answer.status not in (None, 429, 503) or time.monotonic() > deadline:
                return answer
            time.sleep(0.2)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
