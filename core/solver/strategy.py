"""The solving strategy: the algorithms and heuristics that each board supports, and the steps.

The steps that are run for a board have an order and limits. `tilework.core.solver.solve` runs a
whole strategy in one process. Workers run the steps before IDA* in one task of a few seconds, and
divide IDA* into slices. This module does not load the solver.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import has_blank_in_corner
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.costs import HUGE_CELLS, TWO_BEAMS_CELLS
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.pdb.partitions import Partition, partitions_for
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

A_STAR_CELLS = 16  # largest board for A*: its tiles fit into a 64-bit word

IDA_STAR_CELLS = MAX_CELLS  # largest board for IDA*

SMALL_PATTERN_CELLS = 16  # largest board whose pattern databases are built on demand for any goal
SLIDES_CELLS = 16  # largest board for an optimal search in slides

_MAX_CELLS = {
    Algorithm.A_STAR: A_STAR_CELLS,
    Algorithm.IDA_STAR: IDA_STAR_CELLS,
    Algorithm.BEAM: TWO_BEAMS_CELLS,  # on larger boards, beams are worse than the steps of `AUTO`
}
# They need no tables, so every goal has them.
DISTANCE_HEURISTICS = frozenset({Heuristic.MANHATTAN, Heuristic.LINEAR_CONFLICT})


def check_options(goal: Board, algorithm: Algorithm, heuristic: Heuristic) -> None:
    """Reject an algorithm that does not support the size or the heuristic."""
    size = goal.size
    max_cells = _MAX_CELLS.get(algorithm)
    if max_cells is not None and size.cells > max_cells:
        raise OptionError(
            "algorithm-cells",
            "{algorithm} is limited to {max} cells and {size} boards have {cells}; "
            "choose from {choices}",
            algorithm=algorithm,
            max=max_cells,
            size=size,
            cells=size.cells,
            choices=", ".join(
                name for name in Algorithm if size.cells <= _MAX_CELLS.get(name, size.cells)
            ),
        )
    if heuristic is Heuristic.AUTO or 1 in size:
        return
    choices = heuristics_for_algorithm(goal, algorithm)
    if heuristic not in choices:
        raise OptionError(
            "heuristic",
            "{algorithm} does not support {heuristic} for {size} boards with this goal; "
            "choose from {choices}",
            algorithm=algorithm,
            heuristic=heuristic,
            size=size,
            choices=", ".join(sorted(choices)),
        )


def check_metric(metric: Metric, algorithm: str, heuristic: str) -> None:
    """Raise OptionError if a method that counts moves is named for the metric slides."""
    if metric is Metric.MOVES:
        return
    for name in (algorithm, heuristic):
        if name != Algorithm.AUTO:
            raise OptionError(
                "metric-method",
                "{name!r} counts moves; omit it, or use the metric 'moves' instead of {metric!r}",
                name=name[:40],
                metric=metric.value,
            )


def heuristics_for_algorithm(goal: Board, algorithm: Algorithm) -> frozenset[Heuristic]:
    """Return the heuristics that an algorithm supports for a goal, without ``AUTO``."""
    ida_star_heuristics = heuristics_for(goal) if goal.size.cells <= IDA_STAR_CELLS else frozenset()
    return {
        Algorithm.A_STAR: DISTANCE_HEURISTICS,
        Algorithm.CONSTRUCTIVE: DISTANCE_HEURISTICS,
        Algorithm.IDA_STAR: ida_star_heuristics,
        Algorithm.BEAM: frozenset({Heuristic.AUTO}),
        Algorithm.AUTO: DISTANCE_HEURISTICS | ida_star_heuristics,
    }[algorithm]


def heuristics_for(goal: Board) -> frozenset[Heuristic]:
    """Return the heuristics of IDA* for a goal: the distances, and pattern databases if any."""
    if partitions_for_goal(goal) or fits_small_patterns(goal):
        return DISTANCE_HEURISTICS | {Heuristic.PATTERN_DATABASE}
    return DISTANCE_HEURISTICS


def partitions_for_goal(goal: Board) -> tuple[Partition, ...]:
    """Return the partitions with stored pattern databases for a goal, the best first."""
    # For smaller boards, tables are faster to build than to read.
    if goal.size != Size(4, 4) and goal.size.cells <= SMALL_PATTERN_CELLS:
        return ()
    in_corner = has_blank_in_corner(goal)
    partitions = partitions_for(goal.size)
    return tuple(partition for partition in partitions if partition.allows_any_blank or in_corner)


def fits_small_patterns(goal: Board) -> bool:
    return goal.size.cells <= SMALL_PATTERN_CELLS and 1 not in goal.size


class Step(StrEnum):
    """One step of a strategy.

    ``slide``: the only path on a board one cell wide. ``nearby``: an optimal search of the window
    in which a short solution must stay. ``construct``: a quick solution. ``sweep``: a shorter
    solution of a large board, in a similar time. ``sweep-huge``: the only solution of a huge board,
    which takes minutes. ``a-star``: A*. ``improve``: shorter and shorter solutions, by trials
    (`tilework.core.solver.large.portfolio`). ``beams``: only beams of increasing width.
    ``ida-star``: only IDA*. ``deepen``: IDA*, with an aimed beam before each threshold.
    """

    SLIDE = "slide"
    NEARBY = "nearby"
    CONSTRUCT = "construct"
    SWEEP = "sweep"
    SWEEP_HUGE = "sweep-huge"
    A_STAR = "a-star"
    IMPROVE = "improve"
    BEAMS = "beams"
    IDA_STAR = "ida-star"
    DEEPEN = "deepen"


# Steps that find some solution, in a time that depends only on the size
FINDING_STEPS = (Step.CONSTRUCT, Step.SWEEP)

# Boards of up to this many cells get a first solution within 0.1 s, regardless of the limit
INSTANT_CELLS = 2_500


@dataclass(frozen=True, slots=True)
class Stage:
    step: Step
    nodes: int | None = None  # limit of generated nodes
    share: float = 1.0  # of the time and nodes that remain when the stage begins
    default_nodes: int | None = None  # limit if the request limits neither time nor nodes
    # Workers continue after the first threshold that has this many nodes
    shared_from: int | None = None


NEARBY_MOVES = 80  # boards with a greater lower bound are not near their goal

# Even if this step fails, enough time must be left to find some solution.
_NEARBY = Stage(Step.NEARBY, nodes=500_000, share=0.5)
_CONSTRUCT = Stage(Step.CONSTRUCT)
_SWEEP = Stage(Step.SWEEP)
_SWEEP_HUGE = Stage(Step.SWEEP_HUGE)
_A_STAR = Stage(Step.A_STAR)
_DEEPEN = Stage(Step.DEEPEN)
# The next threshold takes workers half a second or more, and would seldom be completed in time.
_DEEPEN_INITIALLY = Stage(Step.DEEPEN, shared_from=3_000_000)
# Most 15-puzzles are solved optimally in a few milliseconds; a first solution would add a quarter.
_DEEPEN_FIRST = Stage(Step.DEEPEN, nodes=1_000_000, share=0.5)

# About ten seconds: a request without a limit must not run for hours.
_IMPROVE = Stage(Step.IMPROVE, default_nodes=100_000_000)

# A random board of up to this many cells can be solved optimally within minutes to days, and its
# solution hardly improves after a few seconds. Larger boards can only be solved optimally if they
# are easy.
PROVABLE_CELLS = 25
_DEEPEN_BRIEFLY = Stage(Step.DEEPEN, nodes=1_000_000, share=0.1)
# An easy 24-puzzle is proven optimal in less time than an improvement of its solution takes.
_DEEPEN_EASY = replace(_DEEPEN_BRIEFLY, nodes=20_000_000)
_IMPROVE_BRIEFLY = Stage(Step.IMPROVE, nodes=20_000_000, share=0.8, default_nodes=5_000_000)
_IMPROVE_INITIALLY = replace(_IMPROVE_BRIEFLY, nodes=1_500_000)
_IMPROVE_LONG = replace(_IMPROVE, share=0.85)

_A_STAR_FIRST_CELLS = 9

# Stages by maximum number of cells. A* solves boards of up to 9 cells without loading compiled
# code. IDA* supports boards of up to 36 cells.
_AUTO_STAGES: tuple[tuple[int, tuple[Stage, ...]], ...] = (
    (_A_STAR_FIRST_CELLS, (_A_STAR, _DEEPEN)),
    (A_STAR_CELLS, (_CONSTRUCT, _DEEPEN_EASY, _IMPROVE_INITIALLY, _DEEPEN)),
    (PROVABLE_CELLS, (_CONSTRUCT, _DEEPEN_EASY, _IMPROVE_BRIEFLY, _DEEPEN)),
    (IDA_STAR_CELLS, (_CONSTRUCT, _DEEPEN_BRIEFLY, _IMPROVE_LONG, _DEEPEN)),
)
_AUTO_STAGES_LARGER = (_NEARBY, _CONSTRUCT, _IMPROVE)

# Minimum number of cells for which sweeps are faster than the constructive solver, and for which
# `improve` is faster, too
_MIN_SWEEP_CELLS, _MIN_IMPROVE_FIRST_CELLS = 1_000, 20_000

_SINGLE_STAGES = {
    Algorithm.A_STAR: _A_STAR,
    Algorithm.IDA_STAR: Stage(Step.IDA_STAR),
    # This takes about a minute and a half.
    Algorithm.BEAM: Stage(Step.BEAMS, nodes=1_000_000_000),
    Algorithm.CONSTRUCTIVE: _CONSTRUCT,
}


def stages_for(
    goal: Board,
    algorithm: Algorithm,
    heuristic: Heuristic,
    *,
    optimal: bool = True,
    quick_first_solution: bool = False,
    workers_continue: bool = False,
) -> tuple[Stage, ...]:
    """Return the stages of a search, which run in this order until the target is met.

    Parameters
    ----------
    goal : Board; of the same size as the board
    algorithm, heuristic; a pair that `tilework.core.solver.strategy.check_options` accepts
    optimal : bool; whether the target is the optimum
    quick_first_solution : bool; whether boards that `shows_bounds_early` begin with a quick first
        solution, whichever algorithm is requested
    workers_continue : bool; whether workers continue afterwards: skip the improvement of boards too
        large for an optimal search, and shorten it on others
    """
    size = goal.size
    if 1 in size:
        return (Stage(Step.SLIDE),)
    if algorithm is not Algorithm.AUTO:
        stage = _SINGLE_STAGES[algorithm]
        if quick_first_solution and shows_bounds_early(size.cells) and stage is not _CONSTRUCT:
            return (_CONSTRUCT, stage)
        return (stage,)
    stages = next(
        (stages for max_cells, stages in _AUTO_STAGES if size.cells <= max_cells),
        _AUTO_STAGES_LARGER,
    )
    if workers_continue:
        if size.cells <= A_STAR_CELLS:
            # Only the initial search improves solutions of these boards.
            stages = tuple(stage for stage in stages if stage is not _DEEPEN_EASY)
        # A proof waits for the initial search; wider beams run later, in parallel with the proof.
        initial = {
            _DEEPEN_EASY: _DEEPEN_BRIEFLY,
            _IMPROVE_BRIEFLY: _IMPROVE_INITIALLY,
            _DEEPEN: _DEEPEN_INITIALLY,
        }
        stages = tuple(initial.get(stage, stage) for stage in stages)
    if size.cells > HUGE_CELLS:
        stages = (_NEARBY, _SWEEP_HUGE)
    elif size.cells > IDA_STAR_CELLS and workers_continue:
        stages = (_NEARBY, _SWEEP if size.cells >= _MIN_SWEEP_CELLS else _CONSTRUCT)
    elif size.cells >= _MIN_IMPROVE_FIRST_CELLS and not quick_first_solution:
        # The step `improve` starts with its own first solution, which is as quick and shorter.
        stages = (_NEARBY, _IMPROVE)
    if heuristic is Heuristic.PATTERN_DATABASE:
        stages = tuple(stage for stage in stages if stage is not _A_STAR)
    if optimal and _A_STAR_FIRST_CELLS < size.cells <= A_STAR_CELLS:
        index = stages.index(_CONSTRUCT)
        stages = (*stages[:index], _DEEPEN_FIRST, *stages[index:])
    return stages


# Algorithms that find solutions but do not raise the lower bound
NON_PROVING = (Algorithm.BEAM, Algorithm.CONSTRUCTIVE)


def uses_thresholds(algorithm: str, cells: int) -> bool:
    """Whether workers continue with IDA*, in slices, after the initial search."""
    return cells <= IDA_STAR_CELLS and algorithm not in NON_PROVING


# A tree that probably has this many nodes per worker is searched in order of promise. For smaller
# trees, the half second that one worker takes to order the subtrees is not worthwhile.
MIN_ORDERED_NODES = 50_000_000

# Smaller boards are solved optimally before a search for shorter solutions gains much
MIN_IMPROVED_CELLS = 25


def is_improvable(algorithm: str, size: Size) -> bool:
    """Whether workers look for shorter solutions until the job's deadline."""
    return (
        algorithm == Algorithm.AUTO
        and MIN_IMPROVED_CELLS <= size.cells <= HUGE_CELLS
        and 1 not in size
    )


