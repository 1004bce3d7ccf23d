"""The algorithms and heuristics that each board supports; does not load the solver."""

from __future__ import annotations

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import has_blank_in_corner
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.costs import TWO_BEAMS_CELLS
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.pdb.partitions import Partition, partitions_for
from tilework.core.solver.target import Algorithm, Heuristic

A_STAR_CELLS = 16  # largest board for A*: its tiles fit into a 64-bit word

IDA_STAR_CELLS = MAX_CELLS  # largest board for IDA*

SMALL_PATTERN_CELLS = 16  # largest board whose pattern databases are built on demand for any goal
SLIDES_CELLS = 16  # largest board for an optimal search in slides

_MAX_CELLS = {
    Algorithm.A_STAR: A_STAR_CELLS,
    Algorithm.IDA_STAR: IDA_STAR_CELLS,
    Algorithm.BEAM: TWO_BEAMS_CELLS,  # on larger boards, beams are worse than the steps of `AUTO`
}
_LINE_HEURISTICS = frozenset({Heuristic.MANHATTAN, Heuristic.LINEAR_CONFLICT})


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
            choices=", ".join(_algorithms_for(size)),
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
        Algorithm.A_STAR: _LINE_HEURISTICS,
        Algorithm.CONSTRUCTIVE: _LINE_HEURISTICS,
        Algorithm.IDA_STAR: ida_star_heuristics,
        Algorithm.BEAM: frozenset({Heuristic.AUTO}),
        Algorithm.AUTO: _LINE_HEURISTICS | ida_star_heuristics,
    }[algorithm]


def heuristics_for(goal: Board) -> frozenset[Heuristic]:
    """Return the heuristics of IDA* for a goal: linear conflicts, and pattern databases if any."""
    if has_partitions(goal) or fits_small_patterns(goal):
        return frozenset({Heuristic.LINEAR_CONFLICT, Heuristic.PATTERN_DATABASE})
    return frozenset({Heuristic.LINEAR_CONFLICT})


def partitions_for_goal(goal: Board) -> tuple[Partition, ...]:
    """Return the partitions with stored pattern databases for a goal, the best first."""
    # For smaller boards, tables are faster to build than to read.
    if goal.size != Size(4, 4) and goal.size.cells <= SMALL_PATTERN_CELLS:
        return ()
    in_corner = has_blank_in_corner(goal)
    partitions = partitions_for(goal.size)
    return tuple(partition for partition in partitions if partition.allows_any_blank or in_corner)


def has_partitions(goal: Board) -> bool:
    return bool(partitions_for_goal(goal))


def fits_small_patterns(goal: Board) -> bool:
    return goal.size.cells <= SMALL_PATTERN_CELLS and 1 not in goal.size


def _algorithms_for(size: Size) -> list[Algorithm]:
    return [name for name in Algorithm if size.cells <= _MAX_CELLS.get(name, size.cells)]
