"""Which algorithm takes which boards, and with which heuristics."""

from __future__ import annotations

from core.errors import OptionError
from core.kernels.constants import MAX_BEAM_CELLS, MAX_CELLS
from core.kernels.packed import PACKED_CELLS
from core.optimal.choice import heuristics_for
from core.puzzle.board import Board
from core.search.catalogue import Algorithm, Heuristic

_LINE_HEURISTICS = frozenset({Heuristic.MANHATTAN, Heuristic.LINEAR_CONFLICT})


def check_options(goal: Board, algorithm: Algorithm, heuristic: Heuristic) -> None:
    """Refuse what can never work: an algorithm for too many cells, a heuristic it does not have.

    Raises
    ------
    OptionError
    """
    size = goal.size
    if algorithm is Algorithm.A_STAR and size.cells > PACKED_CELLS:
        raise OptionError(
            f"a-star goes up to {PACKED_CELLS} cells and {size} has {size.cells}; "
            "use auto, ida-star, beam or constructive"
        )
    if algorithm is Algorithm.IDA_STAR and size.cells > MAX_CELLS:
        raise OptionError(
            f"ida-star goes up to {MAX_CELLS} cells and {size} has {size.cells}; "
            "use auto, beam or constructive"
        )
    if algorithm is Algorithm.BEAM and size.cells > MAX_BEAM_CELLS:
        raise OptionError(
            f"beam goes up to {MAX_BEAM_CELLS} cells and {size} has {size.cells}; "
            "use auto or constructive"
        )
    if heuristic is Heuristic.AUTO or 1 in size:
        return
    by_ida_star = heuristics_for(goal) if size.cells <= MAX_CELLS else frozenset()
    offered = {
        Algorithm.A_STAR: _LINE_HEURISTICS,
        Algorithm.CONSTRUCTIVE: _LINE_HEURISTICS,
        Algorithm.IDA_STAR: by_ida_star,
        Algorithm.BEAM: frozenset({Heuristic.AUTO}),
        Algorithm.AUTO: _LINE_HEURISTICS | by_ida_star,
    }[algorithm]
    if heuristic not in offered:
        raise OptionError(
            f"{algorithm} has no {heuristic} for {size} with this goal; "
            f"it has {', '.join(sorted(offered))}"
        )
