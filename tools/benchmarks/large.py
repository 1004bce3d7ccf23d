"""How short the solutions of large boards are, by size and time, as the command line finds them.

Usage: python -m tools.benchmarks.large [--sizes 10 30x8] [--limits 0.5 10] [--boards 5]
       python -m tools.benchmarks.large --curve 10 --hours 1

Each row is the mean over boards drawn with the seeds from 9,000 on, which nothing is trained or
tuned on; the ordered boards are the goal turned by half a turn, mirrored, or with its rows cycled.
All boards of a row are solved by one ``tilework solve --jsonl --time-limit``, after another call
that has whatever is missing compiled. Ratio is moves by Manhattan distance; gap is how much longer
a solution is than the proved lower bound. A run keeps the rows of others that it does not measure.

``--curve`` improves one board of a size for hours, and keeps in ``data/large_curves.json`` when
each better solution came.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryFile
from typing import Any

from tilework.core.machine import usable_processors
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves, from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits
from tilework.core.solver.solve import solve
from tools.benchmarks.large_boards import FIRST_SEED, ORDERED, ordered_board, random_boards
from tools.benchmarks.report import DATA, Figure, kept_figures, record

NAME = "large"
CURVES = DATA / "large_curves.json"

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
ANY_BARS_S = {100: 1.0, 256: 5.0, 1000: 90.0}
"""By side, the seconds to any solution."""

MOST_BYTES_BARS = {1000: 1_000_000_000}
"""By side, the memory to any solution; `SOLVE_BYTES` for the others."""
SOLVE_BYTES = 1_500_000_000

LIMITS = (0.5, 10.0, 60.0)
RECTANGLES = (Size(30, 8), Size(100, 5), Size(12, 40))
ORDERED_SIDES = (10, 40)
ORDERED_LIMIT_S = 10.0
WARM_UP_S = 0.5


@dataclass(frozen=True)
class Answers:
    """What a command answered about some boards.

    Attributes
    ----------
    records : list of dict
        One for each board, as the command writes them.
    most_bytes : int
        That were resident at once.
    """

    records: list[dict[str, Any]]
    most_bytes: int

    def mean(self, name: str) -> float:
        return fmean(row[name] for row in self.records)

    @property
    def gap(self) -> float:
        return fmean(
            (row["length"] - row["lower_bound"]) / row["lower_bound"] for row in self.records
        )


def answers_of(boards: Sequence[Board], *options: str) -> Answers:
    """Solve boards with ``tilework solve --jsonl``, and replay what it answers."""
    lines = "".join(_line(place, board) for place, board in enumerate(boards))
    program = str(Path(sys.executable).parent / "tilework")
    command = [program, "solve", "--jsonl", "-", *options]
    # From a file: answers are long, and a pipe that nobody reads yet would hold up both sides.
    with TemporaryFile("w+") as questions:
        questions.write(lines)
        questions.seek(0)
        with subprocess.Popen(
            command, stdin=questions, stdout=subprocess.PIPE, text=True
        ) as process:
            if process.stdout is None:
                raise RuntimeError("a pipe was asked for")
            records = [json.loads(line) for line in process.stdout]
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or len(records) != len(boards):
        raise RuntimeError(f"{command} ended with {process.returncode}: {records[-1:]}")
    for board, answer in zip(boards, records, strict=True):
        replay(board, from_letters(answer["moves"]), blank_last(board.size))
    return Answers(records, usage.ru_maxrss * 1024)


def _line(place: int, board: Board) -> str:
    return f"{place} {board.width} {board.height} {' '.join(map(str, board.cells.tolist()))}\n"


def figures_of(name: str, boards: Sequence[Board], seconds: float) -> Iterator[Figure]:
    """Measure one row of the table."""
    size = boards[0].size
    side = size.width if size.width == size.height else 0
    answers = answers_of(boards, "--time-limit", str(seconds))
    row = f"{name}, {seconds:g} s"
    yield Figure(f"{row}: ratio", answers.mean("ratio"), "", BARS.get(side, {}).get(seconds))
    yield Figure(f"{row}: gap", answers.gap, "", GAP_BARS.get((side, seconds)))
    yield Figure(f"{row}: slowest", max(one["seconds"] for one in answers.records), "s")
    yield Figure(f"{row}: memory", answers.most_bytes / 1e6, "MB", SOLVE_BYTES / 1e6)


def any_figures(size: Size, boards: Sequence[Board]) -> Iterator[Figure]:
    """Measure how soon there is any solution."""
    answers = answers_of(boards, "--target", "any")
    bar, most = ANY_BARS_S[size.width], MOST_BYTES_BARS.get(size.width, SOLVE_BYTES)
    yield Figure(f"{size}, any solution: time", answers.mean("seconds"), "s", bar)
    yield Figure(f"{size}, any solution: ratio", answers.mean("ratio"), "")
    yield Figure(f"{size}, any solution: memory", answers.most_bytes / 1e6, "MB", most / 1e6)


def measured(sizes: Sequence[Size], limits: Sequence[float], count: int) -> Iterator[Figure]:
    """Measure all rows of some sizes."""
    for size in sizes:
        boards = random_boards(size, count)
        if size.width in ANY_BARS_S:
            yield from any_figures(size, boards)
        bars = BARS.get(size.width, {}) if size.width == size.height else {}
        if size.width == size.height and not bars:
            continue
        answers_of(boards[:1], "--time-limit", str(WARM_UP_S if size.cells <= 10_000 else 20))
        for seconds in sorted({*limits, *(bar for bar in bars if bar not in LIMITS)}):
            yield from figures_of(str(size), boards, seconds)


def ordered_figures() -> Iterator[Figure]:
    """Measure the ordered boards, each kind alone."""
    for side in ORDERED_SIDES:
        for kind in ORDERED:
            board = ordered_board(kind, Size(side, side))
            yield from figures_of(f"{board.size} {kind}", [board], ORDERED_LIMIT_S)


def follow(size: Size, hours: float) -> None:
    """Improve a board for hours, and keep when each better solution came."""
    board = random_boards(size, 1)[0]
    distance = board.manhattan()
    curve: list[tuple[float, int]] = []
    began = time.perf_counter()

    def found(_lower: int, moves: Moves, algorithm: str) -> None:
        curve.append((round(time.perf_counter() - began, 2), len(moves)))
        print(f"{curve[-1][0]:9.1f} s  {len(moves)}  {len(moves) / distance:.3f}  {algorithm}")

    threads = usable_processors()
    limits = Limits(seconds=3_600 * hours)
    result = solve(board, blank_last(size), limits=limits, found=found, threads=threads)
    curves = json.loads(CURVES.read_text(encoding="utf-8")) if CURVES.exists() else {}
    curves[f"{size}, {hours:g} h"] = {
        "seed": FIRST_SEED,
        "threads": threads,
        "manhattan": distance,
        "lower_bound": result.lower_bound,
        "moves": curve,
    }
    CURVES.write_text(json.dumps(curves, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def size_of(text: str) -> Size:
    """Read ``10`` as 10×10 and ``30x8`` as a rectangle."""
    width, _, height = text.partition("x")
    return Size(int(width), int(height or width))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=size_of, help="all of the table if not given")
    parser.add_argument("--limits", nargs="+", type=float, default=LIMITS, help="seconds")
    parser.add_argument("--boards", type=int, default=5, help="of each size")
    parser.add_argument("--curve", type=size_of, metavar="SIZE", help="improve one board for hours")
    parser.add_argument("--hours", type=float, default=1.0)
    options = parser.parse_args()
    if options.curve:
        follow(options.curve, options.hours)
        return
    squares = sorted({*BARS, *ANY_BARS_S})
    sizes = options.sizes or [*(Size(side, side) for side in squares), *RECTANGLES]
    figures = []
    for figure in measured(sizes, options.limits, options.boards):
        print(figure.row(), flush=True)
        figures.append(figure)
    if options.sizes is None:
        figures += ordered_figures()
    notes = f"Means over random boards, the seeds from {FIRST_SEED:,} on."
    record(NAME, [*kept_figures(NAME, figures), *figures], notes)


if __name__ == "__main__":
    main()
