"""Which searches a board is solved with, by its size: the one place that names them.

Up to `_ONE_BEAM_CELLS` a learned beam over the whole board finds the shortest solutions; up to
`_TWO_BEAMS_CELLS` it does so too, but a staged beam is there sooner; beyond, the staged one does.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from core.puzzle.board import Board, Size
from core.search.limits import Limits
from core.solver.kernels.constants import MAX_BEAM_CELLS, MAX_CELLS
from core.solver.large.anytime.searches import Beams, Effort, First, Searches, Windows
from core.solver.large.outcome import Outcome
from core.solver.names import Algorithm
from core.solver.optimal.choice import engine_for

_ONE_BEAM_CELLS = 200
_TWO_BEAMS_CELLS = 600

_MOST_FOR_HALF_SWEEPS = 20_000

_EFFORTS = (Effort(60, 300), Effort(120, 1_000), Effort(150, 4_000), Effort(200, 10_000))

_LEARNED_NODES = 2.2
"""Of a learned beam, for each move of the solution and board of the width."""

_LEARNED_SECONDS = 0.2e-6
"""Of a node, on boards of up to 200 cells; in proportion to the cells beyond."""

_STAGED_NODES = 3.0
"""Of a staged beam, for each cell of the board and path of the width."""

_FIRST_SECONDS = 2.0
"""What the first solution may take where there is no limit."""

_FIRST_LEAST_SECONDS = 0.5
"""What it may take in any case, unless that is more than half of the time."""

_FIRST_SHARES = ((1_600, 0.15), (1 << 30, 0.45))
"""Of the time that is left, by cells up to: the larger the board the fewer beams fit into it."""

_FIRST_MOST = 0.8
"""The same, where its sweeps need more."""


def load(goal: Board, pdb_folder: Path | None) -> None:
    """Load what searches a goal's boards, kernels and weights, before time begins to count.

    Otherwise a process's first board would have half a second less than all others.
    """
    size = goal.size
    modules = ["core.solver.large.learned.search", "core.solver.large.learned.window"]
    if size.cells > _ONE_BEAM_CELLS:
        modules.append("core.solver.large.sweeps.staged_beam")
    if size.cells <= MAX_BEAM_CELLS:
        modules.append("core.solver.heuristics.best_bound")
    if size.cells > MAX_CELLS:
        modules.append("core.solver.optimal.nearby")
    for name in modules:
        import_module(name)
    if size.cells <= MAX_CELLS:
        # Its rules of pruning take as long to make as anything to load.
        engine_for(goal, pdb_folder)
    import_module("core.solver.large.learned.weights").shipped()


def searches_for(size: Size, expected_moves: int) -> Searches:
    """Return what is tried on the boards of a size.

    Parameters
    ----------
    size : Size
        Both sides at least 2.
    expected_moves : int
        About as many as a solution has.
    """
    # Here, so that whoever only wants the types loads no kernels.
    from core.solver.large.learned.search import learned_beam
    from core.solver.large.learned.window import shorter_way

    windows = Windows(shorter_way, Algorithm.BEAM, _EFFORTS)
    if size.cells > _TWO_BEAMS_CELLS:
        return Searches(First(_first, Algorithm.BEAM), _staged(size), windows)
    beams = Beams(
        learned_beam,
        Algorithm.BEAM,
        least_width=100,
        first_width=150,
        # Two levels of labels and of codes with a border; candidates, hashes, and origins.
        board_bytes=4 * size.cells + 2 * (size.width + 1) * (size.height + 2) + 600,
        nodes=_LEARNED_NODES * expected_moves,
        seconds=_LEARNED_NODES * expected_moves * _LEARNED_SECONDS * max(1.0, size.cells / 200),
    )
    if size.cells > _ONE_BEAM_CELLS:
        return Searches(First(_first, Algorithm.BEAM), beams, windows)
    return Searches(None, beams, windows)


def _staged(size: Size) -> Beams:
    from core.solver.large.sweeps.plan import BEAM_SECONDS, sweep_seconds

    return Beams(
        _staged_beam,
        Algorithm.BEAM,
        least_width=30,
        first_width=300,
        board_bytes=1_000,
        nodes=_STAGED_NODES * size.cells,
        seconds=BEAM_SECONDS * size.cells,
        before=sweep_seconds(size, _share(size)),
    )


def _first(board: Board, goal: Board, *, limits: Limits) -> Outcome:
    """Find a good solution soon, by sweeps and a narrow beam."""
    from core.solver.large.rest import solve_rest
    from core.solver.large.sweeps.plan import plan_for, sweep_seconds
    from core.solver.large.sweeps.staged_beam import staged_beam
    from core.solver.large.sweeps.sweeps import sweep

    seconds = _FIRST_SECONDS
    if limits.seconds is not None:
        sweeps_in_full = min(_FIRST_MOST * limits.seconds, 1.5 * sweep_seconds(board.size))
        share = next(share for cells, share in _FIRST_SHARES if board.size.cells <= cells)
        at_least = min(_FIRST_LEAST_SECONDS, limits.seconds / 2)
        seconds = max(at_least, share * limits.seconds, sweeps_in_full)
    effort = plan_for(board.size, seconds)
    if effort.width is None:
        return sweep(board, goal, solve_rest, effort.sweeps, limits=limits)
    return staged_beam(board, goal, effort.width, solve_rest, effort.sweeps, limits=limits)


def _staged_beam(
    board: Board, goal: Board, width: int, *, limits: Limits, upper_bound: int | None
) -> Outcome:
    from core.solver.large.rest import solve_rest
    from core.solver.large.sweeps.plan import SweepPlan, to_a_beam
    from core.solver.large.sweeps.staged_beam import staged_beam

    return staged_beam(
        board,
        goal,
        width,
        solve_rest,
        SweepPlan(to_a_beam(board.size, width), _share(board.size)),
        limits=limits,
        upper_bound=upper_bound,
    )


def _share(size: Size) -> float:
    """How much of each sweep is played before the next: half serves beams best, for more time."""
    return 0.5 if size.cells <= _MOST_FOR_HALF_SWEEPS else 1.0
