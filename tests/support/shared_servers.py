"""Servers shared by all processes of a test run; each is started when a test first needs it.

A separate process owns them, and stops them however the run ends: its standard input is a pipe
from pytest's main process. Then it also ends processes that tests left running, which it recognises
by an environment variable that all processes of the run inherit.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from importlib import import_module
from pathlib import Path

import psutil

from tests.support import servers

RUN_VARIABLE = "TILEWORK_TEST_RUN"
"""The path of the socket of the server process, which identifies the run."""

GRACE_S = 10.0

_SERVERS: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "postgres": servers.run_postgres,
    "valkey": servers.run_valkey,
    "site": lambda: import_module("tests.support.site").run_site(),
    "chromium": lambda: import_module("tests.support.chromium").run_chromium(),
}


class ServerProcess:
    """The process that owns the servers, as a child of pytest's main process."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tilework-run-")
        os.environ[RUN_VARIABLE] = str(Path(self._folder.name) / "socket")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.shared_servers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            start_new_session=True,  # Ctrl-C is for pytest, which needs the servers to clean up
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"

    def close(self) -> None:
        """Stop the servers, and end all processes that tests left running."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._folder.cleanup()


def server_url(name: str) -> str:
    """Return the URL of a shared server; start it if necessary.

    Raises
    ------
    AssertionError
    If it cannot be started; the message says why.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ[RUN_VARIABLE])
        with connection.makefile("rw") as stream:
            print(name, file=stream, flush=True)
            reply = json.loads(stream.readline())
    assert "url" in reply, reply["error"]
    url: str = reply["url"]
    return url


def _run_servers(address: str) -> None:
    locks, urls = {name: threading.Lock() for name in _SERVERS}, dict[str, str]()
    with ExitStack() as running, socket.socket(socket.AF_UNIX) as listener:

        def reply_to(connection: socket.socket) -> None:
            with connection, connection.makefile("rw") as stream:
                name = stream.readline().strip()
                try:
                    with locks[name]:
                        if name not in urls:
                            urls[name] = running.enter_context(_SERVERS[name]())
                    reply = {"url": urls[name]}
                except Exception as error:
                    reply = {"error": f"{name} does not start: {error!r}"}
                print(json.dumps(reply), file=stream, flush=True)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=reply_to, args=listener.accept()[:1]).start()

        listener.bind(address)
        listener.listen(64)
        threading.Thread(target=accept, daemon=True).start()
        print("ready", flush=True)
        sys.stdin.read()
        end_processes_of_run(address)


def end_processes_of_run(run: str) -> None:
    """Terminate, then kill, all processes of a run except this process and its servers.

    Parameters
    ----------
    run : str
    The value of ``TILEWORK_TEST_RUN`` in their environment.
    """
    excluded = {os.getpid(), *(child.pid for child in psutil.Process().children(recursive=True))}
    remaining = [
        process for process in psutil.process_iter() if _belongs_to(process, run, excluded)
    ]
    for process in remaining:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    for process in psutil.wait_procs(remaining, GRACE_S)[1]:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _belongs_to(process: psutil.Process, run: str, excluded: set[int]) -> bool:
    try:
        return process.pid not in excluded and process.environ().get(RUN_VARIABLE) == run
    except psutil.Error:
        return False


if __name__ == "__main__":
    _run_servers(os.environ[RUN_VARIABLE])
