"""Build, map and verify the databases of the 15-puzzle and the 24-puzzle.

A build is a complete `tilework pdb build` into an empty folder, with compiled kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.files import database_path, open_or_build
from tilework.core.solver.pdb.partitions import Partition, partitions_for
from tilework.core.solver.pdb.verify import verify
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import TILEWORK, measure_seconds, run_program, time_call

BARS = {4: 75.0, 5: 180.0}
"""Seconds to build the best databases on two cores, by side."""


def measure_side(side: int) -> Iterator[Figure]:
    """Build, map and verify the best databases of a size."""
    size = Size(side, side)
    partition = partitions_for(size)[0]
    name = f"{size} {partition.name}"
    with TemporaryDirectory() as folder_name:
        folder, title = Path(folder_name), partition.title.replace(" ", "-")
        result = run_program([TILEWORK, "pdb", "build", title, "--databases", folder_name])
        yield Figure(f"{name}: build and store, two cores", result.seconds, "s", BARS[side])
        yield Figure(f"{name}: the same in processor time", result.processor_s, "s")
        yield Figure(f"{name}: peak memory of the build", result.bytes / 1e6, "MB", 3_000)
        path = database_path(partition, folder)
        path.with_name(f"{path.name}.checked").unlink()
        database, mapping_s = time_call(partial(open_or_build, partition, folder))
        yield Figure(f"{name}: map it again and verify its checksum", mapping_s, "s")
        verification_s = measure_seconds(partial(verify, partition, database.entries))
        yield Figure(f"{name}: verify every entry", verification_s, "s")
        yield Figure(f"{name}: size on disk", path.stat().st_size / 1e6, "MB")


def measure(sides: Sequence[int]) -> Iterator[Figure]:
    # Compile the kernels for ranked and unranked placements.
    tiny = [Partition("1-1-1", Size(2, 2), ((1,), (2,), (3,)), ranked) for ranked in (False, True)]
    compilation_s = measure_seconds(lambda: [build(partition) for partition in tiny])
    yield Figure("compile or load the builder", compilation_s, "s")
    for side in sides:
        yield from measure_side(side)


if __name__ == "__main__":
    run("pattern_databases", __doc__, {"": lambda o: measure(o.sizes)}, sizes=tuple(BARS))
