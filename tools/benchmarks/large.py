"""Large boards on the command line: the length of their solutions, by size and time.

``random``: means over boards with seeds from 9,000 on, which are used for neither training nor
tuning. The ordered boards are the goal rotated, reflected, or with its rows shifted. One ``tilework
solve --jsonl --time-limit`` solves all boards of a row, after a call that compiles the kernels. The
ratio is the number of moves divided by the Manhattan distance; the gap is the excess over the
proven lower bound, relative to it. ``near``: boards with sides from 7 to 300, solved or four moves
away, by one `tilework solve --jsonl` with 6 GB of address space; the time of a board is that from
line to line. ``huge``: a 4,096×4,096 board four moves away, from text and from ``.npy``.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.harness.boards import square_goal
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import TILEWORK, run_program

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
GAP_BARS = {(5, 60.0): 0.04}
ANY_BARS_S = {100: 1.0, 256: 5.0, 300: 30.0, 1000: 90.0}
"""Maximum seconds to any solution, by side."""

SOLVE_MB = 1_500.0
LARGEST_MB = {1000: 1_000.0}
"""Maximum memory by side of boards whose solution is too long to be read at once."""

HUGE_RATIO = 1.6
_PART = 1 << 22  # moves of a long solution that are replayed at once

LIMITS = (0.5, 10.0, 60.0)
RECTANGLES = ("30x8", "100x5", "12x40")
NEAR_SIDES = (7, 8, 10, 12, 16, 20, 30, 50, 75, 100, 150, 200, 250, 300)
MOVES_AWAY = "DRDR"
HUGE = 4_096
LIMITED_COMMAND = 'ulimit -v 6000000; exec "$0" "$@"'

ORDERED_SIDES = (10, 40)
ORDERED_LIMIT_S = 10.0


@dataclass(frozen=True)
class Answers:
    """The output of a command for some boards, and its megabytes."""

    records: list[dict[str, Any]]
    megabytes: float

    def mean(self, name: str) -> float:
        return fmean(row[name] for row in self.records)

    @property
    def gap(self) -> float:
        return fmean(
            (row["length"] - row["lower_bound"]) / row["lower_bound"] for row in self.records
        )


def solve_all(boards: Sequence[Board], *options: str) -> Answers:
    """Solve boards with ``tilework solve --jsonl``, and replay the solutions."""
    lines = "".join(
        f"{index} {board.width} {board.height} {' '.join(map(str, board.cells.tolist()))}\n"
        for index, board in enumerate(boards)
    )
    result = run_program([TILEWORK, "solve", "--jsonl", "-", *options], input_text=lines)
    records = [json.loads(line) for line in result.output.splitlines()]
    for board, record in zip(boards, records, strict=True):
        replay(board, from_letters(record["moves"]), blank_last(board.size))
    return Answers(records, result.bytes / 1e6)


def measure_ratios(name: str, boards: Sequence[Board], seconds: float) -> Iterator[Figure]:
    size = boards[0].size
    side = size.width if size.width == size.height else 0
    answers = solve_all(boards, "--time-limit", str(seconds))
    row = f"{name}, {seconds:g} s"
    yield Figure(f"{row}: ratio", answers.mean("ratio"), "", BARS.get(side, {}).get(seconds))
    yield Figure(f"{row}: gap", answers.gap, "", GAP_BARS.get((side, seconds)))
    yield Figure(f"{row}: slowest", max(record["seconds"] for record in answers.records), "s")
    yield Figure(f"{row}: memory", answers.megabytes, "MB", SOLVE_MB)


def measure_any_solution(size: Size, boards: Sequence[Board]) -> Iterator[Figure]:
    answers = solve_all(boards, "--target", "any")
    name = f"{size}, any solution"
    yield Figure(f"{name}: time", answers.mean("seconds"), "s", ANY_BARS_S[size.width])
    yield Figure(f"{name}: ratio", answers.mean("ratio"), "")
    yield Figure(f"{name}: memory", answers.megabytes, "MB", SOLVE_MB)


def measure_huge_solution(board: Board) -> Iterator[Figure]:
    """Measure the whole command on a huge board, and replay its output in parts."""
    name, side = f"{board.size}, any solution", board.width
    with TemporaryDirectory() as folder:
        path, output = Path(folder, "board.txt"), Path(folder, "moves.txt")
        path.write_text(str(board))
        command = [TILEWORK, "solve", str(path), "--target", "any"]
        started = time.perf_counter()
        with output.open("wb") as file, subprocess.Popen(command, stdout=file) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        letters = np.memmap(output, dtype=np.uint8, mode="r")[:-1]
        last = board
        for start in range(0, letters.size, _PART):
            last = apply(last, from_letters(letters[start : start + _PART].tobytes().decode()))
        if process.returncode or last != blank_last(board.size):
            raise SystemExit(f"{name}: the command ended with {process.returncode}, unsolved")
    yield Figure(f"{name}: command to answer", seconds, "s", ANY_BARS_S[side])
    yield Figure(f"{name}: processor time", usage.ru_utime + usage.ru_stime, "s")
    yield Figure(f"{name}: ratio", letters.size / board.manhattan(), "", HUGE_RATIO)
    yield Figure(f"{name}: memory", usage.ru_maxrss * 1024 / 1e6, "MB", LARGEST_MB[side])


def measure_size(size: Size, limits: Sequence[float], count: int) -> Iterator[Figure]:
    goal = blank_last(size)
    boards = [scramble(size, goal, seed=FIRST_SEED + index) for index in range(count)]
    is_square = size.width == size.height
    if is_square and size.width in LARGEST_MB:
        yield from measure_huge_solution(boards[0])
    elif is_square and size.width in ANY_BARS_S:
        yield from measure_any_solution(size, boards)
    bars = BARS.get(size.width, {}) if is_square else {}
    if is_square and not bars:
        return
    solve_all(boards[:1], "--time-limit", "0.5" if size.cells <= 10_000 else "20")
    for seconds in sorted({*limits, *(bar for bar in bars if bar not in LIMITS)}):
        yield from measure_ratios(str(size), boards, seconds)


def measure_ordered() -> Iterator[Figure]:
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
            yield from measure_ratios(f"{size} {kind}", [Board(cells, *size)], ORDERED_LIMIT_S)


def measure_random(sizes: Sequence[str], limits: Sequence[float], count: int) -> Iterator[Figure]:
    for text in sizes or [*map(str, sorted({*BARS, *ANY_BARS_S})), *RECTANGLES]:
        width, _, height = text.partition("x")
        yield from measure_size(Size(int(width), int(height or width)), limits, count)
    if not sizes:
        yield from measure_ordered()


def measure_near(runs: int) -> Iterator[Figure]:
    names = [(side, length) for side in NEAR_SIDES for length in (0, len(MOVES_AWAY))]
    with TemporaryDirectory() as folder:
        path = Path(folder, "boards.txt")
        with path.open("w") as file:
            for side, length in names:
                board = apply(square_goal(side), from_letters(MOVES_AWAY[:length]))
                tiles = " ".join(map(str, board.cells.tolist()))
                file.write(f"{side}-{length} {side} {side} {tiles}\n")
        _solve_lines(path)  # compile the kernels
        results = [_solve_lines(path) for _ in range(runs)]
    expected = [(length, True) for _, length in names]
    wrong_count = sum(
        result[1:] != correct
        for row in results
        for result, correct in zip(row, expected, strict=True)
    )
    seconds = [median(result[0] for result in board) for board in zip(*results, strict=True)]
    label = f"{NEAR_SIDES[0]} to {NEAR_SIDES[-1]} a side, {len(names)} boards"
    yield Figure(f"{label}: not optimal, in {runs} runs", wrong_count, "boards", 0)
    yield Figure(f"{label}: slowest", max(seconds[1:]), "s", 1)
    yield Figure(f"{label}: first, including the program's start", seconds[0], "s")


def _solve_lines(path: Path) -> list[tuple[float, int | None, bool]]:
    """Solve a file of boards; return the seconds, length and optimality of each board."""
    command = [
        "bash",
        "-c",
        LIMITED_COMMAND,
        TILEWORK,
        "solve",
        "--jsonl",
        str(path),
        "--time-limit",
        "10",
    ]
    results, started = [], time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        for line in program.stdout or ():
            record, now = json.loads(line), time.perf_counter()
            results.append((now - started, record.get("length"), record.get("optimal", False)))
            started = now
    return results


def measure_huge(runs: int) -> Iterator[Figure]:
    board = apply(square_goal(HUGE), from_letters(MOVES_AWAY))
    with TemporaryDirectory() as folder:
        text, npy = Path(folder, "huge.txt"), Path(folder, "huge.npy")
        text.write_text(str(board))
        np.save(npy, board.cells.reshape(HUGE, HUGE))
        del board
        for path in (text, npy):
            results = [run_program([TILEWORK, "solve", str(path)]) for _ in range(runs)]
            if any(len(result.output.strip()) != len(MOVES_AWAY) for result in results):
                raise SystemExit(f"{path.name} was answered with {results[0].output[:80]!r}")
            name = f"{HUGE} × {HUGE} four moves away, {path.suffix[1:]}"
            yield Figure(
                f"{name}: command to answer", median(result.seconds for result in results), "s", 5
            )
            processor = median(result.processor_s for result in results)
            yield Figure(f"{name}: the same in processor time", processor, "s")
            yield Figure(
                f"{name}: memory", max(result.bytes for result in results) / 1e6, "MB", 1_000
            )


if __name__ == "__main__":
    run(
        "large",
        __doc__,
        {
            "random": lambda o: measure_random(o.sizes, o.limits, o.boards),
            "near": lambda o: measure_near(o.runs),
            "huge": lambda o: measure_huge(o.runs),
        },
        f"Means over random boards, the seeds from {FIRST_SEED:,}; near boards: medians of {{runs}}"
        ". Memory includes mapped files.",
        sizes=(str,),
        limits=LIMITS,
        boards=5,
        runs=3,
    )
