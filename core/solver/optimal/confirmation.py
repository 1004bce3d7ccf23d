"""Whether what a search found may be told: its tables were sound, and the solution agrees.

An estimate from pattern databases is at most what is left of any solution, and is odd or even as
that is. Along a solution, wrong entries seldom keep to both.
"""

from __future__ import annotations

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.optimal.engines import Engine, Start, nothing_to_confirm


def confirm(engine: Engine, start: Start, moves: Moves | None) -> None:
    """Check an engine's stored tables before something is told that rests on them.

    Parameters
    ----------
    engine : Engine
    start : Start
        The board, as the engine lays it out.
    moves : uint8 array or None
        A solution of the board, if there is one.

    Raises
    ------
    DamagedFileError
        If the tables were changed while they were in use, or contradict the solution.
    """
    if engine.confirm is nothing_to_confirm:
        return
    engine.confirm()
    if moves is not None:
        _check_along(engine, start, moves)


def _check_along(engine: Engine, start: Start, moves: Moves) -> None:
    estimates = engine.estimates_along(start, moves)
    left = np.arange(moves.size, -1, -1)
    wrong = np.flatnonzero((estimates > left) | ((left - estimates) % 2 == 1))
    if wrong.size:
        raise DamagedFileError(
            "file-estimate",
            "the tables of {engine} estimate {estimate} moves where a solution has {left}",
            engine=engine.name,
            estimate=int(estimates[wrong[0]]),
            left=int(left[wrong[0]]),
        )
