"""Builds pattern databases in the background of searches if that saves time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Self

from tilework.core.cli.console import translate
from tilework.core.machine import usable_processors, user_databases
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.strategy import partitions_for_goal

if TYPE_CHECKING:
    from tilework.core.solver.pdb.builder import BuilderProcess
    from tilework.core.solver.pdb.partitions import Partition

_YIELD_S: Final = 0.5
"""Pause of a search while a build uses most of the processors."""


class BackgroundBuilds:
    """Starts a build when it saves time (`pdb.builds`) and reports it; thread-safe."""

    def __init__(self, total_s: float | None, *, forbidden: bool = False) -> None:
        self._total_s = total_s
        self._is_forbidden = forbidden
        self._folder = user_databases()
        self._searched_s: dict[Partition, float] = {}
        self._finished: set[Partition] = set()
        self._builder: BuilderProcess | None = None
        self._partition: Partition | None = None
        self._started_at = 0.0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._builder is not None:
            self._builder.stop()

    def describe_progress(self) -> str:
        if self._partition is None:
            return ""
        from tilework.core.solver.pdb.builds import read_build_progress

        building = read_build_progress(self._folder)
        if building is None or building.partition != self._partition.title:
            return ""
        return translate(
            Message(
                "building",
                "building {databases}: {share}",
                databases=building.partition,
                share=f"{building.fraction:.0%}",
            )
        )

    def add_search(self, goal: Board, seconds: float, report: Callable[[str], object]) -> None:
        """Add search time for boards of a goal; `report` receives a line when a build ends."""
        if self._is_forbidden or not partitions_for_goal(goal):
            return
        with self._lock:
            self._update(goal, seconds, report)

    def _update(self, goal: Board, seconds: float, report: Callable[[str], object]) -> None:
        from tilework.core.solver.optimal.engine_choice import find_missing_partition

        if self._builder is not None:
            self._finish(report)
            return
        partition = find_missing_partition(goal, self._folder)
        if partition is None or partition in self._finished:
            return
        spent_s = self._searched_s[partition] = self._searched_s.get(partition, 0.0) + seconds
        if self._should_build(partition, spent_s):
            self._start(partition, report)

    def yield_processors(self) -> None:
        """Pause a long search while a build uses all processors."""
        from tilework.core.solver.pdb.breadth_first import BUILDERS

        if self._builder is not None and usable_processors() <= BUILDERS:
            time.sleep(_YIELD_S)

    def _should_build(self, partition: Partition, spent_s: float) -> bool:
        from tilework.core.solver.pdb.builds import is_worthwhile

        left_s = None if self._total_s is None else self._total_s - spent_s
        if not is_worthwhile(partition, spent_s, left_s):
            return False
        # Imported here, because importing the settings takes longer than solving a 4×4 board.
        from tilework.core.settings import get_settings
        from tilework.core.solver.pdb.builds import has_room

        if not get_settings().pdb_build or not has_room(
            partition, self._folder, get_settings().pdb_budget
        ):
            self._finished.add(partition)
            return False
        return True

    def _start(self, partition: Partition, report: Callable[[str], object]) -> None:
        from tilework.core.solver.pdb.builder import BuilderProcess, claim_builder_lock

        self._partition = partition
        try:
            claim = claim_builder_lock(self._folder, wait=False)
            if claim is None:
                return  # another process or thread is building
            self._started_at = time.monotonic()
            self._builder = BuilderProcess(claim, self._folder, [partition], quiet=True)
        except OSError:
            self._finished.add(partition)
            _report_failure(partition, report)

    def _finish(self, report: Callable[[str], object]) -> None:
        from tilework.core.solver.pdb.files import database_bytes, file_state

        partition, builder = self._partition, self._builder
        if partition is None or builder is None or builder.exit_code() is None:
            return
        builder.stop()
        self._builder = None
        self._finished.add(partition)
        if file_state(partition, self._folder) != "built":
            _report_failure(partition, report)
            return
        message = Message(
            "databases-built",
            "built the pattern databases {title} in {seconds} s and stored them in {folder} "
            "({size})",
            title=partition.title,
            seconds=f"{time.monotonic() - self._started_at:.0f}",
            folder=self._folder,
            size=f"{database_bytes(partition) / 1e6:.0f} MB",
        )
        report(translate(message))


def _report_failure(partition: Partition, report: Callable[[str], object]) -> None:
    message = Message(
        "databases-not-built",
        "the pattern databases {title} could not be built; the search continues without them",
        title=partition.title,
    )
    report(translate(message))
