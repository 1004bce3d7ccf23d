"""Building, mapping and verifying the databases of the 15-puzzle and the 24-puzzle.

Usage: python -m tools.benchmarks.pattern_databases [--sizes 4x4 5x5]

A build is the whole of `tilework pdb build` into an empty folder, by a process whose kernels have
been compiled before.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition, partitions_for
from tilework.core.solver.pdb.store import open_or_build, path_of
from tilework.core.solver.pdb.verify import verify
from tools.benchmarks.report import Figure, record
from tools.benchmarks.system import PROGRAM

BARS = {"4x4": 75.0, "5x5": 180.0}
"""Seconds to build the best databases of a size on two cores."""


def seconds_of(call: Callable[[], object]) -> float:
    """Wall seconds of a call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def measured(size: Size, bar: float) -> list[Figure]:
    """Build the best databases of a size from nothing, map them, verify them."""
    partition = partitions_for(size)[0]
    name = f"{size} {partition.name}"
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        wall, processor, memory = _built(partition, folder)
        path = path_of(partition, folder)
        path.with_name(f"{path.name}.checked").unlink()
        mapping = seconds_of(lambda: open_or_build(partition, folder))
        entries = open_or_build(partition, folder).entries
        verifying = seconds_of(lambda: verify(partition, entries))
        on_disk = path.stat().st_size
    return [
        Figure(f"{name}: build and store, two cores", wall, "s", bar),
        Figure(f"{name}: the same in processor time", processor, "s"),
        Figure(f"{name}: most memory while it is built", memory / 1e6, "MB", 3000),
        Figure(f"{name}: map it again and check its sum", mapping, "s"),
        Figure(f"{name}: verify every entry", verifying, "s"),
        Figure(f"{name}: size on disk", on_disk / 1e6, "MB"),
    ]


def _built(partition: Partition, folder: Path) -> tuple[float, float, float]:
    """Build as the command does: wall seconds, processor seconds, bytes of memory."""
    name = partition.title.replace(" ", "-")
    command = [sys.executable, "-c", PROGRAM, "pdb", "build", name, "--databases", str(folder)]
    began = time.perf_counter()
    with subprocess.Popen(command) as program:
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode != 0:
        raise ValueError(f"{name} was not built")
    wall = time.perf_counter() - began
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", choices=BARS, default=list(BARS))
    options = parser.parse_args()
    # The first build of any kind compiles the kernels, those of ranked placements and of others.
    tiny = (1,), (2,), (3,)
    compiling = seconds_of(
        lambda: [build(Partition("1-1-1", Size(2, 2), tiny, ranked)) for ranked in (False, True)]
    )
    figures = [Figure("compile or load the builder", compiling, "s")]
    for words in options.sizes:
        width, _, height = words.partition("x")
        figures += measured(Size(int(width), int(height)), BARS[words])
    record("pattern_databases", figures)


if __name__ == "__main__":
    main()
