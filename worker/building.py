"""The thread that has missing pattern databases of a host built while its worker works.

Every worker runs one. Whoever claims the folder first starts a process that builds; should that
worker end, the process ends too, and the next one starts again with what is still missing. A file
that is damaged later counts as missing.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog

from tilework.core.solver.pdb.building.budget import plan
from tilework.core.solver.pdb.building.builder import become_builder
from tilework.core.solver.pdb.building.process import BuilderProcess
from tilework.core.solver.pdb.files import bytes_of
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.store import open_if_there

_POLL_S: Final = 5.0
_WATCH_S: Final = 60.0
"""How often files that are there are looked at again."""
_FIRST_PAUSE_S: Final = 60.0
_LONGEST_PAUSE_S: Final = 3_600.0
_LONGEST_END_S: Final = 2.0

log = structlog.get_logger()


class Building(threading.Thread):
    """Makes sure that the default pattern databases are built, once per host.

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
            while not self._ending.is_set():
                missing = self._missing()
                if not missing:
                    self._ending.wait(_WATCH_S)
                elif (claim := become_builder(self._folder, patient=False)) is None:
                    self._ending.wait(_POLL_S)
                else:
                    self._build(claim, missing)
        except OSError as error:
            log.warning(f"no pattern databases are built in the background: {error}")

    def stop(self) -> None:
        """End the process that builds, if there is one."""
        self._ending.set()
        if self.is_alive():
            self.join(timeout=_LONGEST_END_S)

    def _missing(self) -> list[Partition]:
        defaults = plan(self._folder, self._budget).within
        return [one for one in defaults if open_if_there(one, self._folder) is None]

    def _tell_what_does_not_fit(self) -> None:
        for partition in plan(self._folder, self._budget).over:
            log.warning(
                f"the databases {partition.title} do not fit TILEWORK_PDB_BUDGET and are not built",
                bytes=bytes_of(partition),
            )

    def _build(self, claim: int, missing: Sequence[Partition]) -> None:
        """Run a builder until it or this worker ends."""
        self._tell_what_does_not_fit()
        builder = BuilderProcess(claim, self._folder, missing, behind=True, kernels=True)
        while builder.exit_code() is None and not self._ending.wait(_POLL_S / 10):
            pass
        code = builder.end()
        if code == 0:
            self._pause_s = _FIRST_PAUSE_S
            return
        if self._ending.is_set():
            return
        log.warning("building pattern databases failed", code=code, again_in_s=self._pause_s)
        self._ending.wait(self._pause_s)
        self._pause_s = min(self._pause_s * 2, _LONGEST_PAUSE_S)
