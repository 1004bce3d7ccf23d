"""The thread that gets a worker ready, while the worker takes what needs no more than it has.

Kernels are compiled in the order in which people wait for them. Workers of one host share what each
of them compiles; a kernel that a search needs at once is compiled before the others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.kits import EIGHT_PUZZLE, Kit, compile_kit
from tilework.core.solver.optimal.choice import engine_for

log = structlog.get_logger()


class Preparing(threading.Thread):
    """Prepares kits one after the other.

    Parameters
    ----------
    kits : sequence of Kit
    pdb_folder : Path
    ready_for : callable
        Called after each kit with what `most_cells` is from now on.
    done : callable
        Called after the last one.
    """

    def __init__(
        self,
        kits: Sequence[Kit],
        pdb_folder: Path,
        ready_for: Callable[[int | None], object],
        done: Callable[[], object],
    ) -> None:
        super().__init__(name="preparing", daemon=True)
        self._kits = kits
        self._most_cells = EIGHT_PUZZLE.cells
        self._ready_for = ready_for
        self._pdb_folder = pdb_folder
        self._done = done
        self._ending = threading.Event()

    @property
    def seconds(self) -> float:
        """About how long it takes where nothing is compiled yet."""
        return sum(kit.seconds for kit in self._kits)

    def most_cells(self) -> int | None:
        """Return of how many cells the largest boards are that it is ready for; None for any."""
        return self._most_cells

    def run(self) -> None:
        """Run in the thread; call ``start`` instead."""
        began = time.perf_counter()
        for kit in self._kits:
            try:
                compile_kit(kit, self._ending.is_set)
                if kit.databases is not None and not self._ending.is_set():
                    engine_for(blank_last(kit.databases), self._pdb_folder)
            except Exception:
                # Such as a disk that is full: a search tries again, and says what it comes to.
                log.exception("kernels could not be prepared")
            if self._ending.is_set():
                return
            if self._most_cells is not None:
                self._most_cells = kit.cells
            self._ready_for(self._most_cells)
        log.info("kernels are ready", seconds=round(time.perf_counter() - began, 2))
        self._done()

    def stop(self) -> None:
        """Begin no other kernel."""
        self._ending.set()
