"""The process that builds pattern databases, and the thread that starts it while a worker searches.

The process exits when its parent exits. The first worker of a host that claims the folder starts
it; when that worker ends, another one continues with the missing databases.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from filelock import lock_descriptor

from tilework.core.logs import configure_logs
from tilework.core.solver.kernel_sets import KERNEL_SETS, compile_kernel_set
from tilework.core.solver.pdb.builds import (
    BuildProgressFile,
    list_requests,
    plan_builds,
    remove_build_progress,
    withdraw_request,
)
from tilework.core.solver.pdb.files import (
    StoredTable,
    database_bytes,
    database_path,
    discard_partial_files,
    ensure_built,
    open_existing,
)
from tilework.core.solver.pdb.partitions import Partition, find_partition_by_title

logger = logging.getLogger(__name__)

# Called with a table and the fraction of it that is built, from 0 to 1
ProgressListener = Callable[[StoredTable, float], object]


def claim_builder_lock(folder: Path, *, wait: bool) -> int | None:
    """Lock a folder; return a descriptor that holds the lock, or None if it is already locked."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "building.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        is_locked = lock_descriptor(descriptor, blocking=wait)
    except BaseException:
        os.close(descriptor)
        raise
    if not is_locked:
        os.close(descriptor)
        return None
    return descriptor


def build_missing(
    tables: Iterable[StoredTable], folder: Path, report: ProgressListener = lambda *_: None
) -> list[StoredTable]:
    """Build missing and damaged files one after another; return those that failed."""
    failed_tables = []
    for table in tables:
        if open_existing(table, folder) is not None:
            continue
        try:
            with BuildProgressFile(folder, table.title) as progress:
                ensure_built(table, folder, _report_to_both(progress, table, report))
        except (OSError, MemoryError) as error:
            logger.warning("%s could not be built: %s", database_path(table, folder).name, error)
            failed_tables.append(table)
    return failed_tables


def remove_unfinished(folder: Path) -> None:
    """Remove unfinished files from a folder before the builder is stopped."""
    remove_build_progress(folder)
    discard_partial_files()


def _report_to_both(
    progress: BuildProgressFile, table: StoredTable, report: ProgressListener
) -> Callable[[float], None]:
    def report_progress(fraction: float) -> None:
        progress(fraction)
        report(table, fraction)

    return report_progress


_GRACE_S: Final = 1.0


class BuilderProcess:
    """A subprocess that builds missing files."""

    def __init__(
        self,
        lock: int,
        folder: Path,
        partitions: Iterable[Partition],
        *,
        low_priority: bool = False,
        quiet: bool = False,
        kernels: bool = False,
    ) -> None:
        command = [sys.executable, "-m", "tilework.core.solver.pdb.builder", str(folder)]
        command += [partition.title for partition in partitions]
        command += ["--low-priority"] * low_priority + ["--quiet"] * quiet + ["--kernels"] * kernels
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- our own command
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(lock,),
                # Ctrl-C in a terminal would end it while it is starting, like a failure.
                start_new_session=True,
            )
        finally:
            os.close(lock)
        self._folder = folder

    def exit_code(self) -> int | None:
        """Return the exit code of the process; None while it runs."""
        return self._process.poll()

    def stop(self) -> int:
        """Stop the process if it is still running; return its exit code."""
        assert self._process.stdin is not None  # noqa: S101 -- created with a pipe
        self._process.stdin.close()
        try:
            return self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            # A killed process does not remove its progress file.
            remove_build_progress(self._folder)


