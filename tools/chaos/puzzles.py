"""The boards of the load, with optimal lengths that do not come from the product.

The lengths of 3×3 boards come from a breadth-first search. Larger boards lie on a shortest solution
of published length, so the rest of that solution is also optimal.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tests.support import naive
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

SOLUTIONS: Final = Path(__file__).parent / "data" / "solutions.txt"

_OPPOSITE: Final = {"U": "D", "D": "U", "L": "R", "R": "L"}


@dataclass(frozen=True)
class Puzzle:
    """A square board whose goal has the blank last; its length is at most `max_length`."""

    side: int
    tiles: tuple[int, ...]
    length: int | None = None
    max_length: int | None = None

    def mirror(self) -> Puzzle:
        """Return the reflection across the diagonal, which has the same optimal length."""
        side, cells = self.side, range(self.side * self.side)
        names = {tile: tile and (tile - 1) % side * side + (tile - 1) // side + 1 for tile in cells}
        tiles = tuple(names[self.tiles[cell % side * side + cell // side]] for cell in cells)
        return Puzzle(side, tiles, self.length, self.max_length)


def draw_3x3(rng: random.Random) -> Puzzle:
    return Puzzle(3, *rng.choice(_list_3x3_boards()))


def draw_from_solution(rng: random.Random, side: int, max_length: int) -> Puzzle:
    """Return a 4×4 or 5×5 board at most `max_length` moves from the end of a known solution."""
    tiles, letters = rng.choice(_read_solutions()[side])
    length = rng.randint(max_length // 2, min(max_length, len(letters)))
    return Puzzle(side, naive.apply_moves(tiles, side, letters[: len(letters) - length]), length)


def make_longest_5x5() -> Puzzle:
    """Return a 5×5 board whose search by a worker takes half a minute."""
    [(tiles, letters)] = _read_solutions()[5]
    return Puzzle(5, tiles, len(letters))


def walk_randomly(rng: random.Random, side: int, steps: int) -> Puzzle:
    """Return the end of a random walk from the goal, without reversals."""
    tiles, last = naive.solved_tiles(side, side), ""
    for _ in range(steps):
        moves = [letter for letter in _OPPOSITE if letter != _OPPOSITE.get(last)]
        boards = {letter: naive.apply_move(tiles, side, letter) for letter in moves}
        last = rng.choice([letter for letter, board in boards.items() if board is not None])
        tiles = boards[last]
    return Puzzle(side, tiles, max_length=steps)


def draw_board(rng: random.Random, side: int) -> Puzzle:
    """Return a random solvable board of unknown length."""
    size = Size(side, side)
    board = scramble(size, blank_last(size), rng.getrandbits(62))
    return Puzzle(side, tuple(board.cells.tolist()))


@cache
def _list_3x3_boards() -> list[tuple[tuple[int, ...], int]]:
    """Return every solvable board with its optimal length."""
    return sorted(naive.distances(naive.solved_tiles(3, 3), 3).items())


@cache
def _read_solutions() -> dict[int, list[tuple[tuple[int, ...], str]]]:
    solutions: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for line in SOLUTIONS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            side, tiles, letters = (part.strip() for part in line.split("|"))
            solutions.setdefault(int(side), []).append((tuple(map(int, tiles.split())), letters))
    return solutions
