"""How short the solutions of large boards are, by size and time, as the command line finds them.

Usage: python -m tools.benchmarks.large [--sizes 10 30x8] [--limits 0.5 10] [--boards 5]

Each row is the mean over boards drawn with the seeds from 9,000 on, which nothing is trained or
tuned on; the ordered boards are the goal turned by half a turn, mirrored, or with its rows cycled.
All boards of a row are solved by one ``tilework solve --jsonl --time-limit``, after another call
that has whatever is missing compiled. Ratio is moves by Manhattan distance; gap is how much longer
a solution is than the proved lower bound. A run keeps the rows of others that it does not measure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import TILEWORK, run_program

FIRST_SEED = 9_000

# By side and seconds, the ratio to be reached.
BARS: dict[int, dict[float, float]] = {
    5: {0.5: 1.34, 10: 1.315},
    6: {0.5: 1.40, 10: 1.33, 60: 1.30},
    7: {0.5: 1.45, 10: 1.345, 60: 1.31},
    8: {0.5: 1.50, 10: 1.39, 60: 1.34},
    10: {0.5: 1.62, 10: 1.47, 60: 1.40},
    12: {0.5: 1.65, 10: 1.50, 60: 1.43},
    16: {0.5: 1.80, 10: 1.55, 60: 1.47},
    20: {0.5: 1.90, 10: 1.60, 60: 1.52},
    32: {0.5: 1.85, 10: 1.60, 60: 1.52},
    50: {0.5: 1.85, 10: 1.56, 60: 1.49},
    100: {3: 1.65, 10: 1.51, 60: 1.45},
    256: {10: 1.75, 60: 1.48},
}
GAP_BARS = {(5, 60.0): 0.04}
ANY_BARS_S = {100: 1.0, 256: 5.0, 300: 30.0, 1000: 90.0}
"""By side, the seconds to any solution."""

SOLVE_MB = 1_500.0
LARGEST_MB = {1000: 1_000.0}
"""By side, the memory to any solution; `SOLVE_MB` for the others."""

LIMITS = (0.5, 10.0, 60.0)
RECTANGLES = ("30x8", "100x5", "12x40")
ORDERED_SIDES = (10, 40)
ORDERED_LIMIT_S = 10.0


@dataclass(frozen=True)
class Answers:
    """What a command answered about some boards, and the megabytes that it took."""

    records: list[dict[str, Any]]
    megabytes: float

    def mean(self, name: str) -> float:
        return fmean(row[name] for row in self.records)

    @property
    def gap(self) -> float:
        return fmean(
            (row["length"] - row["lower_bound"]) / row["lower_bound"] for row in self.records
        )


def answers_of(boards: Sequence[Board], *options: str) -> Answers:
    """Solve boards with ``tilework solve --jsonl``, and replay what it answers."""
    lines = "".join(
        f"{place} {board.width} {board.height} {' '.join(map(str, board.cells.tolist()))}\n"
        for place, board in enumerate(boards)
    )
    ran = run_program([TILEWORK, "solve", "--jsonl", "-", *options], given=lines)
    records = [json.loads(line) for line in ran.output.splitlines()]
    for board, answer in zip(boards, records, strict=True):
        replay(board, from_letters(answer["moves"]), blank_last(board.size))
    return Answers(records, ran.bytes / 1e6)


def figures_of(name: str, boards: Sequence[Board], seconds: float) -> Iterator[Figure]:
    size = boards[0].size
    side = size.width if size.width == size.height else 0
    answers = answers_of(boards, "--time-limit", str(seconds))
    row = f"{name}, {seconds:g} s"
    yield Figure(f"{row}: ratio", answers.mean("ratio"), "", BARS.get(side, {}).get(seconds))
    yield Figure(f"{row}: gap", answers.gap, "", GAP_BARS.get((side, seconds)))
    yield Figure(f"{row}: slowest", max(one["seconds"] for one in answers.records), "s")
    yield Figure(f"{row}: memory", answers.megabytes, "MB", SOLVE_MB)


def any_figures(size: Size, boards: Sequence[Board]) -> Iterator[Figure]:
    answers = answers_of(boards, "--target", "any")
    name, most = f"{size}, any solution", LARGEST_MB.get(size.width, SOLVE_MB)
    yield Figure(f"{name}: time", answers.mean("seconds"), "s", ANY_BARS_S[size.width])
    yield Figure(f"{name}: ratio", answers.mean("ratio"), "")
    yield Figure(f"{name}: memory", answers.megabytes, "MB", most)


def of_size(size: Size, limits: Sequence[float], count: int) -> Iterator[Figure]:
    goal = blank_last(size)
    boards = [scramble(size, goal, seed=FIRST_SEED + place) for place in range(count)]
    is_square = size.width == size.height
    if is_square and size.width in ANY_BARS_S:
        yield from any_figures(size, boards)
    bars = BARS.get(size.width, {}) if is_square else {}
    if is_square and not bars:
        return
    answers_of(boards[:1], "--time-limit", "0.5" if size.cells <= 10_000 else "20")
    for seconds in sorted({*limits, *(bar for bar in bars if bar not in LIMITS)}):
        yield from figures_of(str(size), boards, seconds)


def ordered() -> Iterator[Figure]:
    for side in ORDERED_SIDES:
        size = Size(side, side)
        goal = blank_last(size).cells.reshape(side, side)
        kinds = {
            "half turn": goal[::-1, ::-1],
            "mirror": goal[:, ::-1],
            "rows cycled": np.roll(goal, side // 2, axis=0),
        }
        for kind, grid in kinds.items():
            cells = np.array(grid.reshape(-1), dtype=np.int32)
            if not Board(cells, *size).is_solvable():
                first, second = np.flatnonzero(cells)[:2]
                cells[[first, second]] = cells[[second, first]]
            yield from figures_of(f"{size} {kind}", [Board(cells, *size)], ORDERED_LIMIT_S)


def measured(sizes: Sequence[str], limits: Sequence[float], count: int) -> Iterator[Figure]:
    for text in sizes or [*map(str, sorted({*BARS, *ANY_BARS_S})), *RECTANGLES]:
        width, _, height = text.partition("x")
        yield from of_size(Size(int(width), int(height or width)), limits, count)
    if not sizes:
        yield from ordered()


if __name__ == "__main__":
    run(
        "large",
        __doc__,
        {"": lambda o: measured(o.sizes, o.limits, o.boards)},
        f"Means over random boards, the seeds from {FIRST_SEED:,} on.",
        sizes=(str,),
        limits=LIMITS,
        boards=5,
    )
