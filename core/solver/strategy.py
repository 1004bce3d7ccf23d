"""What is tried on a board: which steps, in which order, and how much each may take.

`tilework.core.solver.solve` follows a whole strategy in one process. Workers take the *opening*,
all steps up to the search by thresholds, in one go of at most some seconds, and share that search
in slices. Nothing here loads a solver.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.distances.table import MOST_CELLS as DISTANCES_CELLS
from tilework.core.solver.options import A_STAR_CELLS, BEAM_CELLS, IDA_STAR_CELLS, heuristics_for
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind


class Step(StrEnum):
    """One thing that can be tried on a board.

    ``slide``: the only possible path on a board one cell wide. ``look-up``: a shortest solution
    from a table of all distances, if this host has one. ``nearby``: an optimal search of the
    window in which a short solution must stay. ``construct``: some solution, quickly. ``sweep``:
    the same for huge boards, shorter and as soon. ``a-star``: A*. ``estimate``: the lower bound
    that IDA* begins with. ``improve``: better and better solutions, by all searches that find some
    (`tilework.core.solver.large.anytime`). ``beams``: beams that widen, alone. ``ida-star``: IDA*
    alone. ``deepen``: IDA*, with a beam aimed at each threshold before it.
    """

    SLIDE = "slide"
    LOOK_UP = "look-up"
    NEARBY = "nearby"
    CONSTRUCT = "construct"
    SWEEP = "sweep"
    A_STAR = "a-star"
    ESTIMATE = "estimate"
    IMPROVE = "improve"
    BEAMS = "beams"
    IDA_STAR = "ida-star"
    DEEPEN = "deepen"


# Steps that find some solution, in a time that depends on the size alone
FINDERS = (Step.CONSTRUCT, Step.SWEEP)

# Boards of so many cells have a first solution within a tenth of a second, whatever the limit
INSTANT_CELLS = 2_500


@dataclass(frozen=True, slots=True)
class Stage:
    step: Step
    nodes: int | None = None  # generated
    share: float = 1.0  # of the time and of the nodes that the request leaves when the stage begins
    # Where the request limits neither time nor nodes; and where it names no bound of memory
    default_nodes: int | None = None
    memory_bytes: int | None = None


NEARBY_MOVES = 80  # boards whose lower bound is over this are not near their goal

# If it fails there must be time left for some solution.
_NEARBY = Stage(Step.NEARBY, nodes=500_000, share=0.5)
_LOOK_UP = Stage(Step.LOOK_UP)
_CONSTRUCT = Stage(Step.CONSTRUCT)
_SWEEP = Stage(Step.SWEEP)
# Reached in about 50 ms. A* is the faster search up to there; then its lower bound goes to IDA*.
_A_STAR_BRIEFLY = Stage(Step.A_STAR, memory_bytes=8 << 20)
_ESTIMATE = Stage(Step.ESTIMATE)
_DEEPEN = Stage(Step.DEEPEN)
# Most 15-puzzles are proved in a few milliseconds, of which a first solution would take a quarter.
_DEEPEN_AT_ONCE = Stage(Step.DEEPEN, nodes=1_000_000, share=0.5)

# About ten seconds: who names no limit is not to wait for hours.
_IMPROVE = Stage(Step.IMPROVE, default_nodes=100_000_000)

# A random board of up to so many cells can be proved within minutes to days, and what is found
# after some seconds is hardly bettered; of a larger one only an easy one can be proved.
_PROVABLE_CELLS = 25
_DEEPEN_BRIEFLY = Stage(Step.DEEPEN, nodes=1_000_000, share=0.1)
_IMPROVE_BRIEFLY = Stage(Step.IMPROVE, nodes=20_000_000, share=0.8, default_nodes=5_000_000)
_SOON_ENOUGH = replace(_IMPROVE_BRIEFLY, nodes=_IMPROVE_BRIEFLY.default_nodes)
_IMPROVE_LONG = replace(_IMPROVE, share=0.85)

# By cells up to. Boards of up to nine are solved in under a millisecond, whatever is asked; those
# of up to twelve may have a table; of up to 16 fit A*; up to 36 IDA*.
_AUTO: tuple[tuple[int, tuple[Stage, ...]], ...] = (
    (9, (_A_STAR_BRIEFLY, _DEEPEN)),
    (DISTANCES_CELLS, (_LOOK_UP, _CONSTRUCT, _A_STAR_BRIEFLY, _DEEPEN)),
    (A_STAR_CELLS, (_CONSTRUCT, _A_STAR_BRIEFLY, _DEEPEN)),
    (_PROVABLE_CELLS, (_CONSTRUCT, _ESTIMATE, _DEEPEN_BRIEFLY, _IMPROVE_BRIEFLY, _DEEPEN)),
    (IDA_STAR_CELLS, (_CONSTRUCT, _ESTIMATE, _DEEPEN_BRIEFLY, _IMPROVE_LONG, _DEEPEN)),
)
_AUTO_BEYOND = (_NEARBY, _CONSTRUCT, _IMPROVE)

# Boards of so many cells are swept in less time than the constructive solver takes
_SWEPT_CELLS = 20_000, 100_000

_ALONE = {
    Algorithm.A_STAR: Stage(Step.A_STAR),
    Algorithm.IDA_STAR: Stage(Step.IDA_STAR),
    # About a minute and a half.
    Algorithm.BEAM: Stage(Step.BEAMS, nodes=1_000_000_000),
    Algorithm.CONSTRUCTIVE: _CONSTRUCT,
}


def stages_for(
    goal: Board,
    algorithm: Algorithm,
    heuristic: Heuristic,
    *,
    optimal: bool = True,
    first_solution_soon: bool = False,
    opening: bool = False,
) -> tuple[Stage, ...]:
    """Return what is tried on the boards of a goal, in this order, until the target is met.

    Parameters
    ----------
    goal : Board; of the board's size
    algorithm, heuristic; a pair that `tilework.core.solver.options.check_options` lets through
    optimal : bool; whether nothing but the optimum is asked for
    first_solution_soon : bool; where `shows_bounds_early`, find a first solution
        quickly, whichever algorithm is asked for
    opening : bool; whether better solutions are left to those who come after: of boards beyond a
        proof all of them (`is_improvable`), of others those that take long to find
    """
    size = goal.size
    if 1 in size:
        return (Stage(Step.SLIDE),)
    if algorithm is not Algorithm.AUTO:
        alone = _ALONE[algorithm]
        if first_solution_soon and shows_bounds_early(size.cells) and alone is not _CONSTRUCT:
            return (_CONSTRUCT, alone)
        return (alone,)
    stages = next((found for cells, found in _AUTO if size.cells <= cells), _AUTO_BEYOND)
    if opening:
        # Who waits for a proof waits for the opening, too: wider beams come beside the search.
        stages = tuple(_SOON_ENOUGH if stage is _IMPROVE_BRIEFLY else stage for stage in stages)
    if size.cells > IDA_STAR_CELLS and opening:
        stages = (_NEARBY, _SWEEP if _is_swept(size) else _CONSTRUCT)
    elif _is_swept(size) and not first_solution_soon:
        # What improves it begins with a solution of its own, as soon and shorter.
        stages = (_NEARBY, _IMPROVE)
    if heuristic is not Heuristic.AUTO:
        stages = tuple(stage for stage in stages if stage.step is not Step.LOOK_UP)
    by_ida_star = heuristic is Heuristic.AUTO or heuristic in heuristics_for(goal)
    if not by_ida_star:
        # Without a search to hand over to, A* may fill the memory.
        stages = tuple(
            Stage(Step.A_STAR) if stage.step is Step.A_STAR else stage
            for stage in stages
            if stage.step not in (Step.ESTIMATE, Step.DEEPEN)
        )
    if _prefers_databases(size, heuristic):
        stages = tuple(stage for stage in stages if stage.step is not Step.A_STAR)
        if optimal and size.cells <= A_STAR_CELLS:
            stages = (_DEEPEN_AT_ONCE, *stages)
    return stages


def _is_swept(size: Size) -> bool:
    return _SWEPT_CELLS[0] <= size.cells <= _SWEPT_CELLS[1]


def _prefers_databases(size: Size, heuristic: Heuristic) -> bool:
    if heuristic is Heuristic.AUTO:
        # The stored databases of 4×4 are better than A* from the first node.
        return size == Size(4, 4)
    return heuristic is Heuristic.PATTERN_DATABASE


# Algorithms that find solutions and leave the lower bound as it is
NON_PROVING = (Algorithm.BEAM, Algorithm.CONSTRUCTIVE)


def uses_thresholds(algorithm: str, cells: int) -> bool:
    """Whether workers go on with a search by thresholds, in slices, where an opening ends."""
    return cells <= IDA_STAR_CELLS and algorithm not in NON_PROVING


# A tree that is likely to have so many, for each worker, is searched in the order of promise. Of
# smaller ones it is not worth the wait: up to half a second, while one worker makes the order.
LEAST_ORDERED_NODES = 50_000_000

# Smaller boards are proved before much could be gained by shorter solutions alone
LEAST_IMPROVED_CELLS = 25


def is_improvable(algorithm: str, size: Size) -> bool:
    """Whether workers look for shorter and shorter solutions for as long as somebody asks."""
    return algorithm == Algorithm.AUTO and size.cells >= LEAST_IMPROVED_CELLS and 1 not in size


def shows_bounds_early(cells: int) -> bool:
    """Whether a board takes so long that bounds are shown before its opening ends."""
    return cells > A_STAR_CELLS


# Cells × (width + height), by which the constructive solver's time grows: about a second
_INTERACTIVE_WORK = 2_000_000

# How long an opening may take that waits in the queue of long searches (seconds)
LONG_OPENING_S = 10.0


def has_quick_opening(algorithm: str, size: Size) -> bool:
    """Whether an opening takes no longer than interactive work should."""
    work = size.cells * (size.width + size.height)
    return work <= _INTERACTIVE_WORK and algorithm != Algorithm.BEAM


def strictest_target(targets: list[Target]) -> Target:
    """Return the target that, once met, meets all the others."""
    order = {TargetKind.OPTIMAL: 0, TargetKind.GAP: 1, TargetKind.ANY: 2}
    return min(targets, key=lambda target: (order[target.kind], target.gap))


# How long a way to the goal is looked for when somebody asks for the next move (seconds)
HINT_S = 20.0

_HINT_GAP = Target(TargetKind.GAP, 0.25)
_HINT_GAP_KEPT = Target(TargetKind.GAP, 0.5)
_HINT_ANY = Target(TargetKind.ANY)


def hint_target(cells: int, *, known: bool = False) -> Target:
    """Return how good a way is wanted by who asks for the next move of a board."""
    if cells <= A_STAR_CELLS:
        return Target()
    if cells <= IDA_STAR_CELLS:
        return _HINT_GAP_KEPT if known else _HINT_GAP
    return _HINT_ANY


LEAST_AIMED_WIDTH = 4_000  # a narrower beam would find nothing new after the opening's beams
MOST_BEAM_WIDTH = 1 << 20  # some 500 MB
_AIMED_SHARE = 4
_AIMED_NODES_A_MOVE = 1.0


def aimed_width(nodes: int, length: int) -> int | None:
    """Return the width of the beam that looks for a solution of a length before its threshold.

    It may take the nodes spent until that threshold starts, divided by 4: one of a beam takes three
    times as long as one of IDA*, yet the next threshold has eight times the nodes. Where solutions
    of one length alone are looked for, a beam makes about as many nodes a move as it is wide.
    """
    width = min(int(nodes / _AIMED_SHARE / (_AIMED_NODES_A_MOVE * max(length, 1))), MOST_BEAM_WIDTH)
    return width if width >= LEAST_AIMED_WIDTH else None


def uses_aimed_beams(cells: int) -> bool:
    """Whether beams are aimed at the thresholds of boards of so many cells."""
    return A_STAR_CELLS < cells <= min(IDA_STAR_CELLS, BEAM_CELLS)
