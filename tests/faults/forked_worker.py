"""Workers that are forked from a process that has loaded what they need: it takes them seconds.

What such a worker runs is all of ``python -m worker``, in a process of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["core.solver", "worker.app"])


class ForkedWorker:
    """A worker's process, as `subprocess.Popen` gives it.

    Returns when the worker has announced that it is ready.
    """

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], log: Path | None = None
    ) -> None:
        reader, writer = _FORKS.Pipe(duplex=False)
        self._process = _FORKS.Process(target=_work, args=(arguments, environment, writer, log))
        self._process.start()
        writer.close()
        with closing(reader):
            assert os.read(reader.fileno(), 1) == b"\n"

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.is_alive():
            assert self._process.pid is not None
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("worker", timeout or 0.0)
        return self._process.exitcode


def _work(
    arguments: Sequence[str], environment: Mapping[str, str], ready: Connection, log: Path | None
) -> None:
    from worker.__main__ import main

    if log is not None:
        with log.open("wb") as errors:
            os.dup2(errors.fileno(), sys.stderr.fileno())
    os.environ.update(environment)
    sys.argv = ["worker", "--ready-fd", str(os.dup(ready.fileno())), *arguments]
    ready.close()
    code = main()
    sys.stderr.flush()
    os._exit(code)
