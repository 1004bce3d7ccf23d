"""Random boards from which a goal can be reached."""

from __future__ import annotations

import numpy as np

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import blank_steps, legal_moves
from tilework.core.puzzle.phrases import goal_size


def scramble(size: Size, goal: Board, seed: int | None = None, moves: int | None = None) -> Board:
    """Draw a random solvable board.

    Parameters
    ----------
    size : Size
        Of the board; the goal's.
    goal : Board
        The board is solvable for this goal.
    seed : int, optional
        From 0; the same seed gives the same board.
    moves : int, optional
        From 0: walk so many random moves from the goal, never straight back where another way
        is open. Without it, every solvable board is equally likely.

    Raises
    ------
    OptionError
        At a negative seed or number of moves, or a goal of another size.
    """
    if goal.size != size:
        raise OptionError(goal_size(goal.size, Size(*size)))
    if seed is not None and seed < 0:
        raise OptionError(
            "seed",
            "invalid seed {seed}; give a whole number, 0 or greater",
            seed=str(seed)[:40],
        )
    if moves is not None and moves < 0:
        raise OptionError(
            "random-moves",
            "invalid number of random moves {count}; give 0 or more",
            count=str(moves)[:40],
        )
    random = np.random.default_rng(seed)
    if moves is not None:
        return _walk(goal, moves, random)
    if 1 in size:
        return _slide_line(goal, int(random.integers(size.cells)))
    board = Board.trusted(random.permutation(size.cells).astype(np.int32), goal.size)
    return board if board.is_solvable(goal) else _two_tiles_swapped(board)


def _two_tiles_swapped(board: Board) -> Board:
    """Exchange the first two tiles: a bijection from the unsolvable onto the solvable boards."""
    cells = board.cells.copy()
    first, second = [cell for cell in range(3) if cell != board.blank][:2]
    cells[[first, second]] = cells[[second, first]]
    return Board.trusted(cells, board.size, board.blank)


def _slide_line(goal: Board, blank: int) -> Board:
    tiles = np.delete(goal.cells, goal.blank)
    return Board.trusted(np.insert(tiles, blank, 0).astype(np.int32), goal.size, blank)


def _walk(goal: Board, moves: int, random: np.random.Generator) -> Board:
    width, height = goal.size
    steps = blank_steps(width)
    cells: list[int] = goal.cells.tolist()
    blank = goal.blank
    last = -1
    # A comparison of searches walks to hundreds of boards within one request.
    known: dict[tuple[int, int], list[int]] = {}
    for _ in range(moves):
        ways = known.get((blank, last))
        if ways is None:
            ways = known[blank, last] = _ways(blank, last, width, height)
        if not ways:
            break
        last = ways[int(random.integers(len(ways)))] if len(ways) > 1 else ways[0]
        cell = blank + steps[last]
        cells[blank] = cells[cell]
        blank = cell
    cells[blank] = 0
    return Board.trusted(np.array(cells, dtype=np.int32), goal.size, blank)


def _ways(blank: int, last: int, width: int, height: int) -> list[int]:
    """Return the moves that may follow: not the one that undoes the last, if there are others."""
    legal = legal_moves(blank, width, height)
    ways = [code for code in range(4) if legal >> code & 1]
    return [code for code in ways if code != last ^ 1] or ways
