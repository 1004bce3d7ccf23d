"""Making one try at a shorter solution, on one core, so that any number of processes can share."""

from __future__ import annotations

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver.large.anytime.choice import Beams, Windows, searches_for
from tilework.core.solver.large.anytime.cuts import Cuts
from tilework.core.solver.large.anytime.views import view
from tilework.core.solver.trial import EFFORTS, Trial, TrialKind, TrialOutcome

_WINDOWS_AT_ONCE = 8  # cut before they are searched; what one gains moves only those after it
_FRESH_SLACK = 1.05  # how much longer than the best a solution may be that is bettered on its own


def try_beam(
    board: Board, goal: Board, trial: Trial, upper_bound: int, limits: Limits
) -> TrialOutcome:
    """Look for a solution shorter than one known, on one view of the whole board.

    Parameters
    ----------
    trial : Trial; of the kind ``beam`` or ``fresh``
    upper_bound : int; only solutions of fewer moves are looked for
    limits : Limits
        Nothing but memory and cancellation may limit a try that is to be the same each time.

    Returns
    -------
    TrialOutcome; the same for the same input, unless time or a cancel ends it
    """
    beams, windows = _searches(board.size, upper_bound)
    fresh = trial.kind is TrialKind.FRESH
    seen = view(trial.view)
    start, end = seen.of(board, goal)
    bound = int(_FRESH_SLACK * upper_bound) if fresh else upper_bound
    found = beams.search(start, end, trial.width, limits=limits, upper_bound=bound)
    moves = None if found.moves is None else seen.unseen(found.moves)
    nodes, whole = found.nodes, found.stopped_by is None
    if fresh and moves is not None:
        cuts = Cuts(board, moves, EFFORTS[:-1], trial.number)
        nodes += _better(cuts, windows, Limits(None, found.nodes, None, limits.cancelled))
        moves = cuts.path
    if moves is not None and len(moves) >= upper_bound:
        moves = None
    return TrialOutcome(moves, nodes, beams.algorithm, whole)


def try_windows(start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
    """Look for shorter ways along a stretch of a path, window by window.

    Parameters
    ----------
    start : Board; where the stretch begins
    path : Moves; the stretch; what is found leads to the same board
    trial : Trial; of the kind ``windows``; its nodes are the budget
    limits : Limits; those of time and nodes are not looked at: a cancel alone ends it early
    """
    _, windows = _searches(start.size, len(path))
    cuts = Cuts(start, path, (EFFORTS[trial.effort],), trial.number)
    nodes = _better(cuts, windows, Limits(None, trial.nodes, None, limits.cancelled))
    shorter = cuts.path if len(cuts.path) < len(path) else None
    return TrialOutcome(shorter, nodes, windows.algorithm, cuts.effort is None)


def _searches(size: Size, expected_moves: int) -> tuple[Beams, Windows]:
    searches = searches_for(size, expected_moves)
    if searches.beams is None or searches.windows is None:
        raise ValueError(f"boards of {size} have no searches to be improved by")
    return searches.beams, searches.windows


def _better(cuts: Cuts, windows: Windows, limits: Limits) -> int:
    """Search a path's windows, pass after pass, until nothing is gained or the budget is spent."""
    nodes = 0
    while due := cuts.next(_WINDOWS_AT_ONCE):
        ways: list[Moves | None] = []
        width = 0 if cuts.effort is None else cuts.effort.width
        for window in due:
            left = None if limits.nodes is None else limits.nodes - nodes
            if limits.cancelled() or (left is not None and left <= 0):
                break
            budget = Limits(None, left, None, limits.cancelled)
            found = windows.search(window.start, window.end, window.moves, width, limits=budget)
            nodes += found.nodes
            ways.append(found.moves)
        cuts.put(due[: len(ways)], ways)
        if len(ways) < len(due):
            break
    return nodes
