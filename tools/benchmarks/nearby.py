"""Solve large boards that are near their goal, on the command line: seconds and memory.

Usage: python -m tools.benchmarks.nearby

Boards of 7 to 300 a side, solved and four moves away, go through one `tilework solve --jsonl` that
may take 6 GB of address space. The time of a board is from line to line, with reading and writing;
the first one's has the start of the program in it, and has no bar. A 4,096 × 4,096
board four moves away is solved by a program of its own, from text and from ``.npy``.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply
from tools.benchmarks.report import Figure, record

SIDES = (7, 8, 10, 12, 16, 20, 30, 50, 75, 100, 150, 200, 250, 300)
AWAY = "DRDR"
HUGE = 4096
RUNS = 3
PROGRAM = Path(sys.executable).with_name("tilework")
LIMITED = 'ulimit -v 6000000; exec "$0" "$@"'


def boards() -> Iterator[tuple[str, Board, int]]:
    """Yield each board with a name and its optimal length: its distance is as large."""
    for side in SIDES:
        goal = blank_last(Size(side, side))
        yield f"{side}-solved", goal, 0
        yield f"{side}-away", apply(goal, from_letters(AWAY)), len(AWAY)


def solve_lines(path: Path) -> dict[str, tuple[float, int | None, bool]]:
    """Solve a file of boards; return each one's seconds, length and whether that is proved."""
    command = [str(PROGRAM), "solve", "--jsonl", str(path), "--time-limit", "10"]
    found = {}
    began = time.perf_counter()
    with subprocess.Popen(["bash", "-c", LIMITED, *command], stdout=subprocess.PIPE) as program:
        for line in program.stdout or ():
            now = time.perf_counter()
            answer = json.loads(line)
            found[answer["id"]] = now - began, answer.get("length"), answer.get("optimal", False)
            began = now
    return found


def many_boards(folder: Path) -> list[Figure]:
    lengths = {}
    path = folder / "boards.txt"
    with path.open("w") as file:
        for name, board, length in boards():
            tiles = " ".join(map(str, board.cells.tolist()))
            file.write(f"{name} {board.width} {board.height} {tiles}\n")
            lengths[name] = length
    solve_lines(path)  # the kernels are compiled and kept
    runs = [solve_lines(path) for _ in range(RUNS)]
    wrong = sum(run.get(name, ())[1:] != (lengths[name], True) for run in runs for name in lengths)
    first, *others = lengths
    seconds = {name: median(run[name][0] for run in runs if name in run) for name in lengths}
    slowest = max(others, key=lambda name: seconds[name])
    size = f"{SIDES[0]} to {SIDES[-1]} a side, {len(lengths)} boards"
    return [
        Figure(f"{size}: not optimal, in {RUNS} runs", wrong, "boards", 0),
        Figure(f"{size}: slowest ({slowest})", seconds[slowest], "s", 1),
        Figure(f"{first}, with the start of the program", seconds[first], "s"),
        *(Figure(name, seconds[name], "s", 1) for name in others),
    ]


def write_huge(folder: Path) -> None:
    """Write the largest board to two files."""
    board = apply(blank_last(Size(HUGE, HUGE)), from_letters(AWAY))
    (folder / "huge.txt").write_text(str(board))
    np.save(folder / "huge.npy", board.cells.reshape(HUGE, HUGE))


def huge_board(path: Path) -> list[Figure]:
    runs = []
    for _ in range(RUNS):
        began = time.perf_counter()
        with subprocess.Popen(
            [PROGRAM, "solve", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as program:
            answer = program.stdout.read() if program.stdout else b""
            _, status, usage = os.wait4(program.pid, 0)
            program.returncode = os.waitstatus_to_exitcode(status)
        processor = usage.ru_utime + usage.ru_stime
        runs.append((time.perf_counter() - began, processor, usage.ru_maxrss * 1024))
        if program.returncode != 0 or len(answer.strip()) != len(AWAY):
            raise ValueError(f"{path.name} was answered with {answer[:80]!r}")
    name = f"{HUGE} × {HUGE} four moves away, {path.suffix[1:]}"
    return [
        Figure(f"{name}: command to answer", median(run[0] for run in runs), "s", 5),
        Figure(f"{name}: the same in processor time", median(run[1] for run in runs), "s"),
        Figure(f"{name}: greatest memory", max(run[2] for run in runs) / 1e6, "MB", 1000),
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Elsewhere: the most memory of a program counts that of the process that started it.
        writer = multiprocessing.get_context("spawn").Process(target=write_huge, args=(folder,))
        writer.start()
        writer.join()
        figures = many_boards(folder)
        figures += huge_board(folder / "huge.txt") + huge_board(folder / "huge.npy")
    record("nearby", figures, "Page cache warm, kernels compiled; medians of three runs.")


if __name__ == "__main__":
    main()
