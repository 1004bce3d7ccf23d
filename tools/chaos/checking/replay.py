"""Plays solutions; shares nothing with what found them."""

from __future__ import annotations

from tools.chaos.load.boards import Puzzle


def solves(puzzle: Puzzle, letters: str) -> bool:
    """Whether some moves, each named by the way its tile goes, bring a board to its goal."""
    side, tiles = puzzle.side, list(puzzle.tiles)
    blank = tiles.index(0)
    for letter in letters:
        row, column = divmod(blank, side)
        # The tile comes from the other side of the blank.
        row += {"U": 1, "D": -1}.get(letter, 0)
        column += {"L": 1, "R": -1}.get(letter, 0)
        tile = row * side + column
        if not (0 <= row < side and 0 <= column < side) or tile == blank:
            return False
        tiles[blank], tiles[tile] = tiles[tile], 0
        blank = tile
    return tiles == [*range(1, side * side), 0]
