"""The instance files of tests/data as plain values."""

from pathlib import Path
from typing import NamedTuple

from tilework.core.puzzle.board import Board

DATA = Path(__file__).parents[1] / "data"


class Instance(NamedTuple):
    name: str
    width: int
    height: int
    tiles: tuple[int, ...]
    length: int | None

    @property
    def board(self) -> Board:
        return Board(self.tiles, self.width, self.height)


def instances(file_name):
    records = []
    for line in (DATA / file_name).read_text().splitlines():
        if line and not line.startswith("#"):
            board, length, *_ = (part.strip() for part in line.split("|"))
            name, width, height, *tiles = board.split()
            known = int(length) if length.isdigit() else None
            records.append(Instance(name, int(width), int(height), tuple(map(int, tiles)), known))
    return records


def level_counts(width, height, metric="stm"):
    """Return the published numbers of boards at each depth from the corner goal.

    In single-tile moves, or with ``mtm`` in slides of one tile or several.
    """
    for line in (DATA / "exact_distance_distributions.txt").read_text().splitlines():
        head, _, counts = line.partition("|")
        if head.split()[:2] == [metric, f"{width}x{height}"]:
            return [int(count) for count in counts.split()]
    raise KeyError((width, height))
