"""One search from the command line: options, progress line, Ctrl-C."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from core.cli.interrupts import interruptible
from core.cli.progress_line import ProgressLine, describe
from core.cli.solve.paying_builds import PayingBuilds
from core.errors import OptionError
from core.puzzle.board import Board
from core.search.limits import Limits, StopReason
from core.solver.names import Algorithm, Heuristic
from core.solver.result import Progress, SearchResult
from core.solver.target import Target, TargetKind


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What to search for, how, and how long.

    Attributes
    ----------
    time_limit : float or None
        Seconds for each board.
    node_limit : int or None
        Nodes generated for each board.
    threads : int
        On which each board is searched.
    builds : PayingBuilds or None
        What may build pattern databases beside the searches.
    """

    target: Target
    time_limit: float | None
    node_limit: int | None
    algorithm: Algorithm
    heuristic: Heuristic
    threads: int
    builds: PayingBuilds | None = None

    def search(self, board: Board, goal: Board) -> SearchResult:
        """Solve one board in this process, with a progress line on a terminal.

        The first Ctrl-C ends the search with the bounds it has (``was_interrupted`` tells); a
        second one raises KeyboardInterrupt.
        """
        builds = self.builds if self._takes_databases() else None
        beside = str if builds is None else builds.note
        distance = board.manhattan(goal)
        with ProgressLine(sys.stderr, beside, distance) as line, interruptible() as cancelled:
            from core.solver.solve import solve

            told_s = 0.0

            def tell(progress: Progress) -> None:
                nonlocal told_s
                line(progress)
                if builds is not None:
                    builds.searched(goal, progress.seconds - told_s, line.say)
                    told_s = progress.seconds
                    builds.stand_back()

            try:
                result = solve(
                    board,
                    goal,
                    target=self.target,
                    limits=Limits(self.time_limit, self.node_limit, cancelled=cancelled),
                    algorithm=self.algorithm,
                    heuristic=self.heuristic,
                    progress=tell,
                    threads=self.threads,
                )
                if builds is not None:
                    builds.searched(goal, result.statistics.seconds - told_s, line.say)
                return result
            except KeyboardInterrupt:
                if line.last is not None:
                    print(f"\n{describe(line.last, distance)}", file=sys.stderr)
                raise

    def _takes_databases(self) -> bool:
        return self.algorithm in (Algorithm.AUTO, Algorithm.IDA_STAR) and self.heuristic in (
            Heuristic.AUTO,
            Heuristic.PATTERN_DATABASE,
        )


def target_of(kind: TargetKind | None, gap: float | None) -> Target:
    """Combine ``--target`` and ``--gap``; a gap alone asks for that gap.

    Raises
    ------
    OptionError
        If a gap comes with another target, or the target ``gap`` without one.
    """
    if gap is None:
        if kind is TargetKind.GAP:
            raise OptionError("gap-missing", "the target gap needs --gap, as in --gap 0.1 for 10%")
        return Target(kind or TargetKind.OPTIMAL)
    if kind not in (None, TargetKind.GAP):
        raise OptionError(
            "gap-and-target",
            "--gap {gap:g} and --target {target} contradict each other",
            gap=gap,
            target=kind,
        )
    return Target(TargetKind.GAP, gap)


def was_interrupted(result: SearchResult) -> bool:
    """Whether Ctrl-C ended this search."""
    return result.stopped_by is StopReason.CANCELLED
