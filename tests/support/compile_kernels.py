"""Compile every kernel that this machine has not compiled yet, on all processors.

``python -m tests.support.compile_kernels`` runs before the tests, whose lanes would otherwise
compile the same kernels side by side.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

CORE = Path(__file__).parents[2] / "core"


def main() -> None:
    # Long files first: they take longest, and none is to be left for the end.
    found = {*CORE.rglob("kernels/**/*.py"), *CORE.rglob("*_kernel.py")}
    sources = sorted(found, key=lambda path: -path.stat().st_size)
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        calls = [pool.submit(_load, _name(path)) for path in sources]
        # Kernels that declare no signature are compiled at their first call.
        calls += [pool.submit(_warm_up, name) for name in ("warm_up_beams", "warm_up")]
        for call in calls:
            call.result()


def _name(source: Path) -> str:
    parts = source.relative_to(CORE).with_suffix("").parts
    return ".".join(("tilework", "core", *parts)).removesuffix(".__init__")


def _load(name: str) -> None:
    import_module(name)


def _warm_up(name: str) -> None:
    solver = import_module("tilework.core.solver.solve")
    with tempfile.TemporaryDirectory() as folder:
        getattr(solver, name)(Path(folder))


if __name__ == "__main__":
    main()
