"""A thread that builds the pattern databases of a host while its workers search.

The first worker that claims the folder starts a process that builds them. The process ends with its
worker; another worker then continues with the missing databases.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog

from tilework.core.solver.pdb.building.policy import plan_builds
from tilework.core.solver.pdb.building.process import BuilderProcess, claim_builder_lock
from tilework.core.solver.pdb.building.requests import list_requests, withdraw_request
from tilework.core.solver.pdb.files import database_bytes
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.store import open_existing

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
