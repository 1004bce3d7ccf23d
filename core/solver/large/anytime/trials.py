"""Trials to find a shorter solution, each of which uses one core."""

from __future__ import annotations

from dataclasses import replace

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits, search_clock
from tilework.core.solver.large.anytime.choice import beam_for, sweep_first, view_for
from tilework.core.solver.large.anytime.suffixes import shorten_suffix
from tilework.core.solver.large.anytime.window_selection import WindowSelection
from tilework.core.solver.large.learned.search import shorten_path
from tilework.core.solver.large.outcome import Outcome
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
    is_fresh = trial.kind is TrialKind.FRESH
    beam, beam_view = beam_for(board.size), view_for(board.size, trial)
    start, end = beam_view.apply(board, goal)
    bound = int(_FRESH_LENGTH_RATIO * upper_bound) if is_fresh else upper_bound
    if trial.kind is TrialKind.SWEEP:
        outcome = sweep_first(start, end, trial.expected_s or 0.0, limits)
    else:
        outcome = beam(start, end, trial.width, limits=limits, upper_bound=bound)
    moves = None if outcome.moves is None else beam_view.transform.from_canonical(outcome.moves)
    nodes = outcome.nodes
    if is_fresh and moves is not None:
        selection = WindowSelection(board, moves, EFFORTS[:-1], trial.number)
        nodes += _search_windows(selection, nodes, limits.after(outcome.seconds, nodes))
        moves = selection.path
    return _report(replace(outcome, moves=moves, nodes=nodes), upper_bound)


def run_suffix_trial(board: Board, moves: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
    """Search a suffix of the best solution with a beam."""
    goal = apply(board, moves)
    outcome = shorten_suffix(board, goal, moves, trial.width, trial.number, limits=limits)
    return TrialOutcome(outcome.moves, outcome.nodes, outcome.stopped_by is None)


def run_window_trial(start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
    """Look for shorter paths along a segment of a solution, window by window.

    The trial's nodes are the budget.
    """
    selection = WindowSelection(start, path, (EFFORTS[trial.effort],), trial.number)
    nodes = _search_windows(selection, trial.nodes or 0, limits)
    shorter_path = selection.path if len(selection.path) < len(path) else None
    return TrialOutcome(shorter_path, nodes, selection.effort is None)


def _search_windows(selection: WindowSelection, budget: int, limits: Limits) -> int:
    """Search windows while they bring improvements and the budget lasts; return the node count."""
    started, nodes = search_clock(), 0
    limits = replace(limits, nodes=limits.budget(budget), memory_bytes=None)
    while windows := selection.next(_WINDOWS_PER_BATCH):
        paths: list[Moves | None] = []
        width = 0 if selection.effort is None else selection.effort.width
        for window in windows:
            remaining = limits.after(search_clock() - started, nodes)
            if limits.cancelled() or 0 in (remaining.nodes, remaining.seconds):
                break
            outcome = shorten_path(window.start, window.end, window.moves, width, limits=remaining)
            nodes += outcome.nodes
            paths.append(outcome.moves)
        selection.replace(windows[: len(paths)], paths)
        if len(paths) < len(windows):
            break
    return nodes


def _report(outcome: Outcome, upper_bound: int) -> TrialOutcome:
    """Return the outcome of a search of the whole board, if its solution is shorter."""
    moves = outcome.moves
    shorter = None if moves is None or len(moves) >= upper_bound else moves
    is_complete = outcome.stopped_by is None
    return TrialOutcome(shorter, outcome.nodes, is_complete, outcome.width_share)
