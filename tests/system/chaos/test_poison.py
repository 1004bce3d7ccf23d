"""Poisoned boards kill the process that works on them, and no others do."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from chaos.load.boards import Puzzle
from chaos.system import poison
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.farm.local_solver import LocalSolver

# Its mirror image is the same puzzle, so the same work.
PUZZLE = Puzzle(3, (1, 2, 3, 4, 5, 6, 0, 7, 8))
GOAL = blank_last(Size(3, 3))


class KilledError(Exception):
    pass


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of an armed process, for which being killed is an exception."""

    def kill(pid: int, number: int) -> None:
        assert (pid, number) == (os.getpid(), signal.SIGKILL)
        raise KilledError

    monkeypatch.setattr(LocalSolver, "__init__", LocalSolver.__init__)
    monkeypatch.setattr(LocalSolver, "search", LocalSolver.search)
    poison.arm(tmp_path / "poison")
    monkeypatch.setattr(os, "kill", kill)
    return tmp_path / "poison"


def work(kind: str, puzzle: Puzzle, folder: Path) -> None:
    solver = LocalSolver(folder)
    form = canonicalize(Board(puzzle.tiles, 3, 3), GOAL)
    if kind == "open":
        assert solver.solve(form.board, form.goal).optimal
    else:
        cursor = solver.root().cursor
        solver.search(form.board, form.goal, 2, cursor, nodes=10, cancelled=lambda: False)


@pytest.mark.parametrize("kind", poison.KINDS)
def test_only_what_is_poisoned_kills_and_only_there(kind: str, file: Path, tmp_path: Path) -> None:
    [other] = set(poison.KINDS) - {kind}
    work(kind, PUZZLE, tmp_path)
    poison.poison(file, kind, 3, PUZZLE.tiles)
    for killing in (PUZZLE, PUZZLE.mirrored()):
        with pytest.raises(KilledError):
            work(kind, killing, tmp_path)
    work(other, PUZZLE, tmp_path)
    work(kind, Puzzle(3, (1, 2, 3, 4, 5, 6, 7, 0, 8)), tmp_path)
