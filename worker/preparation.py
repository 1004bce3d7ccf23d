"""Threads of a worker that prepare its kernels, and the pattern databases of the host.

Kernels are compiled in the order in which users need them, and shared by all workers of a host. The
first worker that claims the folder of the databases starts a process that builds them. The process
ends with its worker; another worker then continues with the missing databases.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import structlog

from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.kernel_sets import EIGHT_PUZZLE, KernelSet, compile_kernel_set
from tilework.core.solver.optimal.choice import select_engine
from tilework.core.solver.pdb.building.policy import plan_builds
from tilework.core.solver.pdb.building.process import BuilderProcess, claim_builder_lock
from tilework.core.solver.pdb.building.requests import list_requests, withdraw_request
from tilework.core.solver.pdb.files import database_bytes
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.store import open_existing

log = structlog.get_logger()


class KernelPreparation(threading.Thread):
    """Prepares kernel sets one after another; calls `on_ready` with `max_cells` after each."""

    def __init__(
        self,
        kernel_sets: Sequence[KernelSet],
        pdb_folder: Path,
        on_ready: Callable[[int | None], object],
        on_done: Callable[[], object],
    ) -> None:
        super().__init__(name="preparing", daemon=True)
        self._kernel_sets = kernel_sets
        self._max_cells = EIGHT_PUZZLE.cells
        self._on_ready = on_ready
        self._pdb_folder = pdb_folder
        self._on_done = on_done
        self._stopping = threading.Event()

    @property
    def seconds(self) -> float:
        """The approximate duration if nothing is compiled yet."""
        return sum(kernel_set.seconds for kernel_set in self._kernel_sets)

    def max_cells(self) -> int | None:
        """Return the size of the largest boards for which it is ready; None for any."""
        return self._max_cells

    def run(self) -> None:
        started = time.perf_counter()
        for kernel_set in self._kernel_sets:
            try:
                compile_kernel_set(kernel_set, self._stopping.is_set)
                if kernel_set.databases is not None and not self._stopping.is_set():
                    select_engine(blank_last(kernel_set.databases), self._pdb_folder)
            except Exception:
                # For example, a full disk. Each search tries again and reports its own error.
                log.exception("kernels could not be prepared")
            if self._stopping.is_set():
                return
            if self._max_cells is not None:
                self._max_cells = kernel_set.cells
            try:
                self._on_ready(self._max_cells)
            except Exception:
                log.exception("a worker that is ready could not be reported")
        log.info("kernels are ready", seconds=round(time.perf_counter() - started, 2))
        self._on_done()

    def stop(self) -> None:
        self._stopping.set()


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
