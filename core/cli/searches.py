"""Searches of the command line, and the names by which they are chosen.

Some names belong to both the solver and the lab. A pair of names means the lab's search if one of
them exists only in the lab, as in ``greedy`` or ``a-star`` with ``hamming``; otherwise the
solver's. The lab's own ``a-star``, ``ida-star`` and ``beam`` are also called ``lab-a-star`` and so
on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from tilework.core.arguments import not_available
from tilework.core.cli.background_builds import BackgroundBuilds
from tilework.core.cli.console import ProgressLine, describe_progress, interruptible
from tilework.core.cli.runs import MEBIBYTES, check_fits, run_with_progress
from tilework.core.errors import OptionError
from tilework.core.lab.methods import (
    ALGORITHMS,
    PUBLISHED,
    PUBLISHED_NAMES,
    LabAlgorithm,
    LabHeuristic,
    Method,
)
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.search.limits import Limits
from tilework.core.solver.result import Progress, ProgressListener, SearchResult
from tilework.core.solver.strategy import A_STAR_CELLS, check_metric
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

if TYPE_CHECKING:
    from tilework.core.lab.result import RunResult


@dataclass(frozen=True, slots=True, kw_only=True)
class TextbookResult(SearchResult):
    """The result of a textbook search; its bound is a proven length or the Manhattan distance."""

    run: RunResult

    @property
    def figures(self) -> dict[str, Any]:
        """The statistics of the run, by the names of the API."""
        return {
            "method": self.run.method.text,
            "optimal": True if self.run.optimal else None,
            "stopped_by": self.run.stopped_by,
            **asdict(self.run.statistics),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How boards are solved: by a textbook search, for slides, or by the solver."""

    method: Method | None = None  # of a textbook search
    mebibytes: int = MEBIBYTES  # memory limit for the nodes of a textbook search
    metric: Metric = Metric.MOVES
    algorithm: Algorithm = Algorithm.AUTO
    heuristic: Heuristic = Heuristic.AUTO
    target: Target
    time_limit: float | None  # seconds for each board
    node_limit: int | None  # nodes generated for each board
    threads: int  # processors to use
    builds: BackgroundBuilds  # builds pattern databases in the background

    @property
    def heuristic_name(self) -> str | None:
        """The heuristic that the user chose, if any."""
        name = self.heuristic if self.method is None else self.method.heuristic
        return None if name in (None, Heuristic.AUTO) else PUBLISHED_NAMES.get(name, name)

    @property
    def _uses_databases(self) -> bool:
        return self.algorithm in (Algorithm.AUTO, Algorithm.IDA_STAR) and self.heuristic in (
            Heuristic.AUTO,
            Heuristic.PATTERN_DATABASE,
        )

    def is_parallel(self, board: Board) -> bool:
        """Whether several such boards can be solved in parallel, one processor each."""
        is_by_solver = self.method is None and self.metric is Metric.MOVES
        return is_by_solver and board.size.cells <= A_STAR_CELLS

    def solve_in_thread(
        self, board: Board, goal: Board, cancelled: Callable[[], bool]
    ) -> SearchResult:
        """Solve a board for which `is_parallel` is true."""
        result = self._solve(board, goal, cancelled, threads=1)
        if self._uses_databases:
            self.builds.add_search(goal, result.statistics.seconds, _print_error)
        return result

    def solve(self, board: Board, goal: Board) -> SearchResult:
        """Solve a board; the first Ctrl-C ends the search, the second raises KeyboardInterrupt."""
        if self.method is not None:
            return self._run(self.method, board, goal)
        if self.metric is Metric.SLIDES:
            from tilework.core.solver.slides.find import find_slides

            with ProgressLine() as line, interruptible() as cancelled:
                limits = self._limits(cancelled)
                return find_slides(board, goal, target=self.target, limits=limits, progress=line)
        builds = self.builds if self._uses_databases else None
        suffix = str if builds is None else builds.describe_progress
        distance = board.manhattan(goal)
        with ProgressLine(suffix, distance) as line, interruptible() as cancelled:
            reported_s = 0.0

            def add_search(seconds: float) -> None:
                nonlocal reported_s
                if builds is not None:
                    builds.add_search(goal, seconds - reported_s, line.print_line)
                    reported_s = seconds

            def report(progress: Progress) -> None:
                line(progress)
                add_search(progress.seconds)
                if builds is not None:
                    builds.yield_processors()

            try:
                result = self._solve(board, goal, cancelled, report, threads=self.threads)
                add_search(result.statistics.seconds)
                return result
            except KeyboardInterrupt:
                if line.last is not None:
                    print(f"\n{describe_progress(line.last, distance)}", file=sys.stderr)
                raise

    def _solve(
        self,
        board: Board,
        goal: Board,
        cancelled: Callable[[], bool],
        progress: ProgressListener | None = None,
        *,
        threads: int,
    ) -> SearchResult:
        from tilework.core.solver.solve import solve

        return solve(
            board,
            goal,
            target=self.target,
            limits=self._limits(cancelled),
            algorithm=self.algorithm,
            heuristic=self.heuristic,
            progress=progress,
            threads=threads,
        )

    def _run(self, method: Method, board: Board, goal: Board) -> TextbookResult:
        check_fits(board.size)
        limits = Limits(self.time_limit, self.node_limit, self.mebibytes << 20)
        result = run_with_progress(board, goal, method, limits)
        optimum = len(result.moves) if result.moves is not None and result.optimal else None
        return TextbookResult(
            lower_bound=board.manhattan(goal) if optimum is None else optimum,
            moves=result.moves,
            algorithm=method.text,
            statistics=result.statistics,
            stopped_by=result.stopped_by,
            bound_proof=BoundProof.MANHATTAN if optimum is None else BoundProof.SEARCH,
            run=result,
        )

    def _limits(self, cancelled: Callable[[], bool]) -> Limits:
        return Limits(self.time_limit, self.node_limit, cancelled=cancelled)


