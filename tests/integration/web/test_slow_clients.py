"""The real server disconnects slow clients; its clock only advances when a test moves it."""

from __future__ import annotations

import http.client
import select
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.waiting import TIMEOUT_S, wait_until
from tilework.core.settings import Settings
from tilework.web.server import connections, wsgi
from tilework.web.server.__main__ import make_server
from tilework.web.server.wsgi import MAY_WAIT

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

CLIENT_PATIENCE_S = 20.0
MAX_PER_ADDRESS = 12
MAX_BYTES = 1 << 20
MAX_WAITERS = 3
POLL = "/api/v1/jobs/1?wait=5"
BATCHES = "/api/v1/batches"
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
PARTIAL_HEADERS = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
POST = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
PARTIAL_BODY = POST + b"Content-Length: 1000000\r\n\r\nhalf"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
# The responses exceed what the system buffers for a connection.
LARGE = "/api/v1/jobs/1/solution"
LARGE_REQUESTS = f"GET {LARGE} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 4


@dataclass
class Web:
    """A server in a thread, with an application that counts the bytes it receives."""

    port: int = 0
    pool: Any = None
    now: float = 0.0
    rounds: int = 0
    admissions: int = 0
    may_respond: threading.Event = field(default_factory=threading.Event)
    requests: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def app(self, environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
        if environ[MAY_WAIT] or environ["PATH_INFO"] == BATCHES:
            self.requests.release()
            self.may_respond.wait()
        body = (
            bytes(16 << 20)
            if environ["PATH_INFO"] == LARGE
            else b"%d bytes" % len(environ["wsgi.input"].read())
            + environ.get("HTTP_X_TRAILER", "").encode()
        )
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def fetch(self, path: str = "/", source: str = "127.0.0.2", method: str = "GET") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, TIMEOUT_S, (source, 0))
        with closing(connection):
            connection.request(method, path)
            return connection.getresponse().status

    def settle(self) -> None:
        """Wait until the server has read its input and checked its clients."""
        previous = self.rounds
        wait_until(lambda: self.rounds > previous + 8 or not self.pool._all)

    def move_clock(self, seconds: float) -> None:
        self.settle()
        self.now += seconds
        self.settle()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    web = Web()
    check_all, admit = connections.ConnectionPool._check_all, connections.ConnectionPool.admit

    def admit_and_count(self: connections.ConnectionPool, new: connections.Connection) -> bool:
        web.admissions += 1
        return admit(self, new)

    def check_and_count(self: connections.ConnectionPool, loop: Any) -> None:
        check_all(self, loop)
        web.rounds += 1

    monkeypatch.setattr(connections, "time", SimpleNamespace(monotonic=lambda: web.now))
    monkeypatch.setattr(connections, "_CHECK_INTERVAL_S", 0.002)
    monkeypatch.setattr(wsgi, "_CHECK_INTERVAL_S", 0.002)
    monkeypatch.setattr(wsgi, "MAX_DOWNLOADS", 2)
    monkeypatch.setattr(connections.ConnectionPool, "_check_all", check_and_count)
    monkeypatch.setattr(connections.ConnectionPool, "admit", admit_and_count)
    settings = Settings(
        client_patience_s=CLIENT_PATIENCE_S,
        max_connections_of_one=MAX_PER_ADDRESS,
        max_body_bytes=MAX_BYTES,
        max_waiters=MAX_WAITERS,
    )
    server = make_server(web.app, settings)
    web.pool = server.config.http.pool
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        web.port = listener.getsockname()[1]
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield web
        finally:
            web.may_respond.set()
            server.should_exit = True
            thread.join()


Connect = Callable[..., socket.socket]


@pytest.fixture
def connect(web: Web) -> Iterator[Connect]:
    with ExitStack() as stack:

        def make_socket(data: bytes = b"", *, window: int | None = None) -> socket.socket:
            client = stack.enter_context(socket.socket())
            if window:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
            client.settimeout(TIMEOUT_S)
            admissions_before = web.admissions
            client.connect(("127.0.0.1", web.port))
            wait_until(lambda: web.admissions > admissions_before)
            client.sendall(data)
            return client

        yield make_socket


def read_response(client: socket.socket) -> bytes:
    """Return everything until the server closes the connection."""
    data = b""
    with suppress(ConnectionResetError):
        while chunk := client.recv(1 << 16):
            data += chunk
    return data


def is_closed(client: socket.socket) -> bool:
    poll = select.poll()
    poll.register(client.fileno(), select.POLLRDHUP)
    return bool(poll.poll(0))


def test_partial_request_times_out(web: Web, connect: Connect) -> None:
    clients = [connect(data) for data in (b"", PARTIAL_HEADERS, PARTIAL_BODY, CHUNKED)]
    web.move_clock(CLIENT_PATIENCE_S - 0.1)
    assert not any(map(is_closed, clients))
    web.move_clock(0.5)
    for client in clients:
        assert read_response(client).startswith(b"HTTP/1.1 408 ")
    assert web.fetch() == 200


def test_slow_senders_are_disconnected_and_steady_ones_served(web: Web, connect: Connect) -> None:
    slow_clients = [connect(data) for data in (PARTIAL_HEADERS, PARTIAL_BODY)]
    steady_client = connect(POST + b"Content-Length: 200000\r\n\r\n")
    for _second in range(40):
        # Faster than the minimum rate, for longer than the idle timeout.
        steady_client.sendall(bytes(5_000))
        for client in slow_clients:
            with suppress(ConnectionError):
                client.sendall(b"x")
        web.move_clock(1)
    assert all(map(is_closed, slow_clients))
    assert read_response(steady_client).endswith(b"200000 bytes")


