"""Read, check and score the largest boards: seconds, and memory beyond the mapped file.

Usage: python -m tools.benchmarks.huge_boards [--largest]

A 4,096 × 4,096 board is read from a ``.npy`` file and from Princeton text. ``--largest`` adds a
32,768 × 32,768 one, whose ``.npy`` file of 4 GB is written in pieces to a temporary folder. Both
are the goal with blocks of cells shuffled, the blocks rearranged and a few tiles exchanged, so
whether they are solvable is known from how they were made. Each task runs in a process of its
own. Memory is what is resident beyond mapped files. A run without ``--largest`` keeps the figures
that the last one with it measured.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from tools.benchmarks.report import RESULTS, Figure, record

NAME = "huge_boards"
LARGE, LARGEST = 4096, 32_768
BLOCK = 1 << 20
RUNS = 3
MEASURED_ONCE_BYTES = 1 << 30
SAMPLE_S = 0.005


def make_file(path: Path, side: int, exchanges: int) -> bool:
    """Write a shuffled board and return whether it is solvable, known from the shuffle.

    Every block of cells gets the same inner shuffle, an even number of times in all, and two
    blocks change places by an even number of exchanges of cells. So only the single exchanges
    and the way of the blank decide the parity, whatever the shuffles were.
    """
    random = np.random.default_rng(side)
    cells = side * side
    blocks = cells // BLOCK
    if cells % BLOCK or blocks % 2:
        raise ValueError("the board must be an even number of blocks")
    inner = random.permutation(BLOCK).astype(np.int64)
    order = random.permutation(blocks)
    board = np.lib.format.open_memmap(path, mode="w+", dtype=np.int32, shape=(side, side))
    flat = board.reshape(-1)
    for block in range(blocks):
        source = inner + (order[block] * BLOCK + 1)
        flat[block * BLOCK : (block + 1) * BLOCK] = np.where(source == cells, 0, source)
    places = random.choice(cells, size=2 * exchanges, replace=False)
    for one, other in places.reshape(-1, 2):
        flat[one], flat[other] = int(flat[other]), int(flat[one])
    block = int(np.flatnonzero(order == blocks - 1)[0])
    blank = block * BLOCK + int(np.flatnonzero(inner == BLOCK - 1)[0])
    if flat[blank] != 0:
        raise ValueError("an exchange hit the blank; take another seed")
    board.flush()
    row, column = divmod(blank, side)
    blank_odd = (side - 1 - row + side - 1 - column) % 2
    return exchanges % 2 == blank_odd


def write_text(npy: Path, text: Path) -> None:
    board = np.load(npy, mmap_mode="r")
    with text.open("w") as file:
        file.write(f"{len(board)}\n")
        for row in board:
            file.write(" ".join(map(str, row.tolist())) + "\n")


class MemoryWatch(threading.Thread):
    """The greatest resident memory that is not of mapped files, in bytes, while it runs."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.wait(SAMPLE_S):
            status = dict(
                line.split(":", 1)
                for line in Path("/proc/self/status").read_text().splitlines()
                if ":" in line
            )
            self.peak = max(self.peak, 1024 * int(status["RssAnon"].split()[0]))


def measure(path: Path) -> dict[str, object]:
    """Read, check and score one file in this process."""
    watch = MemoryWatch()
    watch.start()
    began = time.perf_counter()
    from tilework.core.formats.board_text import read_board
    from tilework.core.formats.npy import read_npy

    seconds = {"import": time.perf_counter() - began}
    began = time.perf_counter()
    board = read_npy(path) if path.suffix == ".npy" else read_board(path.read_text())
    seconds["read"] = time.perf_counter() - began
    answers: dict[str, object] = {}
    for name in ("is_solvable", "hamming", "manhattan"):
        began = time.perf_counter()
        answers[name] = getattr(board, name)()
        seconds[name] = time.perf_counter() - began
    watch.done.set()
    watch.join()
    seconds["all"] = sum(seconds.values())
    return {
        "format": path.suffix[1:],
        "side": board.width,
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "peak_mb_beyond_mapping": round(watch.peak / 1e6),
        **answers,
    }


def measure_apart(path: Path, solvable: bool) -> list[Figure]:
    """Measure one file in processes of their own, and check the answer against how it was made.

    The figures are of the run with the median time.
    """
    command = [sys.executable, "-m", "tools.benchmarks.huge_boards", "--measure", str(path)]
    runs = []
    for _ in range(1 if path.stat().st_size > MEASURED_ONCE_BYTES else RUNS):
        runs.append(json.loads(subprocess.check_output(command, cwd=Path(__file__).parents[2])))
        print(json.dumps(runs[-1]))
        if runs[-1]["is_solvable"] != solvable:
            raise ValueError(f"{path} was made solvable = {solvable}, and judged otherwise")
    result = sorted(runs, key=lambda run: run["seconds"]["all"])[len(runs) // 2]
    side, seconds = result["side"], result["seconds"]
    name = f"{side} × {side}, {result['format']}"
    steps = ", ".join(f"{step} {value:.2g}" for step, value in seconds.items() if step != "all")
    largest = side == LARGEST
    return [
        Figure(f"{name}: all ({steps})", seconds["all"], "s", None if largest else 3),
        Figure(f"{name}: memory", result["peak_mb_beyond_mapping"], "MB", 1000),
    ]


def kept_figures() -> list[Figure]:
    """The figures of the largest board from an earlier run."""
    path = RESULTS / f"{NAME}.json"
    if not path.exists():
        return []
    figures = [Figure(**figure) for figure in json.loads(path.read_text())["figures"]]
    return [figure for figure in figures if figure.what.startswith(str(LARGEST))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", action="store_true", help="also 32,768 × 32,768")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        npy, text = Path(folder, "board.npy"), Path(folder, "board.txt")
        solvable = make_file(npy, LARGE, 21)
        write_text(npy, text)
        figures += measure_apart(npy, solvable) + measure_apart(text, solvable)
        make_file(npy, LARGE, 20)
        measure_apart(npy, not solvable)
        if options.largest:
            solvable = make_file(npy, LARGEST, 1001)
            figures += measure_apart(npy, solvable)
        else:
            figures += kept_figures()
    record(NAME, figures, "Read, check solvability, Hamming and Manhattan; page cache warm.")


if __name__ == "__main__":
    main()
