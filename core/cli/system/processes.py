"""``tilework web`` and ``worker``: their commands, the web port, and the data folder."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import structlog
import typer
from filelock import lock_descriptor

from tilework.core.cli.system.supervisor import Program
from tilework.core.errors import OptionError
from tilework.core.model.states import Queue
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.settings import Settings, get_settings
from tilework.core.tracing import check_tracing

DEFAULT_PORT: Final = 8000
_PORTS_TRIED: Final = 100

_LOOPBACK_HOSTS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- compared, not bound


def reserve_port(host: str, requested: int | None) -> tuple[int, socket.socket]:
    """Reserve a port, by default the first free one from 8000, and return it with its socket.

    The socket never listens. On Linux it shares the port with the web server (``SO_REUSEPORT``), so
    that no other program can use the port until the socket is closed. Elsewhere it is closed
    already.
    """
    candidates = (
        [requested] if requested is not None else range(DEFAULT_PORT, DEFAULT_PORT + _PORTS_TRIED)
    )
    problem: OSError | None = None
    for port in candidates:
        try:
            return port, _bind(host, port)
        except OSError as error:
            problem = error
    reason = problem.strerror if problem else ""
    if requested is not None:
        raise OptionError(
            "port",
            "cannot listen on port {port} of {host}: {reason}; choose another port",
            port=requested,
            host=host,
            reason=reason,
        )
    raise OptionError(
        "ports",
        "cannot listen on any port from {first} to {last} of {host}: {reason}",
        first=DEFAULT_PORT,
        last=DEFAULT_PORT + _PORTS_TRIED - 1,
        host=host,
        reason=reason,
    )


def local_url(host: str, port: int) -> str:
    name = _LOOPBACK_HOSTS.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def is_serving(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(_LOOPBACK_HOSTS.get(host, host), port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _bind(host: str, port: int) -> socket.socket:
    reserved = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        # Old connections of an earlier server do not block the port...
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind((host, port))
    except OSError:
        reserved.close()
        raise
    if sys.platform == "linux":
        # ...but this socket does, unless a process shares it.
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    else:
        reserved.close()
    return reserved


MAX_WEB_PROCESSES: Final = 64
FILE_BYTES: Final = 1 << 20
"""Size of each of the two metrics files of a web process."""

_CORES_PER_WEB_PROCESS: Final = 4
_MAX_DEFAULT_WEB_PROCESSES: Final = 4

_FOLDER: Final = "metrics"
_KINDS: Final = ("counter", "histogram")

_RATE_SCHEMES: Final = {"redis": "redis", "rediss": "rediss", "redis+socket": "redis+unix"}

log = structlog.get_logger()


def web_count(requested: int | None, cores: int) -> int:
    """Return the number of web processes, 1 unless on Linux, which can share a port."""
    if sys.platform != "linux":
        if requested is not None and requested > 1:
            log.warning("processes cannot share a port on this system", requested=requested)
        return 1
    return requested or max(1, min(cores // _CORES_PER_WEB_PROCESS, _MAX_DEFAULT_WEB_PROCESSES))


def web_programs(
    count: int, command: Sequence[str], environment: Mapping[str, str], settings: Settings
) -> list[Program]:
    """Return the web programs: ``web``, or ``web-1``, ``web-2`` … with shared metrics and rates."""
    if count == 1:
        return [Program("web", command, environment)]
    names = [f"web-{number}" for number in range(1, count + 1)]
    folder = settings.data_dir.resolve() / _FOLDER
    _create_metrics_files(folder, names)
    shared = {
        **environment,
        "PROMETHEUS_MULTIPROC_DIR": str(folder),
        "TILEWORK_RATE_STORAGE_URL": _rate_storage_url(
            settings, environment["TILEWORK_BROKER_URL"]
        ),
    }
    return [Program(name, [*command, "--name", name], shared) for name in names]


def _create_metrics_files(folder: Path, names: Sequence[str]) -> None:
    """Create the files of ``prometheus_client`` at their maximum size.

    They are memory-mapped, and a process that writes to a mapped page on a full disk is killed.
    """
    with report_write_errors(folder.parent):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in names:
            for kind in _KINDS:
                (folder / f"{kind}_{name}.db").write_bytes(bytes(FILE_BYTES))


def _rate_storage_url(settings: Settings, broker_url: str) -> str:
    configured = settings.rate_storage_url
    if not configured.startswith("memory:"):
        return configured
    scheme, _, address = broker_url.partition("://")
    if scheme not in _RATE_SCHEMES:
        log.warning("each web process counts requests separately", broker=scheme)
        return configured
    if scheme == "redis+socket":
        address = address.partition("?")[0]  # drop options that only Celery knows
    return f"{_RATE_SCHEMES[scheme]}://{address}"


ALL_QUEUES = tuple(Queue)
QUICK_QUEUES = (Queue.INTERACTIVE, Queue.QUICK_ANALYSIS, Queue.BATCH)
"""The queues of the worker reserved for small boards."""

SEARCH_QUEUES = (*QUICK_QUEUES, Queue.ANALYSIS, Queue.SEARCH)
LAB_QUEUES = (Queue.LAB,)
"""The queues of workers that run textbook searches and load no solver."""


def web_command(host: str, port: int) -> list[str]:
    return [sys.executable, "-m", "tilework.web.server", "--host", host, "--port", str(port)]


def port_sharing_web_command(host: str, port: int) -> list[str]:
    """Return the command of a web server that shares a port reserved by `reserve_port`."""
    return [*web_command(host, port), "--share-port"]


def worker_command(queues: Sequence[str], name: str) -> list[str]:
    """Return the command of a worker of Celery, with defaults that suit many small messages."""
    celery = [sys.executable, "-m", "celery", "--quiet", "--app", "tilework.worker.app", "worker"]
    options = ["--without-gossip", "--without-mingle", "--hostname", f"{name}@%h"]
    return [*celery, *options, "--queues", ",".join(queues)]


def check_settings(settings: Settings) -> None:
    """Raise OptionError if a web or worker process could not start with these settings."""
    check_tracing(settings)
    CallbackRules(settings)


def web(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = DEFAULT_PORT,
) -> None:
    """Run the web server: pages and API.

    The database and the broker are set by TILEWORK_DATABASE_URL and TILEWORK_BROKER_URL.
    """
    settings = get_settings()
    check_settings(settings)
    if settings.secret_key is None:
        require_writable(settings.data_dir)  # for the key file
    reserve_port(host, port)[1].close()  # only to report a port in use
    _exec(web_command(host, port))


def worker(
    queues: Annotated[str, typer.Option(help="Queues to work on, separated by commas.")] = ",".join(
        ALL_QUEUES
    ),
    name: Annotated[str, typer.Option(help="Prefix of log lines.")] = "worker",
) -> None:
    """Run one worker, which uses one core.

    The database and the broker are set by TILEWORK_DATABASE_URL and TILEWORK_BROKER_URL.
    """
    settings = get_settings()
    check_settings(settings)
    names = queues.split(",")
    for unknown in [queue for queue in names if queue not in ALL_QUEUES]:
        raise OptionError(
            "queue",
            "unknown queue {name!r}; choose from {choices}",
            name=unknown[:40],
            choices=", ".join(ALL_QUEUES),
        )
    if not settings.database_url:
        require_writable(settings.data_dir)  # for the database file
    _exec(worker_command(names, name))


def _exec(command: list[str]) -> None:
    # Replace this process, so that it receives the signals of a container or service manager.
    os.execv(command[0], command)  # noqa: S606 -- our own command


_POLL_S: Final = 0.05


def lock_folder(folder: Path, timeout_s: float) -> int:
    """Lock a data folder until every copy of the returned descriptor is closed.

    Wait up to `timeout_s` if the owner was killed and its processes are still shutting down.
    """
    require_writable(folder)
    lock = folder / "up.lock"
    with report_write_errors(lock):  # it may belong to another user
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    deadline = time.monotonic() + timeout_s
    while not lock_descriptor(descriptor, blocking=False):
        owner = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
        if _is_alive(owner) or time.monotonic() > deadline:
            os.close(descriptor)
            raise OptionError(
                "folder-in-use",
                "the folder {folder!r} is in use by another tilework up (process {process}); "
                "stop that one first, or choose another folder with --data-dir",
                folder=folder,
                process=owner,
            )
        time.sleep(_POLL_S)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    return descriptor


def require_writable(folder: Path) -> None:
    """Create a data folder if necessary, and check that files can be written in it."""
    with report_write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")


@contextmanager
def report_write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OptionError(
            "folder-read-only",
            "{path!r} is not writable ({reason}); choose another folder with TILEWORK_DATA_DIR",
            path=path,
            reason=error.strerror or type(error).__name__,
        ) from None


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ValueError, ProcessLookupError):
        return False
    return True
