"""The boards of the load, with optimal lengths that do not come from the product.

Lengths of 3×3 boards are those of a breadth-first search. Larger boards lie on a shortest solution
of published length: what remains of it is optimal too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tests.support import naive

SOLUTIONS: Final = Path(__file__).parent / "data" / "solutions.txt"

_OPPOSITE: Final = {"U": "D", "D": "U", "L": "R", "R": "L"}


@dataclass(frozen=True)
class Puzzle:
    """A square board whose goal has the blank last; its length is at most `max_length`."""

    side: int
    tiles: tuple[int, ...]
    length: int | None = None
    max_length: int | None = None

    def mirrored(self) -> Puzzle:
        """Return the mirror image in the diagonal, which has the same optimal length."""
        side, cells = self.side, range(self.side * self.side)
        names = {tile: tile and (tile - 1) % side * side + (tile - 1) // side + 1 for tile in cells}
        tiles = tuple(names[self.tiles[cell % side * side + cell // side]] for cell in cells)
        return Puzzle(side, tiles, self.length, self.max_length)


def random_3x3(choose: random.Random) -> Puzzle:
    return Puzzle(3, *choose.choice(_boards_3x3()))


def on_solution(choose: random.Random, side: int, max_length: int) -> Puzzle:
    """Return a 4×4 or 5×5 board at most `max_length` moves from the end of a known solution."""
    tiles, letters = choose.choice(_solutions()[side])
    length = choose.randint(max_length // 2, min(max_length, len(letters)))
    return Puzzle(side, naive.apply_moves(tiles, side, letters[: len(letters) - length]), length)


def longest_5x5() -> Puzzle:
    """Return a 5×5 board whose search takes a worker half a minute."""
    [(tiles, letters)] = _solutions()[5]
    return Puzzle(5, tiles, len(letters))


def random_walk(choose: random.Random, side: int, steps: int) -> Puzzle:
    """Return a board that a random walk without reversals reaches from the goal."""
    tiles, last = naive.solved_tiles(side, side), ""
    for _ in range(steps):
        moves = [letter for letter in _OPPOSITE if letter != _OPPOSITE.get(last)]
        boards = {letter: naive.apply_move(tiles, side, letter) for letter in moves}
        last = choose.choice([letter for letter, board in boards.items() if board is not None])
        tiles = boards[last]
    return Puzzle(side, tiles, max_length=steps)


def shuffle(choose: random.Random, side: int) -> Puzzle:
    """Return any solvable board, of unknown length."""
    cells = side * side
    tiles = choose.sample(range(cells), cells)
    if not _is_solvable(tiles, side):
        first, second = [cell for cell in range(3) if tiles[cell] != 0][:2]
        tiles[first], tiles[second] = tiles[second], tiles[first]
    return Puzzle(side, tuple(tiles))


@cache
def _boards_3x3() -> list[tuple[tuple[int, ...], int]]:
    """Return every solvable board with its optimal length."""
    return sorted(naive.distances(naive.solved_tiles(3, 3), 3).items())


@cache
def _solutions() -> dict[int, list[tuple[tuple[int, ...], str]]]:
    found: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for line in SOLUTIONS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            side, tiles, letters = (part.strip() for part in line.split("|"))
            found.setdefault(int(side), []).append((tuple(map(int, tiles.split())), letters))
    return found


def _is_solvable(tiles: list[int], side: int) -> bool:
    """Compare the permutation's parity with that of the blank's distance to the last cell."""
    seen: set[int] = set()
    odd = 0
    for cell in range(len(tiles)):
        at = cell
        while at not in seen:
            seen.add(at)
            at = (tiles[at] - 1) % len(tiles)
            odd ^= at not in seen
    row, column = divmod(tiles.index(0), side)
    return odd == (2 * (side - 1) - row - column) % 2
