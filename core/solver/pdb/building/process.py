"""The one process of a host that builds pattern databases in advance, ended with its starter."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from filelock import lock_descriptor

from tilework.core.logs import configure_logs
from tilework.core.solver.kernel_sets import KERNEL_SETS, compile_kernel_set
from tilework.core.solver.pdb.files import StoredTable, database_path, discard_partial_files
from tilework.core.solver.pdb.patterns import Partition, partition_titled
from tilework.core.solver.pdb.progress import BuildProgressFile, remove_build_progress
from tilework.core.solver.pdb.store import ensure_built, open_existing

logger = logging.getLogger(__name__)

# Called with the share of databases that is built, from 0 to 1
ShareListener = Callable[[StoredTable, float], object]


def claim_builder_lock(folder: Path, *, wait: bool) -> int | None:
    """Claim a folder for this process and those that inherit the descriptor."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "building.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        claimed = lock_descriptor(descriptor, blocking=wait)
    except BaseException:
        os.close(descriptor)
        raise
    if not claimed:
        os.close(descriptor)
        return None
    return descriptor


def build_missing(
    wanted: Iterable[StoredTable], folder: Path, tell: ShareListener = lambda *_: None
) -> list[StoredTable]:
    """Build what is missing or damaged, one file after the other."""
    failed = []
    for stored in wanted:
        if open_existing(stored, folder) is not None:
            continue
        try:
            with BuildProgressFile(folder, stored.title) as note:
                ensure_built(stored, folder, _to_both(note, stored, tell))
        except (OSError, MemoryError) as error:
            logger.warning("%s could not be built: %s", database_path(stored, folder).name, error)
            failed.append(stored)
    return failed


def remove_unfinished(folder: Path) -> None:
    """Remove unfinished files from a folder: for a builder that is about to be stopped."""
    remove_build_progress(folder)
    discard_partial_files()


def _to_both(
    note: BuildProgressFile, stored: StoredTable, tell: ShareListener
) -> Callable[[float], None]:
    def both(share: float) -> None:
        note(share)
        tell(stored, share)

    return both


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
        for kernel_set in KERNEL_SETS:
            compile_kernel_set(kernel_set)
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
        remove_unfinished(folder)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
