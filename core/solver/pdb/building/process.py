"""Building pattern databases in another process, which never outlives this one."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tilework.core.logs import configure_logs
from tilework.core.solver.kits import ALL_KITS, compile_kit
from tilework.core.solver.pdb.building.builder import abandon, build_missing
from tilework.core.solver.pdb.patterns import Partition, partition_titled

_GRACE_S: Final = 1.0


class BuilderProcess:
    """A process that builds what a folder lacks."""

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
        command = [sys.executable, "-m", "tilework.core.solver.pdb.building.process", str(folder)]
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
        """End the process if it is still building; return its exit code."""
        assert self._process.stdin is not None  # noqa: S101 -- made with a pipe
        self._process.stdin.close()
        try:
            return self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


# A tenth of a busy core: the sooner it is ready, the fewer nodes every search takes
NICENESS: Final = 10

# Out of a thousand: if memory runs out, Linux is to kill this process and not a search
_KILL_ME_FIRST: Final = 500


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tilework.core.solver.pdb.building.process")
    parser.add_argument("folder", type=Path)
    parser.add_argument("titles", nargs="+", help="as in “5x5 6-6-6-6”")
    parser.add_argument("--behind", action="store_true", help="stand back behind every search")
    parser.add_argument("--quiet", action="store_true", help="tell of nothing but failures")
    parser.add_argument("--kernels", action="store_true", help="compile all of them first")
    arguments = parser.parse_args()
    _end_with_the_starter(arguments.folder)
    configure_logs("builder", logging.WARNING if arguments.quiet else logging.INFO)
    if arguments.behind:
        os.nice(NICENESS)
    _be_the_first_to_be_killed()
    if arguments.kernels:
        for kit in ALL_KITS:
            compile_kit(kit)
    build_missing(map(partition_titled, arguments.titles), arguments.folder)


def _be_the_first_to_be_killed() -> None:
    score = Path("/proc/self/oom_score_adj")
    if score.exists():
        score.write_text(str(_KILL_ME_FIRST))


def _end_with_the_starter(folder: Path) -> None:
    # A signal to the whole group is handled by the process that started this one.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)  # nothing is ever written: the pipe's end
        abandon(folder)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