def test_response_that_is_not_read_is_dropped(web: Web, connect: Connect) -> None:
    clients = [connect(LARGE_REQUESTS, window=4_096) for _ in range(2)]
    wait_until(
        lambda: all(channel.transport.get_write_buffer_size() for channel in list(web.pool._all))
    )
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(web.fetch, LARGE)
        web.move_clock(wsgi.STALLED_S - 0.1)
        assert not any(map(is_closed, clients))
        web.move_clock(0.2)
        assert waiting.result() == 200
    web.move_clock(CLIENT_PATIENCE_S / 2)
    assert sum(map(is_closed, clients)) == 1, "one was dropped in favour of the waiting one"
    for _second in range(20):
        web.move_clock(CLIENT_PATIENCE_S)
    assert all(map(is_closed, clients))
    assert web.fetch() == 200


@pytest.mark.parametrize(
    "start",
    [
        PARTIAL_HEADERS,
        GET.replace(b"/ ", f"{POLL} ".encode()) + PARTIAL_HEADERS,
        CHUNKED + b"0\r\nX-Slow: ",
    ],
    ids=["first", "next", "trailer"],
)
def test_endless_headers_are_rejected(connect: Connect, start: bytes) -> None:
    client = connect(start)
    with pytest.raises((BrokenPipeError, ConnectionResetError)):  # noqa: PT012
        for _ in count():
            client.sendall(b"x" * 1_000)


def test_slowest_connection_of_an_address_makes_room(web: Web, connect: Connect) -> None:
    clients = []
    for _ in range(MAX_PER_ADDRESS):
        clients.append(connect(PARTIAL_HEADERS))
        web.move_clock(0.1)
    assert not any(map(is_closed, clients))
    # A new request from the same address is answered.
    assert web.fetch(source="127.0.0.1") == 200
    web.settle()
    assert [is_closed(client) for client in clients] == [True] + [False] * (MAX_PER_ADDRESS - 1)


def test_client_that_waits_for_the_server_is_not_closed(web: Web, connect: Connect) -> None:
    with ThreadPoolExecutor(MAX_WAITERS) as pool:
        futures = [pool.submit(web.fetch, POLL, source="127.0.0.1") for _ in range(MAX_WAITERS)]
        for _ in futures:
            assert web.requests.acquire(timeout=TIMEOUT_S)
        assert web.fetch(POLL) == 200, "too many wait, so this is answered immediately"
        for _ in range(2 * MAX_PER_ADDRESS):
            connect(PARTIAL_HEADERS)
        web.move_clock(10 * CLIENT_PATIENCE_S)
        web.may_respond.set()
        assert [future.result() for future in futures] == [200, 200, 200]


def test_batches_leave_slots_for_other_requests(web: Web) -> None:
    with ThreadPoolExecutor(wsgi.MAX_PER_ADDRESS) as pool:
        futures = [
            pool.submit(web.fetch, BATCHES, method="POST") for _ in range(wsgi.MAX_PER_ADDRESS)
        ]
        for _ in range(wsgi.MAX_BATCHES_PER_ADDRESS):
            assert web.requests.acquire(timeout=TIMEOUT_S)
        assert web.fetch() == 200
        assert not web.requests.acquire(blocking=False), "the other batches wait"
        web.may_respond.set()
        assert {future.result() for future in futures} == {200}


def test_stalled_bodies_are_dropped_when_memory_is_short(web: Web, connect: Connect) -> None:
    web.pool.max_buffered_bytes = 1 << 20
    clients = [connect(PARTIAL_BODY) for _ in range(4)]
    for client in clients:
        with suppress(ConnectionError):
            client.sendall(bytes(500_000))
    wait_until(lambda: sum(map(is_closed, clients)) == 2)
    assert web.fetch() == 200


def test_bodies_are_read_completely_or_not_at_all(connect: Connect) -> None:
    too_large = connect(POST + b"Content-Length: %d\r\n\r\n" % (MAX_BYTES + 1))
    assert read_response(too_large).endswith(b"\r\n0 bytes"), "the body is not read"
    client = connect(CHUNKED)
    for chunk in (b"1 2 3", b"4 5 6 7"):
        client.sendall(b"%x\r\n%b\r\n" % (len(chunk), chunk))
    client.sendall(b"0\r\n\r\n")
    assert read_response(client).endswith(b"12 bytes")
    trailer = connect(CHUNKED + b"3\r\nabc\r\n0\r\nX-Trailer: not a header\r\n\r\n")
    assert read_response(trailer).endswith(b"\r\n3 bytes")
    last = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert read_response(connect(GET * 5 + last)).count(b"0 bytes") == 6


def test_ambiguous_headers_are_rejected(connect: Connect) -> None:
    no_host, two_hosts = b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"
    chunked = b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    errors = {
        no_host: b"one Host header; this one has 0",
        two_hosts: b"this one has 2",
        chunked: b"HTTP/1.0 has",
    }
    for data, expected in (errors | {b"nonsense\r\n\r\n": b"Invalid HTTP request"}).items():
        response = read_response(connect(data))
        assert response.startswith(b"HTTP/1.1 400 ")
        assert b"application/problem+json" in response
        assert expected in response
        assert b"200 OK" not in response
    assert read_response(connect(b"GET / HTTP/1.0\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
