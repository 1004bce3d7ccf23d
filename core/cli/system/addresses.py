"""Where the web server can listen, and whether it is up."""

from __future__ import annotations

import http.client
import socket
import sys
from typing import Final

from tilework.core.errors import OptionError

DEFAULT_PORT: Final = 8000
_TRIED: Final = 100

_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- compared, not bound


def hold_port(host: str, wanted: int | None) -> tuple[int, socket.socket]:
    """Take the wanted port, or the first free one from 8000 up where none is wanted.

    Returns
    -------
    port : int
    held : socket.socket
        Never listens. Until it is closed nobody else gets the port, but for the web server, which
        shares it (``SO_REUSEPORT``): of two systems that start at once, each has its own. Only
        Linux has sockets that can do so; elsewhere it is closed already.

    Raises
    ------
    OptionError
        If the wanted port is taken or no port can be used on that host.
    """
    candidates = [wanted] if wanted is not None else range(DEFAULT_PORT, DEFAULT_PORT + _TRIED)
    problem: OSError | None = None
    for port in candidates:
        try:
            return port, _bound(host, port)
        except OSError as error:
            problem = error
    reason = problem.strerror if problem else ""
    if wanted is not None:
        raise OptionError(
            "port",
            "cannot listen on port {port} of {host}: {reason}; choose another port",
            port=wanted,
            host=host,
            reason=reason,
        )
    raise OptionError(
        "ports",
        "cannot listen on any port from {first} to {last} of {host}: {reason}",
        first=DEFAULT_PORT,
        last=DEFAULT_PORT + _TRIED - 1,
        host=host,
        reason=reason,
    )


def local_url(host: str, port: int) -> str:
    """Return the address at which a browser on this machine finds the server."""
    name = _EVERYWHERE.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def is_serving(host: str, port: int) -> bool:
    """Whether ``/healthz`` answers with 200."""
    connection = http.client.HTTPConnection(_EVERYWHERE.get(host, host), port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _bound(host: str, port: int) -> socket.socket:
    bound = socket.socket(_family(host))
    try:
        # Connections of a server that has ended do not keep the port...
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    if sys.platform == "linux":
        # ...but this socket does, from all that do not ask to share it.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    else:
        bound.close()
    return bound


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
