"""How good a way is wanted by who asks for the next move. Nothing here loads a solver."""

from __future__ import annotations

from tilework.core.solver.options import A_STAR_CELLS, IDA_STAR_CELLS
from tilework.core.solver.target import Target, TargetKind

HINT_S = 20.0
"""How long a way to the goal is looked for when somebody asks for the next move (seconds)."""

_HINT_GAP = Target(TargetKind.GAP, 0.25)
_HINT_GAP_KEPT = Target(TargetKind.GAP, 0.5)
_HINT_ANY = Target(TargetKind.ANY)


def hint_target(cells: int, *, known: bool = False) -> Target:
    """Return how good a way is wanted by who asks for the next move of a board.

    The best up to 16 cells, where it is a matter of milliseconds; up to 36 one that a beam finds in
    a second; of larger boards any.

    Parameters
    ----------
    known : bool
        Whether a way is known already. It need not be as good as one that is looked for: with
        each move along a way the same excess is a larger share of what remains.
    """
    if cells <= A_STAR_CELLS:
        return Target()
    if cells <= IDA_STAR_CELLS:
        return _HINT_GAP_KEPT if known else _HINT_GAP
    return _HINT_ANY
