"""The boards of the load, with what is known of their lengths from elsewhere.

Nothing here asks the product: 3×3 lengths are a breadth-first search's, those of larger boards are
published, or what is left of a shortest solution of a published length.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tests.support import naive

WAYS: Final = Path(__file__).with_name("ways.txt")

_BACK: Final = {"U": "D", "D": "U", "L": "R", "R": "L"}


@dataclass(frozen=True)
class Puzzle:
    """A square board to be brought to the goal whose blank is last."""

    side: int
    tiles: tuple[int, ...]
    length: int | None = None
    most: int | None = None

    def mirrored(self) -> Puzzle:
        """Return the mirror image in the diagonal: as many moves, other tiles."""
        side, cells = self.side, range(self.side * self.side)
        names = {tile: tile and (tile - 1) % side * side + (tile - 1) // side + 1 for tile in cells}
        tiles = tuple(names[self.tiles[cell % side * side + cell // side]] for cell in cells)
        return Puzzle(side, tiles, self.length, self.most)


def small(choose: random.Random) -> Puzzle:
    """Return any 3×3 board that can be solved."""
    tiles = choose.choice(_all_small())
    return Puzzle(3, tiles, _small_lengths()[tiles])


def middle(choose: random.Random, most: int) -> Puzzle:
    return _on_a_way(choose, 4, most)


def large(choose: random.Random, most: int) -> Puzzle:
    return _on_a_way(choose, 5, most)


def longest() -> Puzzle:
    """Return a 5×5 board whose search takes a worker half a minute."""
    [(tiles, letters)] = _ways()[5]
    return Puzzle(5, tiles, len(letters))


def walked(choose: random.Random, side: int, steps: int) -> Puzzle:
    """Return a board some steps away from the goal, none of which takes back the last."""
    tiles, last = naive.solved_tiles(side, side), ""
    for _ in range(steps):
        ways = {way: naive.apply_move(tiles, side, way) for way in _BACK if way != _BACK.get(last)}
        last = choose.choice([way for way, after in ways.items() if after is not None])
        tiles = ways[last]
    return Puzzle(side, tiles, most=steps)


def huge(choose: random.Random, side: int) -> Puzzle:
    """Return a board of any side, shuffled, with no known length."""
    cells = side * side
    tiles = choose.sample(range(cells), cells)
    if not _solvable(tiles, side):
        one, other = [cell for cell in range(3) if tiles[cell] != 0][:2]
        tiles[one], tiles[other] = tiles[other], tiles[one]
    return Puzzle(side, tuple(tiles))


@cache
def _small_lengths() -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = naive.distances(naive.solved_tiles(3, 3), 3)
    return found


@cache
def _all_small() -> list[tuple[int, ...]]:
    return sorted(_small_lengths())


def _on_a_way(choose: random.Random, side: int, most: int) -> Puzzle:
    tiles, letters = choose.choice(_ways()[side])
    left = choose.randint(most // 2, min(most, len(letters)))
    return Puzzle(side, naive.apply_moves(tiles, side, letters[: len(letters) - left]), left)


@cache
def _ways() -> dict[int, list[tuple[tuple[int, ...], str]]]:
    found: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for line in WAYS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            side, tiles, letters = (part.strip() for part in line.split("|"))
            found.setdefault(int(side), []).append((tuple(map(int, tiles.split())), letters))
    return found


def _solvable(tiles: list[int], side: int) -> bool:
    """Whether the permutation's parity is that of the blank's way home."""
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
