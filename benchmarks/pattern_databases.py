"""Building, mapping and verifying the pattern databases of the 15-puzzle.

Usage: python -m benchmarks.pattern_databases
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import Figure, record
from core.pdb.build import build
from core.pdb.patterns import Partition, partition_for
from core.pdb.store import open_or_build
from core.pdb.verify import verify
from core.puzzle.board import Size


def seconds_of(call: Callable[[], object]) -> float:
    """Wall seconds of a call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def main() -> None:
    partition = partition_for(Size(4, 4))
    assert partition is not None
    # The first build of any kind compiles the kernel.
    compiling = seconds_of(lambda: build(Partition("1-1-1", Size(2, 2), ((1,), (2,), (3,)))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        processor = time.process_time()
        building = seconds_of(lambda: open_or_build(partition, folder))
        processor = time.process_time() - processor
        mapping = seconds_of(lambda: open_or_build(partition, folder))
        entries = open_or_build(partition, folder)
        verifying = seconds_of(lambda: verify(partition, entries))
    record(
        "pattern_databases",
        [
            Figure("compile or load the builder", compiling, "s"),
            Figure("build and store 6-6-3, two patterns at a time", building, "s", 5),
            Figure("the same in processor time of one core", processor, "s"),
            Figure("map it again and check its sum", mapping, "s"),
            Figure("verify every entry", verifying, "s"),
            Figure("size on disk", partition.length / 1e6, "MB"),
        ],
    )


if __name__ == "__main__":
    main()
