"""Large boards on the command line: the length of their solutions, by size and time.

Means over random boards with seeds from 9,000 on, which are used for neither training nor tuning.
One ``tilework solve --jsonl --time-limit`` solves all boards of a row, after a call that compiles
the kernels; its solutions are replayed. The ratio is the number of moves divided by the Manhattan
distance; the gap is the excess over the proven lower bound, relative to it. Memory includes mapped
files. ``any`` asks for any solution.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.boards import format_line
from tools.benchmarks.programs import TILEWORK, run_program
from tools.benchmarks.record import Figure, run

FIRST_SEED = 9_000

# The target ratio by side and seconds.
BARS: dict[int, dict[float, float]] = {
    5: {0.5: 1.34, 10: 1.315},
    6: {0.5: 1.40, 10: 1.31, 60: 1.30},
    7: {0.5: 1.45, 10: 1.345, 60: 1.31},
    8: {0.5: 1.50, 10: 1.29, 60: 1.26},
    10: {0.5: 1.62, 10: 1.33, 60: 1.29},
    12: {0.5: 1.65, 10: 1.50, 60: 1.43},
    16: {0.5: 1.80, 10: 1.44, 60: 1.38},
    20: {0.5: 1.90, 10: 1.47, 60: 1.42},
    32: {0.5: 1.85, 10: 1.48, 60: 1.43},
    50: {0.5: 1.85, 10: 1.46, 60: 1.41},
    100: {3: 1.65, 10: 1.43, 60: 1.38},
    256: {10: 1.50, 60: 1.38},
}
ANY_BARS_S = {100: 1.0, 256: 5.0, 300: 30.0}
"""Maximum seconds to any solution, by side."""

MEMORY_MB = 1_500.0
SIZES = (*map(str, BARS), "30x8", "100x5", "12x40")
LIMITS = (0.5, 10.0, 60.0)


@dataclass(frozen=True)
class Answers:
    """The output of a command for some boards, and its megabytes."""

    records: list[dict[str, Any]]
    megabytes: float

    def mean(self, name: str) -> float:
        return fmean(row[name] for row in self.records)


def solve_all(boards: Sequence[Board], *options: str) -> Answers:
    """Solve boards with ``tilework solve --jsonl``, and replay the solutions."""
    lines = "".join(f"{index} {format_line(board)}\n" for index, board in enumerate(boards))
    result = run_program([TILEWORK, "solve", "--jsonl", "-", *options], input_text=lines)
    records = [json.loads(line) for line in result.output.splitlines()]
    for board, record in zip(boards, records, strict=True):
        replay(board, from_letters(record["moves"]), blank_last(board.size))
    return Answers(records, result.bytes / 1e6)


def select_boards(text: str, count: int) -> list[Board]:
    width, _, height = text.partition("x")
    size = Size(int(width), int(height or width))
    return [scramble(size, blank_last(size), FIRST_SEED + index) for index in range(count)]


def measure_ratios(sizes: Sequence[str], limits: Sequence[float], count: int) -> Iterator[Figure]:
    for text in sizes:
        boards = select_boards(text, count)
        bars = BARS.get(int(text), {}) if text.isdigit() else {}
        solve_all(boards[:1], "--time-limit", "20")
        for seconds in sorted({*limits, *(bar for bar in bars if bar not in LIMITS)}):
            answers = solve_all(boards, "--time-limit", str(seconds))
            name = f"{boards[0].size}, {seconds:g} s"
            yield Figure(f"{name}: ratio", answers.mean("ratio"), "", bars.get(seconds))
            gaps = [record["length"] / record["lower_bound"] - 1 for record in answers.records]
            yield Figure(f"{name}: gap", fmean(gaps))
            slowest = max(record["seconds"] for record in answers.records)
            yield Figure(f"{name}: slowest", slowest, "s")
            yield Figure(f"{name}: memory", answers.megabytes, "MB", MEMORY_MB)


def measure_any(count: int) -> Iterator[Figure]:
    for side, bar in ANY_BARS_S.items():
        answers = solve_all(select_boards(str(side), count), "--target", "any")
        name = f"{side}×{side}, any solution"
        yield Figure(f"{name}: time", answers.mean("seconds"), "s", bar)
        yield Figure(f"{name}: ratio", answers.mean("ratio"))
        yield Figure(f"{name}: memory", answers.megabytes, "MB", MEMORY_MB)


if __name__ == "__main__":
    run(
        "large",
        __doc__,
        {
            "random": lambda o: measure_ratios(o.sizes, o.limits, o.boards),
            "any": lambda o: measure_any(o.boards),
        },
        sizes=SIZES,
        limits=LIMITS,
        boards=5,
    )
