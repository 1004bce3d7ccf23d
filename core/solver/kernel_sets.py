"""Sets of kernels, in the order in which they are compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from tilework.core.compiling import Kernel
from tilework.core.puzzle.board import Size


@dataclass(frozen=True, slots=True)
class KernelSet:
    modules: tuple[str, ...]  # with the kernels, below ``tilework.core``
    cells: int | None  # largest board that only needs the sets up to this one; None for any
    databases: Size | None  # board size whose quickly built pattern databases belong to the set
    seconds: float  # approximate processor time to compile and build it

    def kernels(self) -> Iterator[Kernel]:
        for name in self.modules:
            module = import_module(f"tilework.core.{name}")
            for value in vars(module).values():
                if isinstance(value, Kernel) and value.py_func.__module__ == module.__name__:
                    yield value


_K: Final = "solver.kernels"

EIGHT_PUZZLE: Final = KernelSet((f"{_K}.line_conflicts", f"{_K}.a_star"), 9, None, 2.0)
FIFTEEN_PUZZLE: Final = KernelSet(
    (
        f"{_K}.depth_first.digits",
        f"{_K}.pattern_databases",
        f"{_K}.move_words",
        f"{_K}.depth_first.search",
    ),
    16,
    Size(4, 4),
    8.0,
)
LARGE_BOARDS: Final = KernelSet(
    (
        f"{_K}.constructive",
        f"{_K}.learned_beam",
        f"{_K}.path_tree",
        f"{_K}.tile_groups",
        f"{_K}.minimum_cover",
        f"{_K}.potential",
        f"{_K}.nearby",
    ),
    None,
    None,
    13.0,
)
TWENTY_FOUR_PUZZLE: Final = KernelSet(
    (f"{_K}.beam", f"{_K}.depth_first.lines"), None, Size(5, 5), 9.0
)
RARELY_USED: Final = KernelSet(
    (
        f"{_K}.staged_beam",
        f"{_K}.sweeps",
        f"{_K}.depth_first.ranked",
        f"{_K}.depth_first.distances",
        "puzzle.board_kernel",
        f"{_K}.shortest_paths",
        f"{_K}.slides",
    ),
    None,
    None,
    14.0,
)

KERNEL_SETS: Final = (EIGHT_PUZZLE, FIFTEEN_PUZZLE, LARGE_BOARDS, TWENTY_FOUR_PUZZLE, RARELY_USED)


def compile_kernel_set(kernel_set: KernelSet, should_stop: Callable[[], bool] = bool) -> None:
    """Compile the kernels of a set, last those that another process is compiling."""
    locked_kernels = []
    for kernel in kernel_set.kernels():
        if should_stop():
            return
        if not kernel.prepare(wait=False):
            locked_kernels.append(kernel)
    for kernel in locked_kernels:
        if should_stop():
            return
        kernel.prepare()
