"""A thread that prepares a worker's kernels, in the order in which users need them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

from tilework.core.compiling import loading
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.kernel_sets import EIGHT_PUZZLE, KernelSet, compile_kernel_set
from tilework.core.solver.optimal.choice import select_engine

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
        loading.ignore_this_thread()
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
