"""Compiles every kernel that is not compiled yet, on all processors.

It runs before the tests, whose processes would wait for each other, and when the image is built.
"""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

from tilework.core.solver.kernel_sets import KERNEL_SETS, compile_kernel_set


def main() -> None:
    processes = os.cpu_count() or 1
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        for future in [pool.submit(_compile_all) for _ in range(processes)]:
            future.result()


def _compile_all() -> None:
    for kernel_set in KERNEL_SETS:
        compile_kernel_set(kernel_set)


if __name__ == "__main__":
    main()
