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

    @property
    def text(self) -> str:
        return " ".join(map(str, self.tiles))


def load_instances(file_name):
    records = []
    for line in (DATA / file_name).read_text().splitlines():
        if line and not line.startswith("#"):
            board, length, *_ = (part.strip() for part in line.split("|"))
            name, width, height, *tiles = board.split()
            optimum = int(length) if length.isdigit() else None
            records.append(Instance(name, int(width), int(height), tuple(map(int, tiles)), optimum))
    return records


KORF_15_100 = load_instances("korf100_15puzzle.txt")[-1].text
"""54 moves to the goal with the blank first: minutes without a heuristic."""
KORF_24_1 = load_instances("korf50_24puzzle.txt")[0].text
"""95 moves to the goal with the blank first: far more than a minute on one core."""


def read_level_counts(width, height, metric="stm"):
    """Return the published number of boards at each distance from the corner goal.

    The metric is ``stm`` (single-tile moves) or ``mtm`` (slides of one or more tiles).
    """
    for line in (DATA / "exact_distance_distributions.txt").read_text().splitlines():
        head, _, counts = line.partition("|")
        if head.split()[:2] == [metric, f"{width}x{height}"]:
            return [int(count) for count in counts.split()]
    raise KeyError((width, height))