def shows_bounds_early(cells: int) -> bool:
    """Whether a board takes so long that bounds are shown before the initial search ends."""
    return cells > A_STAR_CELLS


# The time and the moves of a first solution are proportional to this *work*, cells × (width +
# height); this much takes the constructive solver about a second.
INTERACTIVE_WORK = 2_000_000

# Time limit of an initial search from the queue of long searches, except for huge boards (seconds)
LONG_INITIAL_SEARCH_S = 10.0


def has_quick_initial_search(algorithm: str, size: Size) -> bool:
    """Whether the initial search is quick enough for the interactive queue."""
    work = size.cells * (size.width + size.height)
    return work <= INTERACTIVE_WORK and algorithm != Algorithm.BEAM


def strictest_target(targets: list[Target]) -> Target:
    """Return the target that implies all other targets."""
    order = {TargetKind.OPTIMAL: 0, TargetKind.GAP: 1, TargetKind.ANY: 2}
    return min(targets, key=lambda target: (order[target.kind], target.gap))


# Time limit of a search for a hint (seconds)
HINT_S = 20.0

_HINT_GAP = Target(TargetKind.GAP, 0.25)
_HINT_GAP_WITH_SOLUTION = Target(TargetKind.GAP, 0.5)
_HINT_ANY = Target(TargetKind.ANY)


