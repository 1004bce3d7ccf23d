"""The solver running in this process, which answers questions. Only workers import this module."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tilework.core.model.states import RunState
from tilework.core.model.tasks import (
    GameSpec,
    Progress,
    Question,
    Result,
    ShortestPathsSpec,
    TaskEnd,
)
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.analysis.analyse import analyse
from tilework.core.solver.analysis.game import AnalysisProgress, analysis_document
from tilework.core.solver.result import Progress as SearchProgress
from tilework.core.solver.result import SlidesResult
from tilework.core.solver.shortest_paths.find import find_shortest_paths, shortest_paths_document
from tilework.core.solver.shortest_paths.graph import pack_graph, pack_solutions
from tilework.core.solver.slides.find import find_slides

OnProgress = Callable[[Progress], object]


class SolverEngine:
    """Answers questions.

    ``pdb_folder``: folder of the pattern databases.
    """

    def __init__(self, pdb_folder: Path) -> None:
        self._folder = pdb_folder

    def __call__(self, spec: Question, limits: Limits, on_progress: OnProgress) -> TaskEnd | None:
        """Answer a question within limits; return None if cancelled."""
        if isinstance(spec, GameSpec):
            result = self._analyse_game(spec, limits, on_progress)
        else:
            result = self._find_shortest_paths(spec, limits, on_progress)
        return None if result is None else TaskEnd(RunState.DONE, result)

    def _analyse_game(
        self, spec: GameSpec, limits: Limits, on_progress: OnProgress
    ) -> Result | None:
        def report(progress: AnalysisProgress) -> None:
            on_progress(Progress(progress.settled, progress.total, progress.lower, progress.upper))

        analysis = analyse(
            spec.start,
            spec.goal,
            spec.moves,
            limits=limits,
            progress=report,
            pdb_folder=self._folder,
        )
        if analysis.stopped_by is StopReason.CANCELLED:
            return None
        return Result(analysis_document(analysis))

    def _find_shortest_paths(
        self, spec: ShortestPathsSpec, limits: Limits, on_progress: OnProgress
    ) -> Result | None:
        def report(progress: SearchProgress) -> None:
            on_progress(Progress(0, None, progress.lower_bound, progress.upper_bound))

        def on_layer(depth: int, length: int) -> None:
            on_progress(Progress(depth, length, length, length))

        started = time.perf_counter()
        paths = find_shortest_paths(
            spec.start,
            spec.goal,
            limits=replace(limits, memory_bytes=spec.memory_bytes),
            progress=report,
            on_layer=on_layer,
            pdb_folder=self._folder,
        )
        if paths.stopped_by is StopReason.CANCELLED:
            return None
        seconds_left = spec.seconds - (time.perf_counter() - started)
        slides = self._find_slides(spec, limits, seconds_left)
        if slides is not None and slides.stopped_by is StopReason.CANCELLED:
            return None
        document = shortest_paths_document(paths, slides)
        if paths.graph is None:
            return Result(document)
        return Result(document, pack_solutions(paths.graph), pack_graph(paths.graph))

    def _find_slides(
        self, spec: ShortestPathsSpec, limits: Limits, seconds: float
    ) -> SlidesResult | None:
        if seconds <= 0:
            return None
        limits = replace(limits, seconds=seconds)
        return find_slides(spec.start, spec.goal, limits=limits, pdb_folder=self._folder)
