"""Trials to find a shorter solution of a large board, each of which uses one core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import numpy as np

from tilework.core.compiling import loading
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Symmetry, Transform, tables
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits, search_clock
from tilework.core.solver.costs import ONE_BEAM_CELLS, TWO_BEAMS_CELLS
from tilework.core.solver.kernels.constants import MAX_CELLS, MAX_GROUP_CELLS
from tilework.core.solver.large.learned.potential import default_potential
from tilework.core.solver.large.learned.search import learned_beam, shorten_path
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.solver.result import Outcome
from tilework.core.solver.trial import EFFORTS, Effort, Trial, TrialKind, TrialOutcome

# Each symmetry differs as much as possible from the previous ones
_SYMMETRIES = (
    Symmetry(),
    Symmetry(transpose=True),
    Symmetry(mirror_x=True, mirror_y=True),
    Symmetry(True, True, True),
    Symmetry(mirror_x=True),
    Symmetry(True, True, False),
    Symmetry(mirror_y=True),
    Symmetry(True, False, True),
)


def make_view(number: int) -> Transform:
    """Return the view with this number in a sequence that repeats after sixteen.

    Other names of the tiles would not be another view: a search sees where each tile belongs.
    """
    index, end = divmod(number, 2)
    return Transform(_SYMMETRIES[index % len(_SYMMETRIES)], end == 1)


def apply_view(view: Transform, board: Board, goal: Board) -> tuple[Board, Board]:
    """Return where the search of a view starts and ends."""
    sources, _ = tables(view.symmetry, board.size)
    size = view.symmetry.size(board.size)
    start, end = (goal, board) if view.reverse else (board, goal)
    return Board.trusted(start.cells[sources], size), Board.trusted(end.cells[sources], size)


# Shorter windows can hardly be improved: different paths around a 2×2 square have the same length
MIN_MOVES = 6

# Number of passes without gain before the next effort is used
_MAX_PASSES_WITHOUT_GAIN = 2
_MAX_BYTES = 64 << 20  # for the boards of one round


@dataclass(frozen=True, slots=True)
class Window:
    first: int  # index of its first move in the path
    moves: Moves
    start: Board
    end: Board


class WindowSelection:
    """Selects windows of the best path, and replaces them with shorter paths."""

    def __init__(
        self, board: Board, path: Moves, efforts: Sequence[Effort], first_pass: int = 0
    ) -> None:
        self._board = board
        self._efforts = efforts
        self._max_windows = max(1, _MAX_BYTES // (8 * board.size.cells))
        self.path = path
        self._effort_index = self._passes_without_gain = 0
        self._next_start = board
        self._next_move = self._end = self._pass_gain = 0
        self._begin_pass(first_pass)

    @property
    def effort(self) -> Effort | None:
        """The effort of the next windows; None if no effort gains anything any more."""
        index = self._effort_index
        return self._efforts[index] if index < len(self._efforts) else None

    def next(self, max_windows: int) -> list[Window]:
        """Return the next windows, in path order; none if no effort gains anything any more."""
        max_windows = min(max_windows, self._max_windows)
        windows: list[Window] = []
        while not windows and (effort := self.effort) is not None:
            if self._next_move >= len(self.path):
                self._end_pass()
                continue
            while len(windows) < max_windows and self._next_move < len(self.path):
                end = min(self._end, len(self.path))
                moves = self.path[self._next_move : end]
                window_end = apply(self._next_start, moves)
                if len(moves) >= MIN_MOVES:
                    windows.append(Window(self._next_move, moves, self._next_start, window_end))
                self._next_move, self._next_start = end, window_end
                self._end = end + effort.length
        return windows

    def replace(self, windows: Sequence[Window], paths: Sequence[Moves | None]) -> int:
        """Replace windows with shorter paths; return the number of moves gained."""
        parts: list[Moves] = []
        end = gain = 0
        for window, path in zip(windows, paths, strict=True):
            if path is not None and len(path) < len(window.moves):
                parts += [self.path[end : window.first], path]
                end = window.first + len(window.moves)
                gain += len(window.moves) - len(path)
        if gain:
            self.path = np.concatenate([*parts, self.path[end:]])
            self._next_move -= gain
            self._end -= gain
            self._pass_gain += gain
        return gain

    def _end_pass(self) -> None:
        self._passes_without_gain = 0 if self._pass_gain else self._passes_without_gain + 1
        if self._passes_without_gain == _MAX_PASSES_WITHOUT_GAIN or len(self.path) < MIN_MOVES:
            self._effort_index += 1
            self._passes_without_gain = 0
        self._begin_pass(self._pass_number + 1)

    def _begin_pass(self, number: int) -> None:
        self._pass_number = number
        self._next_move = self._pass_gain = 0
        self._next_start = self._board
        length = 0 if self.effort is None else self.effort.length
        self._end = int(_van_der_corput(number) * length) or length


def _van_der_corput(number: int) -> float:
    """Return 0, 1/2, 1/4, 3/4, 1/8, …, each as far as possible from the previous ones.

    J. van der Corput, "Verteilungsfunktionen", 1935.
    """
    fraction, step = 0.0, 0.5
    while number:
        fraction += step * (number & 1)
        number >>= 1
        step /= 2
    return fraction


@loading
def load_searches(goal: Board, pdb_folder: Path | None) -> None:
    """Load the kernels and weights for the boards of a goal."""
    cells = goal.size.cells
    modules = ["large.staged_beam"] * (cells > ONE_BEAM_CELLS)
    modules += ["heuristics.lower_bounds"] * (cells <= MAX_GROUP_CELLS)
    modules += ["optimal.nearby"] * (cells > MAX_CELLS)
    for name in modules:
        import_module(f"tilework.core.solver.{name}")
    if cells <= MAX_CELLS:
        # Building the pruning rules takes as long as loading the kernels.
        select_engine(goal, pdb_folder)
    default_potential()


_WINDOWS_PER_BATCH = 8  # selected together, before they are searched
# Maximum length of a new solution before its windows are searched, relative to the best solution
_FRESH_LENGTH_RATIO = 1.05
_GOLDEN_RATIO = 0.5 + 1.25**0.5


def run_beam_trial(
    board: Board, goal: Board, trial: Trial, upper_bound: int, limits: Limits
) -> TrialOutcome:
    """Search a view of the board with a beam for a solution shorter than the best one.

    A trial is reproducible if it has no time limit and neither memory nor cancellation ends it.
    """
    is_fresh = trial.kind is TrialKind.FRESH
    is_staged = trial.kind is TrialKind.SWEEP or board.size.cells > TWO_BEAMS_CELLS
    # Sweeps and staged beams keep start and goal.
    view = make_view(2 * trial.view if is_staged else trial.view)
    start, end = apply_view(view, board, goal)
    bound = int(_FRESH_LENGTH_RATIO * upper_bound) if is_fresh else upper_bound
    if is_staged:
        outcome = _run_sweeps(start, end, trial, bound, limits)
    else:
        outcome = learned_beam(start, end, trial.width, limits=limits, upper_bound=bound)
    moves = None if outcome.moves is None else view.from_canonical(outcome.moves)
    nodes = outcome.nodes
    if is_fresh and moves is not None:
        selection = WindowSelection(board, moves, EFFORTS[:-1], trial.number)
        nodes += _search_windows(selection, nodes, limits.after(outcome.seconds, nodes))
        moves = selection.path
    if moves is not None and len(moves) >= upper_bound:
        moves = None
    return TrialOutcome(moves, nodes, outcome.stopped_by is None, outcome.width_share)


def _run_sweeps(
    start: Board, end: Board, trial: Trial, upper_bound: int, limits: Limits
) -> Outcome:
    """Run sweeps and, if there is time, a staged beam."""
    # Imported here, because most boards need neither.
    from tilework.core.solver.large.staged_beam import staged_beam
    from tilework.core.solver.large.sweeps import plan_before_beam, plan_sweeps, sweep

    if trial.kind is not TrialKind.SWEEP:
        plan = plan_before_beam(start.size, trial.width)
        return staged_beam(start, end, trial.width, plan, limits=limits, upper_bound=upper_bound)
    plan, width = plan_sweeps(start.size, trial.expected_s or 0.0)
    if width is None:
        return sweep(start, end, plan, limits=limits)
    return staged_beam(start, end, width, plan, limits=limits)


def run_suffix_trial(board: Board, moves: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
    """Search a suffix of the best solution with a beam, on a view of the board.

    A beam from a board along the best solution often finds a shorter way to the goal than the wider
    beam that found the solution, because which paths a beam keeps is largely a matter of luck, and
    that board is the result of a good choice. If the solution was found from the goal, its end is
    kept instead. The trial's number selects the view and how many moves are kept.
    """
    goal = apply(board, moves)
    # Beams make cheap moves first, so that the middle is closer to where they end.
    middle = apply(board, moves[: moves.size // 2])
    from_goal = middle.manhattan(goal) > middle.manhattan(board)
    kept = int(trial.number * _GOLDEN_RATIO % 1 * moves.size)  # equidistributed, whatever the view
    split = moves.size - kept if from_goal else kept
    part = apply(board, moves[:split])
    view = make_view(2 * trial.number + from_goal)
    start, end = apply_view(view, *((board, part) if from_goal else (part, goal)))
    outcome = learned_beam(start, end, trial.width, limits=limits, upper_bound=moves.size - kept)
    path = None
    if outcome.moves is not None:
        found = view.from_canonical(outcome.moves)
        path = np.concatenate((found, moves[split:]) if from_goal else (moves[:split], found))
    return TrialOutcome(path, outcome.nodes, outcome.stopped_by is None)


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
