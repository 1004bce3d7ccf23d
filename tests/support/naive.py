"""Slow, simple oracles over tuples of tiles; they share no code with what they test."""

from collections import deque
from functools import lru_cache
from itertools import groupby

OFFSETS = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}  # from the blank to the tile


def solved_tiles(width, height):
    return (*range(1, width * height), 0)


def apply_move(tiles, width, letter):
    """Move the tile next to the blank in this direction; return None if that is illegal."""
    height = len(tiles) // width
    row, column = divmod(tiles.index(0), width)
    down, right = OFFSETS[letter]
    if not (0 <= row + down < height and 0 <= column + right < width):
        return None
    result = list(tiles)
    blank, tile = row * width + column, (row + down) * width + column + right
    result[blank], result[tile] = result[tile], result[blank]
    return tuple(result)


def apply_moves(tiles, width, letters):
    for letter in letters:
        tiles = apply_move(tiles, width, letter)
        if tiles is None:
            raise ValueError(f"illegal move {letter}")
    return tiles


def count_slides(moves):
    return len(list(groupby(moves)))


def levels(goal, width):
    """Yield the boards at each distance from the goal: breadth-first search."""
    neighbors = [adjacent_cells(cell, width, len(goal)) for cell in range(len(goal))]
    level, seen = [goal], {goal}
    while level:
        yield level
        reached = []
        for tiles in level:
            blank = tiles.index(0)
            for cell in neighbors[blank]:
                swapped = list(tiles)
                swapped[blank], swapped[cell] = swapped[cell], 0
                board = tuple(swapped)
                if board not in seen:
                    seen.add(board)
                    reached.append(board)
        level = reached


@lru_cache(maxsize=8)
def distances(goal, width):
    """Return the optimal lengths of all boards that can reach the goal."""
    return {tiles: depth for depth, level in enumerate(levels(goal, width)) for tiles in level}


def adjacent_cells(cell, width, cells):
    """Return the cells next to a cell, in the order of OFFSETS."""
    row, column = divmod(cell, width)
    return [
        (row + down) * width + column + right
        for down, right in OFFSETS.values()
        if 0 <= row + down < cells // width and 0 <= column + right < width
    ]


def find_pattern(tiles, pattern):
    """Return the cells of a pattern's tiles, and the cell of the blank."""
    return tuple(map(tiles.index, pattern)), tiles.index(0)


def pattern_states(start, width, cells):
    """Yield the cells of a pattern and of the blank with the fewest moves of the pattern's tiles.

    Moves of other tiles cost nothing: a 0-1 breadth-first search.
    """
    fewest, ended, queue = {start: 0}, set(), deque([start])
    while queue:
        if (state := queue.popleft()) in ended:
            continue
        ended.add(state)
        yield state, fewest[state]
        placement, blank = state
        for cell in adjacent_cells(blank, width, cells):
            moved = (tuple(blank if c == cell else c for c in placement), cell)
            cost = fewest[state] + (cell in placement)
            if cost < fewest.get(moved, 10**9):
                fewest[moved] = cost
                (queue.append if cell in placement else queue.appendleft)(moved)


def manhattan(tiles, goal, width):
    total = 0
    for tile in tiles:
        if tile != 0:
            row, column = divmod(tiles.index(tile), width)
            goal_row, goal_column = divmod(goal.index(tile), width)
            total += abs(row - goal_row) + abs(column - goal_column)
    return total


def hamming(tiles, goal):
    return sum(1 for tile, goal_tile in zip(tiles, goal, strict=True) if tile not in (0, goal_tile))


def inversions(numbers):
    return sum(
        numbers[index] > numbers[other]
        for index in range(len(numbers))
        for other in range(index + 1, len(numbers))
    )
