"""``python -m tilework.web.server``: runs a web process."""

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
from tilework.web.server.connections import Connection, ConnectionPool
from tilework.web.server.wsgi import ThreadedApp

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_SWITCH_INTERVAL_S = 0.001
"""A short switch interval lets short requests overtake long ones."""

_OTHER_FILES = 256
_BACKLOG = 2_048
_SEND_BUFFER_BYTES = 1 << 18

# Long-polls, which can take twenty seconds, are aborted at shutdown.
_GRACE_S = 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tilework.web.server")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--name")
    parser.add_argument(
        "--share-port", action="store_true", help="share the port with other processes of a system"
    )
    arguments = parser.parse_args()
    app = serve(arguments.name)
    settings = get_settings()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    share_arenas()
    _raise_file_limit(settings.max_connections + _OTHER_FILES)
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn handles them while it runs, and raises them again when it has shut down.
        signal.signal(number, _exit)
    with listen(arguments.host, arguments.port, shared=arguments.share_port) as listener:
        make_server(app, settings).run([listener])


def _exit(_signal: int, _frame: FrameType | None) -> None:
    # The interpreter would wait for the threads of long-polls.
    sys.stderr.flush()
    os._exit(os.EX_OK)


def make_server(app: WSGIApplication, settings: Settings) -> Server:
    # Behind proxies, all clients have the proxy's address, so only the total is limited.
    limit = settings.max_connections
    per_address = limit if settings.trusted_proxies else min(limit, settings.max_connections_of_one)
    connection = type(
        "WatchedConnection",
        (Connection,),
        {"pool": ConnectionPool(settings.client_patience_s, limit, per_address)},
    )
    config = Config(
        ThreadedApp(app, settings),
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


def listen(host: str, port: int, *, shared: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # ``tilework up`` reserves the port, and shares it with its web processes.
    listener = socket.create_server(
        (host, port), family=family, backlog=_BACKLOG, reuse_port=shared
    )
    # By default, the system buffers megabytes per connection if the client does not read.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
    return listener


def _raise_file_limit(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        count = min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


if __name__ == "__main__":
    main()
