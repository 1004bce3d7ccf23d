"""The boards of the load: each can be solved, and its length is what it is said to be."""

from __future__ import annotations

import random

from chaos.checking.replay import solves
from chaos.load import boards
from chaos.load.boards import Puzzle
from tests.support.instances import instances
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.solvability import is_solvable

CHOICES = 200


def solvable(puzzle: Puzzle) -> bool:
    size = Size(puzzle.side, puzzle.side)
    return is_solvable(Board(puzzle.tiles, puzzle.side, puzzle.side), blank_last(size))


def test_huge_boards_can_be_solved() -> None:
    choose = random.Random(1)
    assert all(solvable(boards.huge(choose, choose.randint(6, 12))) for _ in range(CHOICES))


def test_walked_boards_can_be_solved_and_say_how_far_they_are_at_most() -> None:
    choose = random.Random(2)
    found = [boards.walked(choose, 4, choose.randint(1, 40)) for _ in range(CHOICES)]
    assert all(solvable(puzzle) for puzzle in found)
    away = boards.walked(choose, 3, 9)
    assert away.most == 9


def test_lengths_are_those_left_of_a_way_of_a_published_length() -> None:
    published = {boards.turned(one.tiles): one.length for one in instances("korf100_15puzzle.txt")}
    lines = [line for line in boards.WAYS.read_text().splitlines() if not line.startswith("#")]
    ways = {}
    for line in lines:
        side, tiles, letters = (part.strip() for part in line.split("|"))
        puzzle = Puzzle(int(side), tuple(map(int, tiles.split())))
        assert solves(puzzle, letters)
        ways[puzzle.tiles] = len(letters)
    assert {tiles: ways[tiles] for tiles in published} == published
    choose = random.Random(3)
    for _ in range(CHOICES):
        puzzle = boards.middle(choose, 50)
        assert puzzle.length is not None
        assert 25 <= puzzle.length <= 50


def test_a_mirror_image_has_the_mirrored_solution() -> None:
    puzzle = boards.small(random.Random(4))
    assert solves(Puzzle(3, (1, 2, 3, 4, 5, 6, 0, 7, 8)), "LL")
    assert Puzzle(3, (1, 2, 3, 4, 5, 6, 0, 7, 8)).mirrored().tiles == (1, 2, 0, 4, 5, 3, 7, 8, 6)
    assert puzzle.mirrored().mirrored() == puzzle
