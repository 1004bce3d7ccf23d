"""The move-pruning rules against a plain breadth-first search over boards."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.support.naive import moved
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.optimal.cursor import Cursor, Position
from tilework.core.solver.optimal.engines import LineEngine
from tilework.core.solver.optimal.move_pruning import PruningRules, pruning_rules
from tilework.core.solver.optimal.walk import Walk

SIZES = [Size(3, 3), Size(2, 5), Size(4, 3), Size(1, 4)]


def after(board: Board, word: bytes) -> tuple[int, ...]:
    """The tiles after a word of moves."""
    tiles = tuple(board.cells.tolist())
    for move in word:
        tiles = moved(tiles, board.width, "UDLR"[move])
    return tiles


def level_counts(board: Board, length: int) -> list[int]:
    """How many boards are first reached after each number of moves; plain and slow."""
    start = after(board, b"")
    seen, level, counts = {start}, {start}, [1]
    for _ in range(length):
        level = {moved(tiles, board.width, letter) for tiles in level for letter in "UDLR"}
        level -= {None, *seen}
        seen |= level
        counts.append(len(level))
    return counts


def allowed_words(rules: PruningRules, board: Board, length: int) -> list[list[bytes]]:
    """By length, every word that the rules allow from a board."""
    words = [{b"": int(rules.roots[board.blank])}]
    for _ in range(length):
        words.append(
            {
                word + bytes([move]): int(rules.following[state, move])
                for word, state in words[-1].items()
                for move in range(4)
                if rules.allowed[state] >> move & 1
            }
        )
    return [list(level) for level in words]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_words_within_the_rules_reach_each_near_board_exactly_once(size: Size) -> None:
    length = 9
    rules = pruning_rules(size, length)
    for blank in range(size.cells):
        board = Board(np.roll(np.arange(size.cells), blank).tolist(), *size)
        counts = [len(words) for words in allowed_words(rules, board, length)]
        assert counts == level_counts(board, length)


def test_the_smallest_of_the_shortest_words_is_the_one_that_is_left() -> None:
    board = blank_last(Size(3, 3))
    rules = pruning_rules(board.size, 8)
    words = allowed_words(rules, board, 8)
    reached = {after(board, word) for word in words[6]}
    for word in words[6]:
        smaller = [other for other in words[6] if other < word]
        assert after(board, word) not in {after(board, other) for other in smaller}
    assert len(reached) == len(words[6])


def test_longer_paths_are_held_to_the_rules_of_their_last_moves() -> None:
    board = blank_last(Size(3, 3))
    short, long = pruning_rules(board.size, 6), pruning_rules(board.size, 12)
    counts = [len(words) for words in allowed_words(short, board, 14)]
    fewer = [len(words) for words in allowed_words(long, board, 14)]
    plain = [len(words) for words in allowed_words(pruning_rules(board.size, 2), board, 14)]
    assert fewer[14] < counts[14] < plain[14]
    assert fewer[14] >= level_counts(board, 14)[14]


def test_rules_of_two_moves_only_forbid_turning_back() -> None:
    board = blank_last(Size(4, 4))
    rules = pruning_rules(board.size, 2)
    for word in allowed_words(rules, board, 5)[5]:
        assert all(one ^ 1 != other for one, other in pairwise(word))


def test_a_path_that_breaks_the_rules_begins_anew() -> None:
    board = blank_last(Size(3, 3))
    rules = pruning_rules(board.size, 8)
    engine = LineEngine("lines", board, rules)
    back_and_forth = Cursor((Position(bytes([1, 0]), 15),))
    walk = Walk(engine, engine.start(board), 10, back_and_forth)
    [position] = walk.cursor().positions
    # All but the way back.
    assert position.moves == int(rules.allowed[rules.roots[board.blank]]) - (1 << 1)


def test_boards_that_would_fill_the_memory_are_refused() -> None:
    with pytest.raises(OptionError, match="limited to 36 cells; a board of 7×6 has 42"):
        pruning_rules(Size(7, 6), 2)