NICENESS: Final = 10  # about a tenth of a busy core
_OOM_SCORE: Final = 500  # out of 1,000: if memory runs out, Linux kills this process, not a search


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tilework.core.solver.pdb.builder")
    parser.add_argument("folder", type=Path)
    parser.add_argument("titles", nargs="+", help="as in “5x5 6-6-6-6”")
    parser.add_argument("--low-priority", action="store_true", help="run at low priority")
    parser.add_argument("--quiet", action="store_true", help="report only failures")
    parser.add_argument("--kernels", action="store_true", help="compile all kernels first")
    arguments = parser.parse_args()
    _exit_with_parent(arguments.folder)
    configure_logs("builder", logging.WARNING if arguments.quiet else logging.INFO)
    if arguments.low_priority:
        os.nice(NICENESS)
    _prefer_oom_kill()
    if arguments.kernels:
        for kernel_set in KERNEL_SETS:
            compile_kernel_set(kernel_set)
    build_missing(map(find_partition_by_title, arguments.titles), arguments.folder)


def _prefer_oom_kill() -> None:
    score = Path("/proc/self/oom_score_adj")
    with suppress(OSError):  # only Linux has this file
        # Kubernetes sets a score that its pods may raise, but not lower.
        score.write_text(str(max(_OOM_SCORE, int(score.read_text()))))


def _exit_with_parent(folder: Path) -> None:
    # The parent process handles signals to the process group.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)  # returns when the parent closes the pipe
        remove_unfinished(folder)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()


log = structlog.get_logger()

_POLL_S: Final = 5.0
_WATCH_S: Final = 60.0
"""Interval at which existing files are checked again (seconds)."""
_INITIAL_PAUSE_S: Final = 60.0
_MAX_PAUSE_S: Final = 3_600.0
_MAX_STOP_S: Final = 2.0


class DatabaseBuilding(threading.Thread):
    """Builds missing pattern databases, once per host: requested ones, and default ones that fit
    into a budget of bytes.
    """

    def __init__(self, folder: Path, budget: int) -> None:
        super().__init__(name="building", daemon=True)
        self._folder = folder
        self._budget = budget
        self._stopping = threading.Event()
        self._pause_s = _INITIAL_PAUSE_S

    def run(self) -> None:
        try:
            while not self._stopping.is_set():
                missing = self._find_missing()
                if not missing:
                    self._stopping.wait(_WATCH_S)
                elif (claim := claim_builder_lock(self._folder, wait=False)) is None:
                    self._stopping.wait(_POLL_S)
                else:
                    self._build(claim, missing)
        except OSError as error:
            log.warning(f"no pattern databases are built in the background: {error}")

    def stop(self) -> None:
        self._stopping.set()
        if self.is_alive():
            self.join(timeout=_MAX_STOP_S)

    def _find_missing(self) -> list[Partition]:
        defaults = plan_builds(self._folder, self._budget).affordable
        requested = list_requests(self._folder)
        missing = []
        for partition in dict.fromkeys([*defaults, *requested]):
            if open_existing(partition, self._folder) is None:
                missing.append(partition)
            elif partition in requested:
                withdraw_request(partition, self._folder)
        return missing

    def _build(self, claim: int, missing: Sequence[Partition]) -> None:
        for partition in plan_builds(self._folder, self._budget).too_large:
            log.warning(
                f"the databases {partition.title} exceed TILEWORK_PDB_BUDGET and are not built",
                bytes=database_bytes(partition),
            )
        gigabytes = sum(map(database_bytes, missing)) / 1e9
        log.info(
            f"building {gigabytes:.1f} GB of pattern databases in {str(self._folder)!r}; "
            "TILEWORK_PDB_BUDGET limits their size"
        )
        builder = BuilderProcess(claim, self._folder, missing, low_priority=True, kernels=True)
        while builder.exit_code() is None and not self._stopping.wait(_POLL_S / 10):
            pass
        code = builder.stop()
        if code == 0:
            self._pause_s = _INITIAL_PAUSE_S
            return
        if self._stopping.is_set():
            return
        log.warning("building pattern databases failed", code=code, again_in_s=self._pause_s)
        self._stopping.wait(self._pause_s)
        self._pause_s = min(self._pause_s * 2, _MAX_PAUSE_S)
