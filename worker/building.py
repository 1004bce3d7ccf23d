"""The thread that has a host's missing pattern databases built while its worker works.

Every worker runs one. Whoever claims the folder first starts a process that builds; should that
worker end, the process ends too, and the next one begins again with what is still missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

import structlog

from core.pdb.budget import plan
from core.pdb.builder import become_builder
from core.pdb.store import open_if_there

_POLL_S: Final = 5.0
_FIRST_PAUSE_S: Final = 60.0
_LONGEST_PAUSE_S: Final = 3_600.0
_GRACE_S: Final = 2.0

log = structlog.get_logger()


class Building(threading.Thread):
    """Sees to it that the default databases are built, once for a host.

    Parameters
    ----------
    folder : Path
        Where they belong.
    budget : int
        Bytes that they may take there.
    """

    def __init__(self, folder: Path, budget: int) -> None:
        super().__init__(name="building", daemon=True)
        self._folder = folder
        self._budget = budget
        self._ending = threading.Event()
        self._pause_s = _FIRST_PAUSE_S

    def run(self) -> None:
        """Run in the thread; call ``start`` instead."""
        try:
            while self._is_something_missing() and not self._ending.is_set():
                claim = become_builder(self._folder, patient=False)
                if claim is None:
                    self._ending.wait(_POLL_S)
                elif self._build(claim):
                    return
        except OSError as error:
            log.warning(f"no pattern databases are built in the background: {error}")

    def stop(self) -> None:
        """End the process that builds, if there is one."""
        self._ending.set()
        if self.is_alive():
            self.join(timeout=2 * _GRACE_S)

    def _is_something_missing(self) -> bool:
        defaults = plan(self._folder, self._budget).within
        return any(open_if_there(partition, self._folder) is None for partition in defaults)

    def _build(self, claim: int) -> bool:
        """Run a builder to its end, or to that of this worker; whether that settles it."""
        command = [sys.executable, "-m", "worker.builder", str(self._folder), str(self._budget)]
        try:
            # The process inherits the claim, which so ends with it and not before.
            builder = subprocess.Popen(  # noqa: S603 -- our own command
                command, stdin=subprocess.PIPE, pass_fds=(claim,)
            )
        finally:
            os.close(claim)
        while builder.poll() is None and not self._ending.wait(_POLL_S / 10):
            pass
        code = _end(builder)
        if code == 0:
            return True
        log.warning("building pattern databases broke off", code=code, again_in_s=self._pause_s)
        self._ending.wait(self._pause_s)
        self._pause_s = min(self._pause_s * 2, _LONGEST_PAUSE_S)
        return False


def _end(builder: subprocess.Popen[bytes]) -> int:
    """Close the pipe, at which the process ends if it has not yet; return its exit code."""
    assert builder.stdin is not None  # noqa: S101 -- made with a pipe
    builder.stdin.close()
    try:
        return builder.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        builder.kill()
        return builder.wait()
