"""Kernels in the order in which people wait for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from tilework.core.compiling import Kernel
from tilework.core.puzzle.board import Size


@dataclass(frozen=True, slots=True)
class Kit:
    modules: tuple[str, ...]  # the files of the kernels, below ``tilework.core``
    cells: int | None  # boards of up to so many need this kit and those before it; None for any
    databases: Size | None  # boards whose quick pattern databases belong to it
    seconds: float  # of processor time that it takes to compile and build, about

    def kernels(self) -> Iterator[Kernel]:
        for name in self.modules:
            module = import_module(f"tilework.core.{name}")
            for one in vars(module).values():
                if isinstance(one, Kernel) and one.py_func.__module__ == module.__name__:
                    yield one


_K: Final = "solver.kernels"

EIGHT_PUZZLE: Final = Kit((f"{_K}.line_conflicts", f"{_K}.a_star"), 9, None, 2.0)
FIFTEEN_PUZZLE: Final = Kit(
    (
        f"{_K}.depth_first.digits",
        f"{_K}.pdb_flood",
        f"{_K}.pdb_regions",
        f"{_K}.move_words",
        f"{_K}.depth_first.search",
    ),
    16,
    Size(4, 4),
    8.0,
)
LARGE_BOARDS: Final = Kit(
    (
        f"{_K}.constructive",
        f"{_K}.learned.beam",
        f"{_K}.groups.finding",
        f"{_K}.learned.potential",
        f"{_K}.groups.cover",
        f"{_K}.nearby",
    ),
    None,
    None,
    13.0,
)
TWENTY_FOUR_PUZZLE: Final = Kit((f"{_K}.beam", f"{_K}.depth_first.lines"), None, Size(5, 5), 9.0)
RARELY_USED: Final = Kit(
    (
        f"{_K}.sweeps.staged_beam",
        f"{_K}.sweeps.sweeping",
        f"{_K}.depth_first.ranked",
        "puzzle.board_kernel",
        "formats.digits_kernel",
        f"{_K}.shortest_paths",
        f"{_K}.slides",
        f"{_K}.distances",
    ),
    None,
    None,
    14.0,
)

ALL_KITS: Final = (EIGHT_PUZZLE, FIFTEEN_PUZZLE, LARGE_BOARDS, TWENTY_FOUR_PUZZLE, RARELY_USED)


def compile_kit(kit: Kit, should_stop: Callable[[], bool] = bool) -> None:
    others = []
    for one in kit.kernels():
        if should_stop():
            return
        if not one.prepare(patient=False):
            others.append(one)
    for one in others:
        if should_stop():
            return
        one.prepare()
