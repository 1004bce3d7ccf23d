"""Servers shared by all processes of a test run: each is started when a test first needs it.

A separate process owns them, and ends them when the run ends in any way: its standard input is a
pipe from pytest's main process. Then it also ends processes that tests have left, which it
recognises by an environment variable that every process of the run inherits.
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

_OFFERED: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "postgres": servers.postgres,
    "valkey": servers.valkey,
    "site": lambda: import_module("tests.support.site").run_site(),
    "chromium": lambda: import_module("tests.support.chromium").run_chromium(),
}


class ServerProcess:
    """The process that owns the servers, seen from pytest's main process."""

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
        """End the servers, and every process that the run has left."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._folder.cleanup()


def server_url(name: str) -> str:
    """Return the URL of a shared server, started now if it was not needed before.

    Raises
    ------
    AssertionError
    If it cannot be started; the message says why.
    """
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.environ[RUN_VARIABLE])
        with line.makefile("rw") as stream:
            print(name, file=stream, flush=True)
            reply = json.loads(stream.readline())
    assert "url" in reply, reply["error"]
    url: str = reply["url"]
    return url


def _run_servers(address: str) -> None:
    locks, urls = {name: threading.Lock() for name in _OFFERED}, dict[str, str]()
    with ExitStack() as running, socket.socket(socket.AF_UNIX) as listening:

        def answer(line: socket.socket) -> None:
            with line, line.makefile("rw") as stream:
                name = stream.readline().strip()
                try:
                    with locks[name]:
                        if name not in urls:
                            urls[name] = running.enter_context(_OFFERED[name]())
                    reply = {"url": urls[name]}
                except Exception as error:
                    reply = {"error": f"{name} does not start: {error!r}"}
                print(json.dumps(reply), file=stream, flush=True)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=listening.accept()[:1]).start()

        listening.bind(address)
        listening.listen(64)
        threading.Thread(target=accept, daemon=True).start()
        print("ready", flush=True)
        sys.stdin.read()
        end_processes_of_run(address)


def end_processes_of_run(run: str) -> None:
    """End all processes of a run except this one's own servers: terminate, then kill.

    Parameters
    ----------
    run : str
    The value of ``TILEWORK_TEST_RUN`` in their environment.
    """
    spared = {os.getpid(), *(child.pid for child in psutil.Process().children(recursive=True))}
    left = [process for process in psutil.process_iter() if _belongs_to(process, run, spared)]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    for process in psutil.wait_procs(left, GRACE_S)[1]:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _belongs_to(process: psutil.Process, run: str, spared: set[int]) -> bool:
    try:
        return process.pid not in spared and process.environ().get(RUN_VARIABLE) == run
    except psutil.Error:
        return False


if __name__ == "__main__":
    _run_servers(os.environ[RUN_VARIABLE])
