"""The boards of tests/data: each with its known optimal length and what was published of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last

DATA = Path(__file__).parents[2] / "tests" / "data"


@dataclass(frozen=True)
class Instance:
    """One line of an instance file.

    Attributes
    ----------
    length : int
        Fewest moves to the file's goal.
    published : dict
        Node counts of others' searches by the name of their heuristic.
    """

    name: str
    board: Board
    goal: Board
    length: int
    published: dict[str, int]

    @property
    def number(self) -> int:
        """Its number in the file, from 1 on."""
        return int(self.name.rpartition("-")[2])


def korf100() -> list[Instance]:
    """Korf's 100 boards of the 15-puzzle."""
    return _read("korf100_15puzzle.txt", blank_first(Size(4, 4)))


def korf50() -> list[Instance]:
    """Korf and Felner's 50 boards of the 24-puzzle."""
    return _read("korf50_24puzzle.txt", blank_first(Size(5, 5)))


def farthest15() -> list[Instance]:
    """The 17 boards of the 15-puzzle that are 80 moves from their goal."""
    boards = _read("hardest_15puzzle.txt", blank_last(Size(4, 4)))
    return [instance for instance in boards if instance.length == 80]


def _read(file: str, goal: Board) -> list[Instance]:
    found = []
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        head, length, note = (part.strip() for part in line.split("|"))
        name, width, height, *tiles = head.split()
        board = Board([int(tile) for tile in tiles], int(width), int(height))
        found.append(Instance(name, board, goal, int(length), _counts(note)))
    return found


def _counts(note: str) -> dict[str, int]:
    pairs = (word.split("=") for word in note.split() if "=" in word)
    return {name: int(value) for name, value in pairs if value.isdigit() and name != "md"}
