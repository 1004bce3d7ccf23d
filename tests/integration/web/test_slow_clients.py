"""The real server and clients that let it wait: they are cut, and others notice nothing."""

from __future__ import annotations

import http.client
import os
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from tests.support.servers import free_port
from tilework.core.cli.system.addresses import is_serving
from tilework.core.cli.system.programs import web_command

PATIENCE_S = 2.0
OF_ONE = 60
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "
HALF_BODY = (
    b"POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b'Content-Length: 1000000\r\n\r\n{"board": "1 2'
)
CHUNKED = (
    b"POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
# More than the system keeps for a connection.
UNREAD = b"GET /openapi/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 30

Connect = Callable[..., socket.socket]


class Web:
    """A server of its own process."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port = port
        self.process = psutil.Process(process.pid)

    def get(self, path: str, source: str = "127.0.0.2") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=30, source_address=(source, 0)
        )
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@contextmanager
def serving(folder: Path, database: Path, **settings: object) -> Iterator[Web]:
    shutil.copy(database, folder / "tilework.sqlite")
    port = free_port()
    chosen = {"data_dir": folder, "client_patience_s": PATIENCE_S, **settings}
    environment = {f"TILEWORK_{name.upper()}": str(value) for name, value in chosen.items()}
    process = subprocess.Popen(web_command("127.0.0.1", port), env=os.environ | environment)
    try:
        deadline = time.monotonic() + 60
        while not is_serving("127.0.0.1", port):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield Web(port, process)
    finally:
        process.terminate()
        assert process.wait(20) == 0


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("slow")
    with serving(folder, empty_database, max_connections_of_one=OF_ONE) as found:
        yield found


@pytest.fixture
def connect(web: Web) -> Iterator[Connect]:
    with ExitStack() as stack:

        def made(sent: bytes = b"", *, window: int | None = None) -> socket.socket:
            one = stack.enter_context(socket.socket())
            if window:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
            one.settimeout(30)
            one.connect(("127.0.0.1", web.port))
            one.setblocking(False)
            while sent:
                try:
                    sent = sent[one.send(sent) :]
                except BlockingIOError:
                    break
            one.settimeout(30)
            return one

        yield made


def answer_of(one: socket.socket) -> bytes:
    """Everything until the server closes."""
    found = b""
    try:
        while piece := one.recv(1 << 16):
            found += piece
    except ConnectionResetError:
        pass
    return found


def is_closed(one: socket.socket) -> bool:
    poll = select.poll()
    poll.register(one.fileno(), select.POLLRDHUP)
    return bool(poll.poll(0))


@pytest.mark.parametrize("sent", [b"", HALF_HEAD, HALF_BODY, CHUNKED])
def test_half_a_request_is_refused_in_time(connect: Connect, sent: bytes) -> None:
    began = time.monotonic()
    answer = answer_of(connect(sent))
    assert PATIENCE_S * 0.9 < time.monotonic() - began < PATIENCE_S + 5
    assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("begun", [HALF_HEAD, HALF_BODY])
def test_dripping_wins_no_time(connect: Connect, begun: bytes) -> None:
    one = connect(begun)
    began = time.monotonic()
    one.settimeout(0.1)
    while time.monotonic() - began < PATIENCE_S + 5:
        try:
            one.send(b"x")
            if one.recv(100):
                break
        except TimeoutError:
            continue
        except (BrokenPipeError, ConnectionResetError):
            break
    assert time.monotonic() - began < PATIENCE_S + 4


def test_an_answer_that_nobody_takes_is_dropped(connect: Connect) -> None:
    one = connect(UNREAD, window=4_096)
    time.sleep(PATIENCE_S / 2)
    assert not is_closed(one)
    deadline = time.monotonic() + PATIENCE_S + 8
    while not is_closed(one):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_who_is_slow_but_steady_is_served(connect: Connect) -> None:
    body = b'{"board": "1 2 3 4 5 6 0 7 8"' + b" " * 60_000 + b"}"
    one = connect(HALF_BODY.partition(b"Content-Length")[0] + b"Connection: close\r\n")
    one.sendall(b"Content-Length: %d\r\n\r\n" % len(body))
    began = time.monotonic()
    # Faster than the least rate, for longer than an idle client is waited for.
    for start in range(0, len(body), 5_000):
        one.sendall(body[start : start + 5_000])
        time.sleep(0.25)
    assert time.monotonic() - began > PATIENCE_S
    assert answer_of(one).startswith(b"HTTP/1.1 202 ")


def test_an_endless_head_is_refused_at_once(connect: Connect) -> None:
    one = connect(HALF_HEAD)
    with pytest.raises((BrokenPipeError, ConnectionResetError)):  # noqa: PT012
        for _ in range(2_000):
            one.sendall(b"x" * 1_000)
            time.sleep(0)


def test_beside_many_that_stall_others_are_served_at_once(web: Web, connect: Connect) -> None:
    before = web.process.memory_info().rss
    for number in range(OF_ONE):
        if number % 3 == 2:
            connect(UNREAD, window=4_096)
        else:
            connect([HALF_HEAD, HALF_BODY][number % 3])
    slowest = 0.0
    for _ in range(30):
        began = time.monotonic()
        assert web.get("/healthz")[0] == 200
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.02)
    # A bound for busy machines; the benchmark holds it against the promised one.
    assert slowest < 2
    assert web.process.memory_info().rss - before < 100e6


def test_of_one_address_the_slowest_goes_for_who_comes(web: Web, connect: Connect) -> None:
    held = [connect(HALF_HEAD) for _ in range(OF_ONE)]
    # From the same address, and answered all the same.
    assert web.get("/healthz", source="127.0.0.1")[0] == 200
    assert is_closed(held[0])
    assert not is_closed(held[-1])


def test_who_waits_for_us_is_not_cut(web: Web, connect: Connect) -> None:
    posted = connect(
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Connection: close\r\n"
        b'Content-Length: 30\r\n\r\n{"board": "1 2 3 4 5 6 0 8 7"}'.replace(b"0 8 7", b"0 7 8")
    )
    head, _, _ = answer_of(posted).partition(b"\r\n\r\n")
    path = head.partition(b"location: ")[2].split(b"\r\n")[0].decode()

    def follow(_number: int) -> int:
        return web.get(f"{path}?wait=5", source="127.0.0.1")[0]

    with ThreadPoolExecutor(20) as pool:
        waiting = pool.map(follow, range(20))
        time.sleep(1)
        for _ in range(2 * OF_ONE):
            connect(HALF_HEAD)
        assert set(waiting) == {200}


def test_bodies_that_stall_are_dropped_where_they_hold_too_much(web: Web, connect: Connect) -> None:
    before = web.process.memory_info().rss
    head = HALF_BODY.replace(b"1000000", b"8000000")
    held = [connect(head) for _ in range(30)]
    for one in held:
        with suppress(ConnectionError):
            one.sendall(b" " * 7_000_000)
    assert web.get("/healthz")[0] == 200
    end = time.monotonic() + 10
    while not any(map(is_closed, held)):
        assert time.monotonic() < end, "all that they sent is held"
        time.sleep(0.1)
    assert web.process.memory_info().rss - before < 300e6


def test_a_body_that_is_too_large_is_refused_unread(connect: Connect) -> None:
    one = connect(HALF_BODY.replace(b"1000000", b"9000000"))
    assert one.recv(100).startswith(b"HTTP/1.1 413 ")


def test_what_is_sent_in_pieces_is_one_body(connect: Connect) -> None:
    one = connect(CHUNKED.replace(b"Host: x", b"Host: x\r\nConnection: close"))
    for piece in (b'{"board": "1 2 3 ', b"4 5 6 0 ", b'7 8"}'):
        one.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
    one.sendall(b"0\r\n\r\n")
    assert answer_of(one).startswith(b"HTTP/1.1 202 ")


def test_requests_on_one_connection_are_answered_in_order(connect: Connect) -> None:
    one = connect(GET * 5 + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    assert answer_of(one).count(b'{"status":"ok"}') == 6
