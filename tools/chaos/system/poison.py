"""Boards that kill the worker that is working on them, as a crash of a kernel would.

The faults write the boards to a file, which workers read before each unit of work.
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
"""The work during which workers are killed: the initial search, or each later slice."""


def add_board(file: Path, kind: str, side: int, tiles: tuple[int, ...]) -> None:
    form = canonicalize(Board(tiles, side, side), blank_last(Size(side, side)))
    with file.open("a", encoding="ascii") as lines:
        lines.write(_format_line(kind, form.board) + "\n")


def arm(file: Path) -> None:
    """Make this process kill itself when it works on a board in the file."""
    LocalSolver.__init__ = _wrap_init(LocalSolver.__init__, file)  # type: ignore[method-assign]
    LocalSolver.search = _wrap(LocalSolver.search, file, "search")  # type: ignore[method-assign]


def _wrap_init(init: Callable[..., None], file: Path) -> Callable[..., None]:
    def wrapped(self: Any, *arguments: Any) -> None:
        init(self, *arguments)
        solve = self.solve
        wrapped_solve = _wrap(lambda _, *rest, **options: solve(*rest, **options), file, "open")
        self.solve = lambda *rest, **options: wrapped_solve(self, *rest, **options)

    return wrapped


def _wrap(work: Callable[..., Any], file: Path, kind: str) -> Callable[..., Any]:
    def wrapped(solver: Any, board: Board, *rest: Any, **options: Any) -> Any:
        if file.exists() and _format_line(kind, board) in file.read_text("ascii").split("\n"):
            os.kill(os.getpid(), signal.SIGKILL)
        return work(solver, board, *rest, **options)

    return wrapped


def _format_line(kind: str, board: Board) -> str:
    return f"{kind} {pack_board(board).hex()}"
