"""Large boards near their goal on the command line: how soon they are solved, up to 4,096 a side.

Usage: python -m tools.benchmarks.largest [--parts near huge] [--runs 3]

``near``: boards of 7 to 300 a side, solved and four moves away, go through one `tilework solve
--jsonl` that may take 6 GB of address space. The time of a board is from line to line, with reading
and writing; the first one's has the start of the program in it. ``huge``: 4,096 × 4,096 four moves
away, from text and from ``.npy``.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply
from tools.benchmarks.harness.boards import goal_of
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import TILEWORK, run_program

SIDES = (7, 8, 10, 12, 16, 20, 30, 50, 75, 100, 150, 200, 250, 300)
AWAY = "DRDR"
HUGE = 4_096
LIMITED = 'ulimit -v 6000000; exec "$0" "$@"'


def near(runs: int) -> Iterator[Figure]:
    names = [(side, length) for side in SIDES for length in (0, len(AWAY))]
    with TemporaryDirectory() as folder:
        path = Path(folder, "boards.txt")
        with path.open("w") as file:
            for side, length in names:
                board = apply(goal_of(side), from_letters(AWAY[:length]))
                tiles = " ".join(map(str, board.cells.tolist()))
                file.write(f"{side}-{length} {side} {side} {tiles}\n")
        _lines(path)  # the kernels are compiled and kept
        found = [_lines(path) for _ in range(runs)]
    right = [(length, True) for _, length in names]
    wrong = sum(one[1:] != true for row in found for one, true in zip(row, right, strict=True))
    seconds = [median(one[0] for one in board) for board in zip(*found, strict=True)]
    what = f"{SIDES[0]} to {SIDES[-1]} a side, {len(names)} boards"
    yield Figure(f"{what}: not optimal, in {runs} runs", wrong, "boards", 0)
    yield Figure(f"{what}: slowest", max(seconds[1:]), "s", 1)
    yield Figure(f"{what}: first, with the start of the program", seconds[0], "s")


def _lines(path: Path) -> list[tuple[float, int | None, bool]]:
    """Solve a file of boards; return each one's seconds, length and whether that is proved."""
    command = ["bash", "-c", LIMITED, TILEWORK, "solve", "--jsonl", str(path), "--time-limit", "10"]
    found, began = [], time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        for line in program.stdout or ():
            answer, now = json.loads(line), time.perf_counter()
            found.append((now - began, answer.get("length"), answer.get("optimal", False)))
            began = now
    return found


def huge(runs: int) -> Iterator[Figure]:
    board = apply(goal_of(HUGE), from_letters(AWAY))
    with TemporaryDirectory() as folder:
        text, npy = Path(folder, "huge.txt"), Path(folder, "huge.npy")
        text.write_text(str(board))
        np.save(npy, board.cells.reshape(HUGE, HUGE))
        del board
        for path in (text, npy):
            ran = [run_program([TILEWORK, "solve", str(path)]) for _ in range(runs)]
            if any(len(one.output.strip()) != len(AWAY) for one in ran):
                raise SystemExit(f"{path.name} was answered with {ran[0].output[:80]!r}")
            name = f"{HUGE} × {HUGE} four moves away, {path.suffix[1:]}"
            yield Figure(f"{name}: command to answer", median(one.seconds for one in ran), "s", 5)
            processor = median(one.processor_s for one in ran)
            yield Figure(f"{name}: the same in processor time", processor, "s")
            yield Figure(f"{name}: memory", max(one.bytes for one in ran) / 1e6, "MB", 1_000)


if __name__ == "__main__":
    run(
        "largest",
        __doc__,
        {"near": lambda o: near(o.runs), "huge": lambda o: huge(o.runs)},
        "Page cache warm, kernels compiled; medians of the runs. Memory counts mapped files.",
        runs=3,
    )
