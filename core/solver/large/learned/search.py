"""Searches of whole boards and of segments of a solution, guided by the learned potential."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import NO_MOVES, Moves, blank_steps, legal_moves, reverse_moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.beam import (
    LearnedBeam,
    Quotas,
    Span,
    choose_quotas,
    extract_rectangle,
)
from tilework.core.solver.large.learned.potential import Labels, default_potential, label_tiles
from tilework.core.solver.result import Outcome

_Cells = NDArray[np.int64]

_WIDTHS = (1_000, 3_000)  # of the beams in a rectangle, in order
_MIN_SIDES = (5, 8)  # of the rectangle around all last tiles, in order
_MAX_CELLS = 150  # of that rectangle, to limit the time
_MAX_TILES = 100  # to solve cycle by cycle
_MAX_BEAM_CELLS = 400  # of a rectangle around one or two cycles
# Instead of a rectangle with this many rows and columns or more, two narrow ones are solved
_MAX_SIDE = 3


def solve_last_tiles(board: Board, goal: Board, limits: Limits) -> Moves | StopReason:
    """Solve a board with few misplaced tiles; only cancellation stops that.

    Once the time is up, and if many tiles are misplaced, the constructive solver is used, which
    takes milliseconds.

    Notes
    -----
    The misplaced tiles may be far from each other. They form cycles. A cycle that is an even
    permutation is solved within a rectangle around it: the blank goes there, solves it, and comes
    back along the same path, so that no other tile is displaced. An odd cycle cannot be solved
    alone, so it is solved together with another one. If their rectangle is not narrow, the odd
    permutation is first moved to a corner of it, as an exchange of two tiles.
    """
    started = search_clock()
    beam_limits = Limits(seconds=limits.seconds, cancelled=limits.cancelled)
    if (moves := _solve_together(board, goal, beam_limits)) is not None:
        return moves
    parts: list[Moves] = []
    current = board
    few = np.count_nonzero(board.cells != goal.cells) <= _MAX_TILES
    for target in _list_targets(board, goal) if few else ():
        part = _reach(current, target, beam_limits.after(search_clock() - started))
        if part is None:
            break
        parts.append(part)
        current = target
    if current == goal:
        return np.concatenate(parts)
    return construct(board, goal, Limits(cancelled=limits.cancelled))


def _solve_together(board: Board, goal: Board, limits: Limits) -> Moves | None:
    """Solve all last tiles in one rectangle, which contains the blank, if it is small."""
    unsolved = np.flatnonzero((board.cells != goal.cells) | (board.cells == 0))
    rows, columns = np.divmod(unsolved, board.width)
    for min_side in _MIN_SIDES:
        size, labels, goal_blank = extract_rectangle(
            board,
            goal,
            Span.around(rows, 1, min_side, board.height),
            Span.around(columns, 1, min_side, board.width),
        )
        if size.cells > _MAX_CELLS:
            return None
        beam = LearnedBeam(size, _WIDTHS[0], choose_quotas(size), default_potential())
        if (moves := beam.run(labels, goal_blank, None, limits).moves) is not None:
            return moves
    return None


def _list_targets(board: Board, goal: Board) -> Iterator[Board]:
    """Yield boards, each of which differs from the previous one by few cycles; the last is solved.

    On the first one, the blank is home.
    """
    cells = board.cells.copy()

    def solve(*cycles: _Cells) -> Board:
        for cycle in cycles:
            cells[cycle] = goal.cells[cycle]
        return Board.trusted(cells.copy(), board.size)

    pairs, even = _pair_cycles(board, goal)
    # An exchange of the blank with a tile would change the parity.
    misplaced = (board.cells != goal.cells) | (goal.cells == 0)
    steps = [(first, second) for first, second in pairs] + [(cycle, None) for cycle in even]
    # The cycle of the blank is first in its pair.
    steps.sort(key=lambda step: board.blank not in step[0])
    for first, second in steps:
        if second is None:
            yield solve(first)
            continue
        corner = _choose_corner(first, second, board.width, misplaced)
        if corner is not None:
            cells[corner] = cells[corner[::-1]]
            yield solve(first)
            cells[corner] = cells[corner[::-1]]
            yield solve(second)
        else:
            yield solve(first, second)


def _pair_cycles(board: Board, goal: Board) -> tuple[list[tuple[_Cells, _Cells]], list[_Cells]]:
    """Return the odd cycles of misplaced tiles, each with the nearest other, and the even ones."""
    homes = label_tiles(board, goal).astype(np.int64)
    odd: list[_Cells] = []
    even: list[_Cells] = []
    unseen = homes != np.arange(homes.size)
    blank_steps_home = sum(
        abs(end - start)
        for end, start in zip(
            divmod(goal.blank, board.width), divmod(board.blank, board.width), strict=True
        )
    )
    while unseen.any():
        cell = int(unseen.argmax())
        cycle = []
        while unseen[cell]:
            unseen[cell] = False
            cycle.append(cell)
            cell = int(homes[cell])
        parity = len(cycle) - 1 + (blank_steps_home if board.blank in cycle else 0)
        (odd if parity % 2 else even).append(np.array(cycle))
    pairs = []
    odd.sort(key=lambda cycle: board.blank not in cycle)
    while odd:
        first = odd.pop(0)
        nearest = min(range(len(odd)), key=lambda index: _distance(first, odd[index], board.width))
        pairs.append((first, odd.pop(nearest)))
    return pairs, even


def _distance(first: _Cells, second: _Cells, width: int) -> int:
    """Return the smallest number of steps between cells of two cycles."""
    rows = abs(first[:, None] // width - second[None, :] // width)
    columns = abs(first[:, None] % width - second[None, :] % width)
    return int((rows + columns).min())


def _choose_corner(
    first: _Cells, second: _Cells, width: int, misplaced: NDArray[np.bool_]
) -> _Cells | None:
    """Return two neighbouring solved cells in a corner of the rectangle around two cycles.

    None if the rectangle is narrow, or if there are no such cells.
    """
    rows, columns = np.divmod(np.concatenate([first, second]), width)
    if min(np.ptp(rows), np.ptp(columns)) < _MAX_SIDE:
        return None
    for row_cycle, column_cycle in ((first, second), (second, first)):
        row = int(np.median(row_cycle // width))
        left = row * width + min(int(np.median(column_cycle % width)), width - 2)
        if not misplaced[left : left + 2].any():
            return np.array([left, left + 1])
    return None


def _reach(board: Board, target: Board, limits: Limits) -> Moves | None:
    """Return moves from one board to another that differs in few cells; None if there is none."""
    differing = np.flatnonzero(board.cells != target.cells)
    rows, columns = np.divmod(differing, board.width)
    spans = (Span.around(rows, 1, 3, board.height), Span.around(columns, 1, 3, board.width))
    path = NO_MOVES
    if board.blank == target.blank:
        inside = np.zeros((board.height, board.width), dtype=np.bool_)
        inside[spans[0].lines, spans[1].lines] = True
        found = _find_path(board, inside.ravel(), board.cells != target.cells)
        if found is None:
            return None
        path = found
    start, end = apply(board, path), apply(target, path)
    moves = _solve_rectangle(*extract_rectangle(start, end, *spans), limits)
    return None if moves is None else np.concatenate([path, moves, reverse_moves(path)])


def _find_path(
    board: Board, inside: NDArray[np.bool_], differing: NDArray[np.bool_]
) -> Moves | None:
    """Return the shortest path of the blank to an equal cell of a rectangle, from outside."""
    legal, steps = legal_moves(np.arange(board.size.cells), *board.size), blank_steps(board.width)
    paths: dict[int, list[int]] = {board.blank: []}
    queue = deque(paths)
    while queue:
        cell = queue.popleft()
        if inside[cell]:
            if not differing[cell]:
                return np.array(paths[cell], dtype=np.uint8)
            continue
        for move in range(4):
            if legal[cell] >> move & 1 and cell + steps[move] not in paths:
                paths[cell + steps[move]] = [*paths[cell], move]
                queue.append(cell + steps[move])
    return None


def _solve_rectangle(size: Size, labels: Labels, goal_blank: int, limits: Limits) -> Moves | None:
    """Return the shortest solution of a beam and of the constructive solver."""
    solutions = []
    for width in _WIDTHS if size.cells <= _MAX_BEAM_CELLS else ():
        beam = LearnedBeam(size, width, Quotas(), default_potential())
        if (moves := beam.run(labels, goal_blank, None, limits).moves) is not None:
            solutions.append(moves)
            break
    goal_labels = np.arange(size.cells)
    start, end = (
        Board.trusted(
            np.where(tiles == goal_blank, 0, tiles + (tiles < goal_blank)).astype(np.int32), size
        )
        for tiles in (labels.astype(np.int64), goal_labels)
    )
    constructed = construct(start, end, Limits(cancelled=limits.cancelled))
    if not isinstance(constructed, StopReason):
        solutions.append(constructed)
    return min(solutions, key=len, default=None)


def learned_beam(
    board: Board,
    goal: Board,
    width: int,
    *,
    limits: Limits | None = None,
    upper_bound: int | None = None,
) -> Outcome:
    """Look for a short solution, and keep the most promising boards of each level.

    A solution costs about 2 × width nodes per move. If time or nodes run out, the constructive
    solver continues from the most promising board. The outcome depends only on the input, unless
    time is limited or cancellation ends the search.
    """
    started = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - started, None)
    limits = limits or Limits()
    beam = LearnedBeam(goal.size, width, choose_quotas(goal.size), default_potential())
    outcome = beam.run(label_tiles(board, goal), goal.blank, upper_bound, limits)
    reason = outcome.stopped_by
    if outcome.moves is not None or reason in (StopReason.CANCELLED, StopReason.MEMORY):
        return outcome
    path = beam.path_to_best()
    last_board, most_moves = apply(board, path), math.inf if upper_bound is None else upper_bound
    if len(path) + last_board.manhattan(goal) >= most_moves:
        return outcome
    if reason is None:
        last_moves = solve_last_tiles(last_board, goal, limits.after(outcome.seconds))
    else:
        last_moves = construct(last_board, goal, Limits(cancelled=limits.cancelled))
    if isinstance(last_moves, StopReason) or len(path) + len(last_moves) >= most_moves:
        return outcome
    moves = np.concatenate([path, last_moves])
    return replace(outcome, moves=moves, seconds=search_clock() - started)


MARGIN = 1  # cells added to each side of the blank's rectangle
MAX_CELLS = 600  # of a rectangle; larger ones gained little


def shorten_path(start: Board, end: Board, moves: Moves, width: int, *, limits: Limits) -> Outcome:
    """Look for a path from one board to another that is shorter than the given one.

    The blank and all moved tiles stay within a rectangle. With a margin, it is a separate puzzle,
    whose size depends on the moves but not on the board.
    The outcome has no moves if the rectangle is larger than `MAX_CELLS`.
    """
    steps = np.array(blank_steps(start.width), dtype=np.int64)[moves]
    blanks = np.concatenate([[0], np.cumsum(steps)]) + start.blank
    rows, columns = np.divmod(blanks, start.width)
    size, labels, goal_blank = extract_rectangle(
        start,
        end,
        Span.around(rows, MARGIN, 2, start.height),
        Span.around(columns, MARGIN, 2, start.width),
    )
    if size.cells > MAX_CELLS:
        return Outcome(None, 0, 0.0, None)
    beam = LearnedBeam(size, width, Quotas(), default_potential())
    return beam.run(labels, goal_blank, moves.size, limits)
