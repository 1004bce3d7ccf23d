"""``tilework solve`` for one board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

Run = Callable[..., Any]

BOARD = "0 1 3 4 2 5 7 8 6"
UNSOLVABLE = "1 2 3 4 5 6 8 7 0"


@pytest.mark.parametrize(
    ("output", "expected"),
    [("udlr", "LULU"), ("runs", "LULU"), ("tiles", "1 2 5 6")],
)
def test_the_solution_on_one_line(tilework: Run, output: str, expected: str) -> None:
    done = tilework("solve", BOARD, "--format", output)
    assert (done.code, done.out, done.err) == (0, expected + "\n", "")


def test_princeton_text(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--format", "text")
    assert done.out.startswith("Minimum number of moves = 4\n\n3\n")
    assert done.out.endswith(" 1  2  3\n 4  5  6\n 7  8  0\n")
    assert len(done.out.split("\n\n")) == 6


def test_arrows(tilework: Run) -> None:
    done = tilework("solve", "1 2 3 4 5 6 7 0 8", "--format", "arrows")
    boards = "|1 2 3|\n|4 5 6|\n|7 0 8|", "|1 2 3|\n|4 5 6|\n|7 8 0|"
    assert [part.strip() for part in done.out.split("v")] == list(boards)


def test_json(tilework: Run) -> None:
    answer = tilework("solve", BOARD, "--format", "json").json
    assert answer["moves"] == "LULU"
    assert answer["length"] == answer["lower_bound"] == 4
    assert answer["optimal"] is True


def test_moves_by_the_way_of_the_blank(tilework: Run) -> None:
    assert tilework("solve", BOARD, "--by", "blank").out == "RDRD\n"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the board is already solved: 0 moves\n"),
        ("pt", "o tabuleiro já está resolvido: 0 movimentos\n"),
    ],
)
def test_a_solved_board_is_said_to_be_solved(tilework: Run, language: str, said: str) -> None:
    done = tilework("solve", "1 2 3 4 5 6 7 8 0", "--lang", language)
    assert (done.code, done.out, done.err) == (0, "\n", said)


def test_portuguese(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--lang", "pt", "--format", "text")
    assert done.out.startswith("Mínimo número de movimentos = 4\n")


@pytest.mark.parametrize(
    ("board", "goal", "expected"),
    [
        ("1 0 2 3 4 5 6 7 8", "blank-first", "R"),
        ("1 2 3 8 4 0 7 6 5", "spiral", "R"),
        ("1 2 3 8 4 0 7 6 5", "snail", "R"),
        ("1 2 3 4 5 6 7 0 8", "[[1,2,3],[4,0,6],[7,5,8]]", "D"),
    ],
)
def test_goals(tilework: Run, board: str, goal: str, expected: str) -> None:
    done = tilework("solve", board, "--goal", goal)
    assert done.out == expected + "\n"


def test_a_goal_of_another_size(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--goal", "1,2,3,0")
    assert done.code == 2
    assert done.err.startswith("tilework: --goal: ")


def test_an_unknown_goal(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--goal", "corner")
    assert done.code == 2
    assert "unknown goal 'corner'; goals are blank-last, blank-first, spiral" in done.err


def test_an_already_solved_board(tilework: Run) -> None:
    assert tilework("solve", "1 2 3 4 5 6 7 8 0").out == "\n"


@pytest.mark.parametrize("output", ["udlr", "text"])
def test_an_unsolvable_board(tilework: Run, output: str) -> None:
    done = tilework("solve", UNSOLVABLE, "--format", output)
    assert (done.code, done.out) == (1, "No solution possible\n")
    assert "odd" in done.err


def test_an_unsolvable_board_as_princetons_program_prints_it(tilework: Run) -> None:
    done = tilework("solve", UNSOLVABLE, "--format princeton")
    assert (done.code, done.out) == (1, "No solution possible\n3\n 1  2  3\n 4  5  6\n 8  7  0\n")


@pytest.mark.parametrize(
    ("options", "visited", "heuristic"),
    [("", 2, "h2"), ("--heuristic linear-conflict", 2, "linear-conflict"), ("--lang pt", 2, "h2")],
)
def test_what_the_brazilian_program_prints(
    tilework: Run, options: str, visited: int, heuristic: str
) -> None:
    done = tilework("solve", "1 2 3 4 5 6 7 X 8", "--format eightpuzzle", options)
    assert done.out == (
        "|1 2 3|\n|4 5 6|\n|7 X 8|\n   |\n   v\n|1 2 3|\n|4 5 6|\n|7 8 X|\n\n"
        f"## Número de nodos visitados: {visited}\n## Maior quantidade de nodos na fronteira: 3\n"
        f"## Número de passos: 1\n## Heurística utilizada: {heuristic}\n"
    )


def test_figures_that_a_search_does_not_have_are_left_out(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--format eightpuzzle --algorithm ida-star")
    assert done.out.endswith("|7 8 X|\n\n## Número de passos: 4\n")


def test_an_unsolvable_board_in_portuguese(tilework: Run) -> None:
    done = tilework("solve", UNSOLVABLE, "--lang", "pt")
    assert (done.code, done.out) == (1, "Puzzle irresolvível\n")
    assert "ímpar" in done.err


def test_an_unsolvable_board_as_json(tilework: Run) -> None:
    done = tilework("solve", UNSOLVABLE, "--format", "json")
    assert done.code == 1
    assert done.json["solvable"] is False
    assert "odd" in done.json["explanation"]


def test_the_target_gap_needs_a_gap(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--target", "gap")
    assert done.code == 2
    assert "--gap 0.1" in done.err


def test_a_gap_contradicts_another_target(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--target", "any", "--gap", "0.1")
    assert done.code == 2


@pytest.mark.parametrize("options", ["--target any", "--target gap --gap 0.5", "--gap 0.5"])
def test_other_targets(tilework: Run, options: str) -> None:
    done = tilework("solve", "8 6 7 2 5 4 3 0 1", options)
    assert done.code == 0
    assert len(done.out.strip()) >= 31


def test_no_answer_within_the_limit(tilework: Run) -> None:
    done = tilework("solve", "8 6 7 2 5 4 3 0 1", "--algorithm a-star --node-limit 10")
    assert (done.code, done.out) == (1, "")
    assert "no solution within the limit: the optimum has at least" in done.err


def test_a_bound_names_what_proves_it(tilework: Run) -> None:
    goal = blank_last(Size(8, 8))
    board = " ".join(map(str, scramble(goal.size, goal, 3).cells.tolist()))
    done = tilework("solve", board, "--algorithm constructive")
    assert done.code == 0
    assert "the optimum has at least 325 (tile groups)" in done.err
    done = tilework("solve", board, "--heuristic linear-conflict --algorithm constructive")
    assert "the optimum has at least 323 (linear conflict)" in done.err


def test_no_answer_within_the_limit_as_json(tilework: Run) -> None:
    done = tilework(
        "solve", "8 6 7 2 5 4 3 0 1", "--algorithm a-star --node-limit 10 --format json"
    )
    assert done.code == 1
    assert done.json["length"] is None
    assert done.json["optimal"] is False
    assert done.json["lower_bound"] > 0
