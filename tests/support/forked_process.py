"""Processes forked from one that has loaded the worker's modules, which takes seconds.

They run and exit like newly started processes.
"""

import multiprocessing
import os
import signal
import subprocess
from collections.abc import Callable
from typing import Any

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tilework.core.solver.solve", "tilework.worker.process"])


class ForkedProcess:
    """A process that calls a function, with the interface of `subprocess.Popen`."""

    def __init__(self, function: Callable[..., object], *arguments: Any) -> None:
        self._process = _CONTEXT.Process(target=function, args=arguments)
        self._process.start()

    def send_signal(self, number: signal.Signals | int) -> None:
        if self._process.is_alive():
            assert self._process.pid is not None
            os.kill(self._process.pid, number)

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self._process), timeout or 0.0)
        return self._process.exitcode
