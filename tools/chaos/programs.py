"""The programs of the system, which can be killed, suspended and restarted."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import psutil

from tests.support.forked_process import ForkedProcess

_TIMEOUT_S: Final = 30.0


class ForkedProgram(ForkedProcess):
    """A worker that is forked from a process that has already loaded its modules."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        super().__init__(_run_worker, arguments, environment, log)

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid


Process = subprocess.Popen[bytes] | ForkedProgram


class Program:
    """A role in the system, for which one process runs after another."""

    def __init__(self, name: str, start: Callable[[], Process]) -> None:
        self.name = name
        self._start = start
        self._process: Process | None = None
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        with self._lock:
            if self._process is None:
                self._process = self._start()

    def kill(self) -> None:
        """Kill the process and all processes that it has started with SIGKILL."""
        with self._lock:
            process, self._process = self._process, None
            if process is None:
                return
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                # It has exited, or does not lead a process group yet.
                process.kill()
            process.wait(_TIMEOUT_S)

    def poll_exit_code(self) -> int | None:
        """Return the exit code, once, if the process has exited unexpectedly."""
        with self._lock:
            if self._process is None:
                return None
            try:
                code = self._process.wait(0.001)
            except subprocess.TimeoutExpired:
                return None
            self._process = None
            return code

    def limit_files(self, size: int) -> Callable[[], None]:
        """Limit the length of the files it writes; return a function that removes the limit."""
        processes: list[psutil.Process] = []
        with suppress(psutil.Error):
            if self.pid is not None:
                leader = psutil.Process(self.pid)
                processes = [leader, *leader.children(recursive=True)]

        def limit(size: int) -> None:
            for process in processes:
                with suppress(psutil.Error):  # it has exited
                    hard = process.rlimit(psutil.RLIMIT_FSIZE)[1]
                    process.rlimit(psutil.RLIMIT_FSIZE, (size, hard))

        limit(size)
        return partial(limit, resource.RLIM_INFINITY)

    def signal(self, number: signal.Signals) -> None:
        with self._lock, suppress(ProcessLookupError):
            if self._process is not None:
                os.killpg(self._process.pid, number)


def start_process(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Process:
    """Start a command in its own process group; append its output to a file."""
    with log.open("ab") as file:
        return subprocess.Popen(
            command, env=os.environ | environment, stdout=file, stderr=file, process_group=0
        )


def _run_worker(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    os.setpgid(0, 0)
    from tilework.worker.app import app

    with log.open("ab") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    os.environ.update(environment)
    code = int(app.start(list(arguments)) or 0)
    sys.stderr.flush()
    os._exit(code)
