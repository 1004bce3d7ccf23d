"""The proxies misbehave as they are told to, and else pass on what they get."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from chaos.system.proxies import Network, Proxy

WAIT_S = 0.3


@pytest.fixture
def echo() -> Iterator[int]:
    """A server that sends back what it gets."""
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=_serve, args=(listener,)).start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


@pytest.fixture
def proxy(echo: int) -> Iterator[Proxy]:
    network = Network()
    yield network.proxy("echo", echo)
    network.close()


@pytest.fixture
def near(proxy: Proxy) -> Iterator[socket.socket]:
    with connected(proxy) as connection:
        yield connection


def _serve(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_echo, args=(connection,)).start()


def _echo(connection: socket.socket) -> None:
    with connection:
        try:
            while data := connection.recv(1_000):
                connection.sendall(data)
        except OSError:
            pass


def connected(proxy: Proxy) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", proxy.port))
    connection.settimeout(10.0)
    return connection


def answered(near: socket.socket, words: bytes = b"hello") -> bytes:
    near.sendall(words)
    return near.recv(1_000)


def is_silent(near: socket.socket) -> bool:
    near.settimeout(WAIT_S)
    try:
        return near.recv(1_000) is None
    except TimeoutError:
        return True
    finally:
        near.settimeout(10.0)


def test_bytes_pass_and_the_end_too(near: socket.socket) -> None:
    assert answered(near) == b"hello"
    near.shutdown(socket.SHUT_WR)
    assert near.recv(1_000) == b""


def test_delayed(proxy: Proxy, near: socket.socket) -> None:
    proxy.delay(WAIT_S)
    began = time.monotonic()
    assert answered(near) == b"hello"
    # Each way.
    assert time.monotonic() - began >= 2 * WAIT_S


def test_stalled_until_it_flows(proxy: Proxy, near: socket.socket) -> None:
    assert answered(near) == b"hello"
    proxy.stall()
    near.sendall(b"again")
    assert is_silent(near)
    proxy.flow()
    assert near.recv(1_000) == b"again"


def test_cut_and_refused_until_it_flows(proxy: Proxy, near: socket.socket) -> None:
    assert answered(near) == b"hello"
    proxy.cut()
    with pytest.raises(ConnectionResetError):
        near.recv(1_000)
    with connected(proxy) as other, pytest.raises(OSError, match=r"reset|pipe"):
        answered(other)
    proxy.flow()
    with connected(proxy) as other:
        assert answered(other) == b"hello"


def test_half_open_until_it_is_told(proxy: Proxy, near: socket.socket) -> None:
    assert answered(near) == b"hello"
    proxy.half_open(far=True)
    near.sendall(b"is anybody there")
    assert is_silent(near)
    with connected(proxy) as other:
        assert answered(other) == b"hello"
    proxy.forget()
    with pytest.raises(ConnectionResetError):
        near.recv(1_000)


def test_who_is_killed_amid_an_answer_is_gone_for_the_far_end_too(proxy: Proxy) -> None:
    with connected(proxy) as near:
        near.sendall(b"x" * 1_000_000)
        # What it has received and not read makes its end a reset.
        time.sleep(WAIT_S)
    deadline = time.monotonic() + 10.0
    while proxy.connections and time.monotonic() < deadline:
        time.sleep(0.01)
    assert proxy.connections == 0
