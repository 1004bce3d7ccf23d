"""Boards that kill whoever works on them, as a fault of a kernel or too little memory would.

The file that names them is written by the faults and read by workers before each piece of work.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import pack_board
from tilework.core.services.farm.local_solver import LocalSolver

FILE: Final = "CHAOS_POISON"
"""The variable that tells workers where the file is."""

KINDS: Final = ("open", "search")
"""An opening dies, or, later, each slice of the search."""


def poison(file: Path, kind: str, side: int, tiles: tuple[int, ...]) -> None:
    """Have a board kill from now on."""
    form = canonicalize(Board(tiles, side, side), blank_last(Size(side, side)))
    with file.open("a", encoding="ascii") as lines:
        lines.write(_name(kind, form.board) + "\n")


def arm(file: Path) -> None:
    """Have this process die of the boards of a file."""
    LocalSolver.__init__ = _deadly_init(LocalSolver.__init__, file)  # type: ignore[method-assign]
    LocalSolver.search = _deadly(LocalSolver.search, file, "search")  # type: ignore[method-assign]


def _deadly_init(init: Callable[..., None], file: Path) -> Callable[..., None]:
    def wrapped(self: Any, *arguments: Any) -> None:
        init(self, *arguments)
        opening = self.solve
        deadly = _deadly(lambda _, *rest, **options: opening(*rest, **options), file, "open")
        self.solve = lambda *rest, **options: deadly(self, *rest, **options)

    return wrapped


def _deadly(work: Callable[..., Any], file: Path, kind: str) -> Callable[..., Any]:
    def wrapped(solver: Any, board: Board, *rest: Any, **options: Any) -> Any:
        if file.exists() and _name(kind, board) in file.read_text("ascii").split("\n"):
            os.kill(os.getpid(), signal.SIGKILL)
        return work(solver, board, *rest, **options)

    return wrapped


def _name(kind: str, board: Board) -> str:
    return f"{kind} {pack_board(board).hex()}"
