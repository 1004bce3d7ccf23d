"""Lightweight HTTP clients, because they share two cores with the system that they measure.

`tools.chaos` uses them, too.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from httptools import HttpResponseParser

from tilework.core.puzzle.board import Board

JOBS: Final = "/api/v1/jobs"
BATCHES: Final = "/api/v1/batches"

_READ_BYTES: Final = 1 << 16
_POLL_S: Final = 0.05


class Response(NamedTuple):
    """A response, with lower-case header names."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)


class Connection:
    """A persistent connection with a cookie, which is reopened after an error."""

    def __init__(self, server: str, timeout_s: float = 60.0) -> None:
        host, _, port = server.partition(":")
        self._address = host, int(port)
        self._timeout_s = timeout_s
        self._cookie = ""
        self._socket: socket.socket | None = None

    def request(self, method: str, path: str, document: object = None, **headers: str) -> Response:
        """Send a request with a JSON document; raise OSError unless a complete response arrives.

        Header names have underscores instead of hyphens.
        """
        host, port = self._address
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}:{port}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if self._cookie:
            lines.append(f"Cookie: {self._cookie}")
        body = b""
        if document is not None:
            body = json.dumps(document).encode()
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        try:
            response = self._exchange("\r\n".join([*lines, "", ""]).encode() + body)
        except OSError:
            self.close()
            raise
        if cookie := response.headers.get("set-cookie"):
            self._cookie = cookie.partition(";")[0]
        if response.headers.get("connection") == "close":
            self.close()
        return response

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _exchange(self, request: bytes) -> Response:
        if self._socket is None:
            self._socket = socket.create_connection(self._address, self._timeout_s)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)
        message = _Message()
        parser = HttpResponseParser(message)
        while not message.is_complete:
            data = self._socket.recv(_READ_BYTES)
            if not data:
                raise ConnectionResetError("closed by the server")
            parser.feed_data(data)
        return Response(parser.get_status_code(), message.headers, bytes(message.body))


class _Message:
    """What the parser has read of a response."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.is_complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, part: bytes) -> None:
        self.body += part

    def on_message_complete(self) -> None:
        self.is_complete = True


class UnexpectedResponseError(Exception):
    """An unexpected response."""


class Client(Connection):
    """A client of the service."""

    def expect(
        self,
        statuses: tuple[int, ...],
        method: str,
        path: str,
        document: object = None,
        **headers: str,
    ) -> Response:
        """Send a request; raise UnexpectedResponseError unless the status is one of `statuses`."""
        response = self.request(method, path, document, **headers)
        if response.status not in statuses:
            route = "/".join(path.partition("?")[0].split("/")[:4])
            raise UnexpectedResponseError(
                f"{method} {route} answered {response.status}: {response.body[:200]!r}"
            )
        return response

    def get(self, path: str) -> Any:
        return self.expect((200,), "GET", path).document

    def post(self, path: str, document: object) -> Any:
        return self.expect((200, 202), "POST", path, document).document

    def submit(self, board: Board, goal: Board | None = None, **options: object) -> dict[str, Any]:
        """Submit a board; the default goal has the blank last."""
        request: dict[str, object] = {"board": board.cells.tolist(), **options}
        if goal is not None:
            request["goal"] = goal.cells.tolist()
        job: dict[str, Any] = self.post(JOBS, request)
        return job

    def wait(self, job: dict[str, Any]) -> dict[str, Any]:
        """Long-poll a job until it has ended."""
        while job["finished_at"] is None:
            started = time.perf_counter()
            job = self.get(f"{job['links']['self']}?wait=20&brief=true")
            if job["finished_at"] is None and time.perf_counter() - started < _POLL_S:
                # The API requires a pause when too many clients are waiting.
                time.sleep(_POLL_S)
        return job

    def solve(self, board: Board, goal: Board | None = None, **options: object) -> dict[str, Any]:
        return self.wait(self.submit(board, goal, **options))

    def read(self, job: dict[str, Any]) -> dict[str, Any]:
        updated_job: dict[str, Any] = self.get(f"{job['links']['self']}?brief=true")
        return updated_job

    def solve_batch(self, boards: Sequence[list[int]]) -> None:
        """Submit a batch of 3×3 boards, and wait until all are solved optimally."""
        batch = self.post(BATCHES, boards)
        while not batch["finished"]:
            time.sleep(_POLL_S)
            batch = self.get(batch["links"]["self"])
        if batch["states"] != {"optimal": len(boards)}:
            raise UnexpectedResponseError(f"a batch ended as {batch['states']}")
