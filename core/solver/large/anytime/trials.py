"""Trials to find a shorter solution, each of which uses one core."""

from __future__ import annotations

from dataclasses import replace

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits
from tilework.core.solver.large.anytime.choice import WindowSearch, searches_for
from tilework.core.solver.large.anytime.suffixes import shorten_suffix
from tilework.core.solver.large.anytime.window_selection import WindowSelection
from tilework.core.solver.trial import EFFORTS, Trial, TrialKind, TrialOutcome

_WINDOWS_PER_BATCH = 8  # selected together, before they are searched
# Maximum length of a new solution before its windows are searched, relative to the best solution
_FRESH_LENGTH_RATIO = 1.05


def run_beam_trial(
    board: Board, goal: Board, trial: Trial, upper_bound: int, limits: Limits
) -> TrialOutcome:
    """Search a view of the board with a beam for a solution shorter than the best one.

    A trial is reproducible if it has no time limit and neither memory nor cancellation ends it.
    """
    searches = searches_for(board.size, upper_bound)
    is_fresh = trial.kind is TrialKind.FRESH
    beam_view = searches.make_view(trial.view)
    start, end = beam_view.apply(board, goal)
    bound = int(_FRESH_LENGTH_RATIO * upper_bound) if is_fresh else upper_bound
    outcome = searches.beam(start, end, trial.width, limits=limits, upper_bound=bound)
    moves = None if outcome.moves is None else beam_view.transform.from_canonical(outcome.moves)
    nodes = outcome.nodes
    if is_fresh and moves is not None:
        selection = WindowSelection(board, moves, EFFORTS[:-1], trial.number)
        budget = replace(limits.after(0.0, nodes), seconds=None, nodes=nodes, memory_bytes=None)
        nodes += _search_windows(selection, searches.window, budget)
        moves = selection.path
    if moves is not None and len(moves) >= upper_bound:
        moves = None
    return TrialOutcome(moves, nodes, outcome.stopped_by is None)


def run_suffix_trial(board: Board, moves: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
    """Search a suffix of the best solution with a beam."""
    goal = apply(board, moves)
    outcome = shorten_suffix(board, goal, moves, trial.width, trial.number, limits=limits)
    return TrialOutcome(outcome.moves, outcome.nodes, outcome.stopped_by is None)


def run_window_trial(start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
    """Look for shorter paths along a segment of a solution, window by window.

    The trial's nodes are the budget; apart from that, only cancellation stops it early.
    """
    window = searches_for(start.size, len(path)).window
    selection = WindowSelection(start, path, (EFFORTS[trial.effort],), trial.number)
    budget = replace(limits, seconds=None, nodes=trial.nodes, memory_bytes=None)
    nodes = _search_windows(selection, window, budget)
    shorter_path = selection.path if len(selection.path) < len(path) else None
    return TrialOutcome(shorter_path, nodes, selection.effort is None)


def _search_windows(selection: WindowSelection, search: WindowSearch, limits: Limits) -> int:
    """Search windows while they bring improvements and the budget lasts; return the node count."""
    nodes = 0
    while windows := selection.next(_WINDOWS_PER_BATCH):
        paths: list[Moves | None] = []
        width = 0 if selection.effort is None else selection.effort.width
        for window in windows:
            remaining = limits.after(0.0, nodes)
            if limits.cancelled() or remaining.nodes == 0:
                break
            outcome = search(window.start, window.end, window.moves, width, limits=remaining)
            nodes += outcome.nodes
            paths.append(outcome.moves)
        selection.replace(windows[: len(paths)], paths)
        if len(paths) < len(windows):
            break
    return nodes
