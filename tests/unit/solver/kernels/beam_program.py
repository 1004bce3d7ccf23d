"""Run small beams with every kernel there is for them; print all that came of it.

Run with and without the compiler, it must print the same.
"""

from __future__ import annotations

import json

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.large.beam import beam_search


def summary() -> list[list[object]]:
    found: list[list[object]] = []
    # Pattern databases up to 3×3, lines beyond.
    for goal in (blank_last(Size(3, 3)), spiral(Size(2, 3)), spiral(Size(5, 4))):
        for width in (1, 40):
            board = scramble(goal.size, goal, seed=width, moves=12)
            outcome = beam_search(board, goal, width, upper_bound=60)
            moves = None if outcome.moves is None else to_letters(outcome.moves)
            found.append([moves, outcome.nodes])
    return found


if __name__ == "__main__":
    print(json.dumps(summary()))
