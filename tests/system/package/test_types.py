"""A program of somebody who has installed the wheel, seen by a strict type checker."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.system.package.installed import Installed, run

PROGRAM = """
import tilework
from tilework import Board, Client, Goal, Job, Run, Solution, Solver, compare, scramble, solve

version: str = tilework.__version__
number: int = tilework.__version__  # type: ignore[assignment]

board: Board = Board.from_text("0 1 3 / 4 2 5 / 7 8 6")
twins: list[Board] = [one.twin() for one in board.neighbors()]
found: Solution = solve(board, Goal.BLANK_LAST, target=0.1)
boards: list[Board] | None = Solver(board).solution()
least: int = Solver(board).moves()
runs: list[Run] = compare(board, ["breadth-first"])
board.size = board.size  # type: ignore[misc]
solve(None)  # type: ignore[arg-type]


def show(job: Job) -> None:
    print(job.state, job.upper_bound)


with Client("http://127.0.0.1:8000") as client:
    job: Job = client.submit(scramble(3)).wait(progress=show)
    states: dict[str, int] = client.submit_all([board]).wait().states
"""


def test_a_users_program_is_clean(installed: Installed, tmp_path: Path) -> None:
    # An ignored line without an error is one itself: so the types are seen, not taken as Any.
    (tmp_path / "program.py").write_text(PROGRAM)
    options = ["--strict", "--python-executable", str(installed.programs / "python")]
    said = run([sys.executable, "-m", "mypy", *options, "program.py"], tmp_path)
    assert said == "Success: no issues found in 1 source file\n"
