"""Boards for benchmarks: random boards by seed, and those in tests/data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tilework.core.machine import user_databases
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.pdb.files import open_or_build
from tilework.core.solver.pdb.partitions import partitions_for

DATA = Path(__file__).parents[2] / "tests" / "data"


@dataclass(frozen=True)
class Instance:
    """A board of known length, with published node counts by heuristic."""

    name: str
    board: Board
    goal: Board
    length: int
    published: dict[str, int]

    @property
    def number(self) -> int:
        """The number of the board in its file, from 1."""
        return int(self.name.rpartition("-")[2])

    def check(self, lower_bound: int, upper_bound: int | None) -> None:
        """Exit unless the bounds prove the known length."""
        if not lower_bound == upper_bound == self.length:
            raise SystemExit(
                f"{self.name} ended with {lower_bound} ≤ optimal ≤ {upper_bound}; "
                f"it is {self.length}"
            )


def read_korf100() -> list[Instance]:
    return _read("korf100_15puzzle.txt", blank_first(Size(4, 4)))


def read_korf50() -> dict[int, Instance]:
    """Return Korf and Felner's 50 boards of the 24-puzzle by number."""
    boards = _read("korf50_24puzzle.txt", blank_first(Size(5, 5)))
    return {board.number: board for board in boards}


def read_farthest15() -> list[Instance]:
    boards = _read("hardest_15puzzle.txt", square_goal(4))
    return [board for board in boards if board.length == 80]


def _read(file: str, goal: Board) -> list[Instance]:
    instances = []
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        description, length, note = (part.strip() for part in line.split("|"))
        name, width, height, *tiles = description.split()
        board = Board([int(tile) for tile in tiles], int(width), int(height))
        pairs = (word.split("=") for word in note.split() if "=" in word)
        counts = {name: int(value) for name, value in pairs if value.isdigit() and name != "md"}
        instances.append(Instance(name, board, goal, int(length), counts))
    return instances


def format_line(board: Board) -> str:
    """Return the size and the tiles, as ``tilework solve --jsonl`` reads them after a name."""
    return f"{board.width} {board.height} {' '.join(map(str, board.cells.tolist()))}"


def square_goal(side: int) -> Board:
    """Return the square goal with the blank last."""
    return blank_last(Size(side, side))


def random_board(side: int, seed: int) -> Board:
    """Return a uniformly random solvable board."""
    return scramble(Size(side, side), square_goal(side), seed=seed)


def distinct_boards(side: int, first_seed: int) -> Iterator[Board]:
    """Yield random boards, no two of which are the same puzzle."""
    keys = set()
    for seed in count(first_seed):
        board = random_board(side, seed)
        key = canonicalize(board, square_goal(side)).key
        if key not in keys:
            keys.add(key)
            yield board


def build_databases(*sides: int) -> Path:
    """Build the best pattern databases of some sizes; return their folder."""
    folder = Path(os.environ.get("TILEWORK_PDB_DIR") or user_databases())
    for side in sides:
        open_or_build(partitions_for(Size(side, side))[0], folder)
    return folder
