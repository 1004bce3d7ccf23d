"""Making one try at a shorter solution, on one core, so that any number of processes can share."""

from __future__ import annotations

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver.large.anytime.choice import WindowSearch, searches_for
from tilework.core.solver.large.anytime.views import view
from tilework.core.solver.large.anytime.window_selection import WindowSelection
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import EFFORTS, Trial, TrialKind, TrialOutcome

_WINDOWS_AT_ONCE = 8  # cut before they are searched; what one gains moves only those after it
_FRESH_SLACK = 1.05  # how much longer than the best a solution may be that is bettered on its own


def try_beam(
    board: Board, goal: Board, trial: Trial, upper_bound: int, limits: Limits
) -> TrialOutcome:
    """Look for a solution shorter than one known, on one view of the whole board.

    Nothing but memory and cancellation may limit a try that is to be the same each time.
    """
    searches = searches_for(board.size, upper_bound)
    fresh = trial.kind is TrialKind.FRESH
    seen = view(trial.view)
    start, end = seen.of(board, goal)
    bound = int(_FRESH_SLACK * upper_bound) if fresh else upper_bound
    found = searches.beam(start, end, trial.width, limits=limits, upper_bound=bound)
    moves = None if found.moves is None else seen.transform.from_canonical(found.moves)
    nodes, whole = found.nodes, found.stopped_by is None
    if fresh and moves is not None:
        selection = WindowSelection(board, moves, EFFORTS[:-1], trial.number)
        nodes += _better(
            selection, searches.window, Limits(None, found.nodes, None, limits.cancelled)
        )
        moves = selection.path
    if moves is not None and len(moves) >= upper_bound:
        moves = None
    return TrialOutcome(moves, nodes, Algorithm.BEAM, whole)


def try_windows(start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
    """Look for shorter ways along a stretch of a path, window by window.

    The trial's nodes are the budget; of the limits a cancel alone ends it early.
    """
    window = searches_for(start.size, len(path)).window
    selection = WindowSelection(start, path, (EFFORTS[trial.effort],), trial.number)
    nodes = _better(selection, window, Limits(None, trial.nodes, None, limits.cancelled))
    shorter = selection.path if len(selection.path) < len(path) else None
    return TrialOutcome(shorter, nodes, Algorithm.BEAM, selection.effort is None)


def _better(selection: WindowSelection, search: WindowSearch, limits: Limits) -> int:
    """Search a path's windows, pass after pass, until nothing is gained or the budget is spent."""
    nodes = 0
    while due := selection.next(_WINDOWS_AT_ONCE):
        ways: list[Moves | None] = []
        width = 0 if selection.effort is None else selection.effort.width
        for one in due:
            left = limits.after(0.0, nodes)
            if limits.cancelled() or left.nodes == 0:
                break
            found = search(one.start, one.end, one.moves, width, limits=left)
            nodes += found.nodes
            ways.append(found.moves)
        selection.put(due[: len(ways)], ways)
        if len(ways) < len(due):
            break
    return nodes