def _print_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def make_target(kind: TargetKind | None, gap: float | None) -> Target:
    """Combine ``--target`` and ``--gap``; a gap alone implies the target gap."""
    if gap is None:
        if kind is TargetKind.GAP:
            raise OptionError(
                "gap-missing", "the target gap requires --gap, as in --gap 0.1 for 10%"
            )
        return Target(kind or TargetKind.OPTIMAL)
    if kind not in (None, TargetKind.GAP):
        raise OptionError(
            "gap-and-target",
            "--gap {gap:g} and --target {target} contradict each other",
            gap=gap,
            target=kind,
        )
    return Target(TargetKind.GAP, gap)


def make_search(
    algorithm: str,
    heuristic: str,
    *,
    metric: Metric,
    target: Target,
    weight: float | None,
    beam_width: int | None,
    mebibytes: int | None,
    **options: Any,
) -> Search:
    """Return the search of these names; see `Search` for the other options."""
    check_metric(metric, algorithm, heuristic)
    method = find_method(algorithm, heuristic, weight, beam_width)
    if method is None:
        if mebibytes is not None:
            raise OptionError(
                "limit-unused",
                "{algorithm} takes no {name}; only textbook searches do",
                algorithm=algorithm,
                name="--memory-limit",
            )
        return Search(
            metric=metric,
            algorithm=Algorithm(algorithm),
            heuristic=Heuristic(heuristic),
            target=target,
            **options,
        )
    if target != Target():
        raise OptionError(
            "target-unused",
            "{algorithm} takes no target: it stops when its search ends; omit the target {target}",
            algorithm=algorithm,
            target=target.kind,
        )
    mebibytes = MEBIBYTES if mebibytes is None else mebibytes
    return Search(method=method, mebibytes=mebibytes, target=target, **options)


_PREFIX: Final = "lab-"
"""Prefix of the lab's algorithms whose names also belong to the solver."""

_SOLVERS: Final = frozenset(map(str, Algorithm))
_ESTIMATES: Final = frozenset(map(str, Heuristic))
_METHODS: Final = {
    f"{_PREFIX}{name}" if name in _SOLVERS else str(name): name for name in LabAlgorithm
}

_ALGORITHM_NAMES: Final = (*map(str, Algorithm), *_METHODS)
_HEURISTIC_NAMES: Final = (
    *map(str, Heuristic),
    *(str(name) for name in LabHeuristic if name not in _ESTIMATES),
)


def find_method(
    algorithm: str, heuristic: str, weight: float | None, width: int | None
) -> Method | None:
    """Return the textbook search of these names; None if they belong to the solver.

    Parameters
    ----------
    heuristic : str
        With ``auto``, an informed search uses the lab's default. A name from the published program
        means that program's search, if no algorithm is named.
    weight, width : float, int or None
        The weight or the beam width of the two searches that have one.

    Raises
    ------
    OptionError
        If a name is unknown, names do not fit together, or the algorithm does not take a number.
    """
    _check(algorithm, heuristic)
    lab_algorithm = _METHODS.get(algorithm)
    if lab_algorithm is None:
        if heuristic in _ESTIMATES:
            _check_unused(algorithm, weight, width)
            return None
        published = algorithm == Algorithm.AUTO and heuristic in PUBLISHED_NAMES.values()
        lab_algorithm = PUBLISHED if published else _lab_algorithm(algorithm, heuristic)
    return Method.of(
        lab_algorithm, None if heuristic == Heuristic.AUTO else heuristic, weight, width
    )


def _check(algorithm: str, heuristic: str) -> None:
    names = (
        (algorithm, _ALGORITHM_NAMES, ()),
        (heuristic, _HEURISTIC_NAMES, PUBLISHED_NAMES.values()),
    )
    for text, offered, published in names:
        if text not in offered and text not in published:
            raise not_available(text, offered)


def _lab_algorithm(algorithm: str, heuristic: str) -> LabAlgorithm:
    """Return the lab's algorithm of a name that the solver also has."""
    lab_algorithm = _METHODS.get(f"{_PREFIX}{algorithm}")
    if lab_algorithm is None:
        informed = [name for name, lab_name in _METHODS.items() if ALGORITHMS[lab_name].informed]
        raise OptionError(
            "lab-heuristic-only",
            "{heuristic} works only with textbook searches, and {algorithm} is not one; choose "
            "from {choices}",
            heuristic=heuristic,
            algorithm=algorithm,
            choices=", ".join(informed),
        )
    return lab_algorithm


def _check_unused(algorithm: str, weight: float | None, width: int | None) -> None:
    if weight is not None:
        raise OptionError(
            "weight-unused",
            "{algorithm} takes no weight; omit {weight:g}",
            algorithm=algorithm,
            weight=weight,
        )
    if width is not None:
        raise OptionError(
            "width-unused",
            "{algorithm} takes no width; omit {width}",
            algorithm=algorithm,
            width=width,
        )
