"""Building pattern databases in another process, which never outlives this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tilework.core.solver.pdb.patterns import Partition

_GRACE_S: Final = 1.0


class BuilderProcess:
    """A process that builds what a folder lacks.

    Building takes threads inside kernels and gigabytes of memory: only a separate process can be
    stopped, and its memory freed, at any moment.

    Parameters
    ----------
    claim : int
        The descriptor that `builder.become_builder` returned. The process inherits it; here it is
        closed, so that the claim ends with the process and not before.
    folder : Path
    partitions : iterable of Partition
        At least one; built one after the other.
    behind : bool
        Whether it runs at a low priority.
    quiet : bool
        Whether it logs only failures.
    kernels : bool
        Whether it first compiles all kernels that are not compiled yet.
    """

    def __init__(
        self,
        claim: int,
        folder: Path,
        partitions: Iterable[Partition],
        *,
        behind: bool = False,
        quiet: bool = False,
        kernels: bool = False,
    ) -> None:
        command = [sys.executable, "-m", "tilework.core.solver.pdb.building.apart", str(folder)]
        command += [partition.title for partition in partitions]
        command += ["--behind"] * behind + ["--quiet"] * quiet + ["--kernels"] * kernels
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- our own command
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, pass_fds=(claim,)
            )
        finally:
            os.close(claim)

    def exit_code(self) -> int | None:
        """Return how the process ended; None while it builds."""
        return self._process.poll()

    def end(self) -> int:
        """End the process if it is still building; return its exit code.

        No partial file is left.
        """
        assert self._process.stdin is not None  # noqa: S101 -- made with a pipe
        self._process.stdin.close()
        try:
            return self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
