"""The solver of this process as an analyst. Loads Numba: only workers import this."""

from __future__ import annotations

from pathlib import Path

from tilework.core.search.limits import Limits
from tilework.core.services.analyses.records import GameSpec
from tilework.core.solver.analysis.analyse import analyse
from tilework.core.solver.analysis.result import Analysis, AnalysisListener


class LocalAnalyst:
    """Implements ``tilework.core.services.analyses.work.Analyst``.

    Parameters
    ----------
    pdb_folder : Path
        Folder of the pattern databases.
    """

    def __init__(self, pdb_folder: Path) -> None:
        self._folder = pdb_folder

    def analyse(self, spec: GameSpec, limits: Limits, progress: AnalysisListener) -> Analysis:
        """Analyse a game, within limits."""
        return analyse(
            spec.start,
            spec.goal,
            spec.moves,
            limits=limits,
            progress=progress,
            pdb_folder=self._folder,
        )
