"""Simple boards are answered without loading libraries."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli.runner import Run
from tests.support.naive import apply_moves, distances, solved_tiles
from tilework.core.cli import commands
from tilework.core.solver.optimal.bidirectional import bidirectional_search


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_search_finds_shortest_solutions(width: int, height: int) -> None:
    goal = solved_tiles(width, height)
    optima = distances(goal, width)
    boards = [*optima]
    farthest = max(boards, key=optima.__getitem__)
    for board in [farthest, *random.Random(width).sample(boards, min(len(boards), 12))]:
        solution = bidirectional_search(board, goal, width, 10**6)
        assert solution is not None
        assert len(solution.letters) == optima[board]
        assert apply_moves(board, width, solution.letters) == goal


@pytest.mark.parametrize(
    ("words", "length"),
    [
        (["8 6 7 2 5 4 3 0 1"], 31),
        (["8 6 7 / 2 5 4 / 3 0 1"], 31),
        (["8", "6", "7", "2", "5", "4", "3", "0", "1"], 31),
        (["3 1 2\n0 4 5"], 16),
        (["1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"], 1),
    ],
)
def test_simple_boards_need_no_library(words: list[str], length: int) -> None:
    code = (
        "import sys\nfrom tilework.core.cli.main import main\n"
        "try:\n    main()\nfinally:\n"
        "    print({'numpy', 'numba', 'pydantic', 'typer'} & {*sys.modules})\n"
    )
    command = [sys.executable, "-c", code, "solve", *words]
    answer, libraries = subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert len(answer) == length
    assert libraries == "set()"


@pytest.mark.parametrize(
    "words",
    [
        "1 2 3 4 5 6 7 8 0",  # solved
        "1 2 3 4 5 6 8 7 0",  # unsolvable
        "1 2 3 4 5 6 7 8 8",
        "1 2 3 4 5 6 7 8",
        "1 2 3 / 4 5 6 7 / 8 0",
        "3 1 2 0 4 5",  # two or three columns
        "867254301",
        "15 2 1 12 8 5 6 11 4 9 10 7 3 13 14 0",  # far from its goal
        "1 2 3 4 5 6 7 0 8 --format arrows",
        "",
    ],
)
def test_other_calls_are_left_to_the_whole_program(
    tilework: Run, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    calls = []

    def run(words: list[str]) -> None:
        calls.append(words)
        sys.exit(0)

    monkeypatch.setattr(commands, "run", run)
    tilework("solve", words)
    assert calls == [["solve", *words.split(" ")]]


def test_a_file_named_like_a_board_is_read(
    tilework: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1230").write_text("1 2 3 4 5 6 7 0 8")
    assert tilework("solve", "1230").out == "L\n"