def hint_target(cells: int, *, has_solution: bool = False) -> Target:
    """Return the target that a solution must meet for its first move to be used as a hint."""
    if cells <= A_STAR_CELLS:
        return Target()
    if cells <= IDA_STAR_CELLS:
        return _HINT_GAP_WITH_SOLUTION if has_solution else _HINT_GAP
    return _HINT_ANY


MIN_AIMED_WIDTH = 4_000  # narrower beams find nothing new after the beams of the initial search
MAX_BEAM_WIDTH = 1 << 20  # about 500 MB
_AIMED_SHARE = 4
_AIMED_NODES_PER_MOVE = 1.0


def choose_aimed_width(nodes: int, length: int) -> int | None:
    """Return the width of the beam aimed at a length before its threshold; None for no beam.

    The beam may use a quarter of the nodes generated so far: a node of a beam takes three times as
    long as a node of IDA*, but the next threshold has eight times as many nodes. An aimed beam has
    about as many nodes per move as its width.
    """
    width = min(
        int(nodes / _AIMED_SHARE / (_AIMED_NODES_PER_MOVE * max(length, 1))), MAX_BEAM_WIDTH
    )
    return width if width >= MIN_AIMED_WIDTH else None


def uses_aimed_beams(cells: int) -> bool:
    """Whether a beam is aimed at each threshold of boards of this many cells."""
    return A_STAR_CELLS < cells <= IDA_STAR_CELLS
