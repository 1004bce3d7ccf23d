"""Boards that kill the worker that works on them, as a crash of a kernel would.

The faults write the boards to a file, which workers read before each piece of work.
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
"""The environment variable with the path of the file."""

KINDS: Final = ("open", "search")
"""What is killed: the initial search, or each slice of the search after it."""


def add_board(file: Path, kind: str, side: int, tiles: tuple[int, ...]) -> None:
    form = canonicalize(Board(tiles, side, side), blank_last(Size(side, side)))
    with file.open("a", encoding="ascii") as lines:
        lines.write(_line(kind, form.board) + "\n")


def arm(file: Path) -> None:
    """Make this process kill itself when it works on a board of the file."""
    LocalSolver.__init__ = _wrap_init(LocalSolver.__init__, file)  # type: ignore[method-assign]
    LocalSolver.search = _wrap(LocalSolver.search, file, "search")  # type: ignore[method-assign]


def _wrap_init(init: Callable[..., None], file: Path) -> Callable[..., None]:
    def wrapped(self: Any, *arguments: Any) -> None:
        init(self, *arguments)
        solve = self.solve
        deadly = _wrap(lambda _, *more, **options: solve(*more, **options), file, "open")
        self.solve = lambda *more, **options: deadly(self, *more, **options)

    return wrapped


def _wrap(work: Callable[..., Any], file: Path, kind: str) -> Callable[..., Any]:
    def wrapped(solver: Any, board: Board, *more: Any, **options: Any) -> Any:
        if file.exists() and _line(kind, board) in file.read_text("ascii").split("\n"):
            os.kill(os.getpid(), signal.SIGKILL)
        return work(solver, board, *more, **options)

    return wrapped


def _line(kind: str, board: Board) -> str:
    return f"{kind} {pack_board(board).hex()}"
