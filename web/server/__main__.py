"""``python -m tilework.web.server``: the web, served by uvicorn; several may share a port."""

from __future__ import annotations

import argparse
import os
import resource
import signal
import socket
import sys
from types import FrameType
from typing import TYPE_CHECKING

from uvicorn import Config, Server

from tilework.core.machine import share_arenas
from tilework.core.settings import Settings, get_settings
from tilework.web.app import serve
from tilework.web.server.connections import Connection, ConnectionLimits, ConnectionPool
from tilework.web.server.wsgi import MAX_CONCURRENT, MAX_PER_ADDRESS, RequestLimiter, ThreadedApp

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_SWITCH_S = 0.001
"""After which a thread lets others go on: short requests pass long ones."""

_SPARE_FILES = 256
_BACKLOG = 2_048
_SEND_BUFFER = 1 << 18

# Long-polls that go on for twenty seconds are cut when the server is told to stop.
_GRACE_S = 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tilework.web.server")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--name")
    arguments = parser.parse_args()
    app = serve(arguments.name)
    settings = get_settings()
    sys.setswitchinterval(_SWITCH_S)
    share_arenas()
    _allow_files(settings.max_connections + _SPARE_FILES)
    for number in (signal.SIGINT, signal.SIGTERM):
        # The server takes them meanwhile, and raises them again when it has ended.
        signal.signal(number, _end)
    with _listening(arguments.host, arguments.port) as listening:
        make_server(app, settings).run([listening])


def _end(_signal: int, _frame: FrameType | None) -> None:
    # Threads of long-polls would keep the interpreter for as long as they wait.
    sys.stderr.flush()
    os._exit(os.EX_OK)


def make_server(app: WSGIApplication, settings: Settings) -> Server:
    # Behind proxies all clients have their address.
    most = settings.max_connections
    of_one = most if settings.trusted_proxies else min(most, settings.max_connections_of_one)
    limiter = RequestLimiter(MAX_CONCURRENT if settings.trusted_proxies else MAX_PER_ADDRESS)
    connection = type(
        "WatchedConnection",
        (Connection,),
        {"watch": ConnectionPool(ConnectionLimits(settings.client_patience_s, most, of_one))},
    )
    config = Config(
        ThreadedApp(app, settings.max_waiters, limiter, settings.max_body_bytes),
        http=connection,
        ws="none",
        interface="asgi3",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_keep_alive=int(settings.client_patience_s) or 1,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return Server(config)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # ``tilework up`` holds the port, and shares it with who asks for that.
    made = socket.create_server(
        (host, port), family=family, backlog=_BACKLOG, reuse_port=hasattr(socket, "SO_REUSEPORT")
    )
    # Of each connection; by itself the system keeps megabytes of an answer that nobody takes.
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    return made


def _allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        count = min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


if __name__ == "__main__":
    main()
