"""Slow, obvious oracles over tuples of tiles; they share nothing with the code under test."""

from __future__ import annotations

from collections import deque
from functools import lru_cache

WAYS = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}  # from the blank to the tile


def solved(width, height):
    return (*range(1, width * height), 0)


def moved(tiles, width, letter):
    """The board after the tile beside the blank goes that way, or None."""
    height = len(tiles) // width
    row, column = divmod(tiles.index(0), width)
    down, right = WAYS[letter]
    if not (0 <= row + down < height and 0 <= column + right < width):
        return None
    result = list(tiles)
    blank, tile = row * width + column, (row + down) * width + column + right
    result[blank], result[tile] = result[tile], result[blank]
    return tuple(result)


def played(tiles, width, letters):
    for letter in letters:
        tiles = moved(tiles, width, letter)
        if tiles is None:
            raise ValueError(f"illegal move {letter}")
    return tiles


@lru_cache(maxsize=4)
def distances(goal, width):
    """Breadth-first search: the optimal length from every board that reaches the goal."""
    depth = {goal: 0}
    queue = deque([goal])
    while queue:
        tiles = queue.popleft()
        for letter in WAYS:
            after = moved(tiles, width, letter)
            if after is not None and after not in depth:
                depth[after] = depth[tiles] + 1
                queue.append(after)
    return depth


def manhattan(tiles, goal, width):
    total = 0
    for tile in tiles:
        if tile != 0:
            row, column = divmod(tiles.index(tile), width)
            goal_row, goal_column = divmod(goal.index(tile), width)
            total += abs(row - goal_row) + abs(column - goal_column)
    return total


def hamming(tiles, goal):
    return sum(1 for tile, wanted in zip(tiles, goal, strict=True) if tile not in (0, wanted))


def inversions(numbers):
    return sum(
        numbers[one] > numbers[other]
        for one in range(len(numbers))
        for other in range(one + 1, len(numbers))
    )
