"""``tilework web`` and ``tilework worker``: how each is started, and where the web listens."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import structlog
import typer

from tilework.core.cli.system.folder_lock import require_writable, writing_in
from tilework.core.cli.system.supervisor import Program
from tilework.core.errors import OptionError
from tilework.core.model.states import Queue
from tilework.core.settings import Settings, get_settings

DEFAULT_PORT: Final = 8000
_TRIED: Final = 100

_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- compared, not bound


def hold_port(host: str, wanted: int | None) -> tuple[int, socket.socket]:
    """Take the wanted port, or the first free one from 8000 up; return it and what holds it.

    The socket never listens. Until it is closed nobody else gets the port but the web server, which
    shares it (``SO_REUSEPORT``, only on Linux; elsewhere it is closed already).
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
    name = _EVERYWHERE.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def is_serving(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(_EVERYWHERE.get(host, host), port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _bound(host: str, port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
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


MOST: Final = 64
FILE_BYTES: Final = 1 << 20
"""What a process may need to count requests of every route, in each of two files."""

_CORES_OF_ONE: Final = 4
_MOST_UNASKED: Final = 4

_FOLDER: Final = "metrics"
_KINDS: Final = ("counter", "histogram")

_RATES_BY_BROKER: Final = {"redis": "redis", "rediss": "rediss", "redis+socket": "redis+unix"}

log = structlog.get_logger()


def web_count(wanted: int | None, cores: int) -> int:
    """Return how many web processes to run; only Linux spreads connections over sockets."""
    if sys.platform != "linux":
        if wanted is not None and wanted > 1:
            log.warning("only Linux shares a port; there is one web process", wanted=wanted)
        return 1
    return wanted or max(1, min(cores // _CORES_OF_ONE, _MOST_UNASKED))


def web_programs(
    count: int, command: Sequence[str], environment: Mapping[str, str], settings: Settings
) -> list[Program]:
    """Return the web's programs: ``web``, or ``web-1``, ``web-2`` … with all that they share."""
    if count == 1:
        return [Program("web", command, environment)]
    names = [f"web-{number}" for number in range(1, count + 1)]
    folder = settings.data_dir.resolve() / _FOLDER
    _make_counts(folder, names)
    shared = {
        **environment,
        "PROMETHEUS_MULTIPROC_DIR": str(folder),
        "TILEWORK_RATE_STORAGE_URL": _rates(settings, environment["TILEWORK_BROKER_URL"]),
    }
    return [Program(name, [*command, "--name", name], shared) for name in names]


def _make_counts(folder: Path, names: Sequence[str]) -> None:
    """Make the files in which ``prometheus_client`` counts, as large as they will ever be.

    It maps them into memory: a process that writes where the disk has no room left is killed.
    """
    with writing_in(folder.parent):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in names:
            for kind in _KINDS:
                (folder / f"{kind}_{name}.db").write_bytes(bytes(FILE_BYTES))


def _rates(settings: Settings, broker_url: str) -> str:
    given = settings.rate_storage_url
    if not given.startswith("memory:"):
        return given
    scheme, _, rest = broker_url.partition("://")
    if scheme not in _RATES_BY_BROKER:
        log.warning("each web process counts its clients' requests by itself", broker=scheme)
        return given
    if scheme == "redis+socket":
        rest = rest.partition("?")[0]  # Celery's options, under names of its own
    return f"{_RATES_BY_BROKER[scheme]}://{rest}"


ALL_QUEUES = tuple(Queue)
QUICK_QUEUES = (Queue.INTERACTIVE, Queue.QUICK_ANALYSIS, Queue.BATCH)
"""Queues of the worker that must always be free for small boards."""

SEARCH_QUEUES = (*QUICK_QUEUES, Queue.ANALYSIS, Queue.SEARCH)
LAB_QUEUES = (Queue.LAB,)
"""Queues of a worker that loads no solver and is occupied by a run for as long as it lasts."""


def web_command(host: str, port: int) -> list[str]:
    return [sys.executable, "-m", "tilework.web.server", "--host", host, "--port", str(port)]


def worker_command(queues: Sequence[str], name: str) -> list[str]:
    return [sys.executable, "-m", "tilework.worker", "--queues", ",".join(queues), "--name", name]


def web(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = DEFAULT_PORT,
) -> None:
    """Serve the page and the API.

    TILEWORK_DATABASE_URL and TILEWORK_BROKER_URL say where the database and the broker are.
    """
    settings = get_settings()
    if settings.secret_key is None:
        require_writable(settings.data_dir)  # the key is kept there
    _become(web_command(host, port))


def worker(
    queues: Annotated[
        str, typer.Option(help="Queues to serve, comma-separated: interactive, batch, lab, search.")
    ] = ",".join(ALL_QUEUES),
    name: Annotated[str, typer.Option(help="Head of the log lines.")] = "worker",
) -> None:
    """Run one worker, which searches on one core.

    TILEWORK_DATABASE_URL and TILEWORK_BROKER_URL say where the database and the broker are.
    """
    settings = get_settings()
    if not settings.database_url:
        require_writable(settings.data_dir)  # the database is there
    _become(worker_command(queues.split(","), name))


def _become(command: list[str]) -> None:
    # In place, so that the signals of a container or a service manager arrive where they should.
    os.execv(command[0], command)  # noqa: S606 -- our own command
