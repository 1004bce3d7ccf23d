"""``tilework lab list`` and ``tilework lab run``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.cli.terminal import Terminal
from tilework.core.lab.names import LabAlgorithm, LabHeuristic

Run = Callable[..., Any]

BOARD = "0 1 3 4 2 5 7 8 6"
HARDEST = "8 6 7 2 5 4 3 0 1"
# Korf's 100th, 53 moves: minutes without an estimate.
FAR = "11 4 0 8 6 10 5 13 12 7 14 3 1 2 9 15"


def test_what_there_is_and_what_it_promises(tilework: Run) -> None:
    algorithms, heuristics = tilework("lab list").out.split("\n\n")
    assert algorithms.splitlines()[0] == "algorithm\tcomplete\toptimal\ttakes"
    assert heuristics.splitlines()[0] == "heuristic\ttitle\tadmissible\tconsistent"
    for row in (
        "breadth-first\tyes\tyes\t",
        "depth-first-recursive\tno\tno\t",
        "a-star\tyes\tif admissible\theuristic",
        "a-star-closed\tyes\tif consistent\theuristic",
        "weighted-a-star\tyes\tno\theuristic, weight",
        "beam\tno\tno\theuristic, width",
    ):
        assert row in algorithms.splitlines()
    for row in ("manhattan\tManhattan\tyes\tyes", "sum\tSum of Hamming and Manhattan\tno\tno"):
        assert row in heuristics.splitlines()


def test_the_same_as_json(tilework: Run) -> None:
    listed = tilework("lab list --json").json
    assert [one["name"] for one in listed["algorithms"]] == list(LabAlgorithm)
    assert [one["name"] for one in listed["heuristics"]] == list(LabHeuristic)
    assert listed["algorithms"][16] == {
        "name": "weighted-a-star",
        "title": "Weighted A*",
        "informed": True,
        "complete": True,
        "optimal": "never",
        "parameter": "weight",
    }
    assert len(listed["default_methods"]) == 10


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("", "LULU"),
        ("--by blank", "RDRD"),
        ("--format tiles", "1 2 5 6"),
        ("--format runs", "LULU"),
    ],
)
def test_the_solution(tilework: Run, options: str, said: str) -> None:
    done = tilework("lab run", BOARD, *filter(None, [options]))
    assert (done.code, done.out) == (0, said + "\n")
    assert done.err.startswith("4 moves, a shortest solution: 5 visited, 12 generated, ")


def test_only_a_promise_makes_a_minimum(tilework: Run) -> None:
    promised = tilework("lab run", BOARD, "--format text")
    assert promised.out.startswith("Minimum number of moves = 4\n")
    found = tilework("lab run", BOARD, "--format text --method greedy")
    assert found.out.startswith("Number of moves = 4\n")
    assert found.err.startswith("4 moves, perhaps not a shortest solution: ")


@pytest.mark.parametrize(
    ("board", "heuristic", "visited", "frontier", "steps"),
    [
        ("1 2 3 4 5 6 7 X 8", "h2", 2, 3, 1),
        ("1 2 3 4 5 X 6 7 8", "h1", 165, 105, 13),
        ("1 2 3 4 5 X 6 7 8", "h3", 102, 64, 13),
    ],
)
def test_the_published_figures_as_they_were_printed(
    tilework: Run, board: str, heuristic: str, visited: int, frontier: int, steps: int
) -> None:
    method = f"--method a-star-replace:{heuristic}"
    done = tilework("lab run", board, method, "--format eightpuzzle")
    assert done.out.endswith(
        f"|7 8 X|\n\n## Número de nodos visitados: {visited}\n"
        f"## Maior quantidade de nodos na fronteira: {frontier}\n"
        f"## Número de passos: {steps}\n## Heurística utilizada: {heuristic}\n"
    )


def test_the_order_in_which_the_blank_is_moved(tilework: Run) -> None:
    for method in ("backtracking", "depth-first-recursive", "breadth-first"):
        done = tilework("lab run 3 2 0 1", "--goal", "[[0,1],[2,3]]", "--by blank --method", method)
        assert done.out == "URDLU\n"


def test_solution_and_statistics_as_json(tilework: Run) -> None:
    done = tilework("lab run 1 2 3 4 5 6 X 7 8 --method a-star-replace --json")
    answer = done.json
    assert (done.code, done.err) == (0, "")
    assert (answer["visited"], answer["max_frontier"], answer["length"]) == (3, 3, 2)
    assert (answer["moves"], answer["method"]) == ("LL", "a-star-replace:manhattan")
    assert answer["board"] == [1, 2, 3, 4, 5, 6, 0, 7, 8]
    assert answer["goal"] == [1, 2, 3, 4, 5, 6, 7, 8, 0]


def test_a_limit_is_told(tilework: Run) -> None:
    done = tilework("lab run", HARDEST, "--node-limit 1000")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("no solution: The limit of 1000 nodes was reached. ")
    answer = tilework("lab run", HARDEST, "--node-limit 1000 --json")
    assert answer.code == 1
    assert (answer.json["stopped_by"], answer.json["moves"]) == ("nodes", None)


def test_a_solved_board(tilework: Run) -> None:
    done = tilework("lab run 0")
    assert (done.code, done.out) == (0, "\n")
    assert done.err.startswith("0 moves, already solved: 1 visited, 0 generated, ")


def test_an_unsolvable_board(tilework: Run) -> None:
    done = tilework("lab run 1 2 3 4 5 6 8 7 0")
    assert (done.code, done.out) == (1, "")
    assert "Inversions (pairs of tiles in the other order than in the goal): 1." in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--method breadth-first:zero", "breadth-first uses no heuristic; leave out 'zero'"),
        ("--method beam:manhattan:2.5", "invalid width 2.5"),
        ("--json --format tiles", "--json writes the moves as letters; leave out --format tiles"),
        ("--time-limit -1", "invalid time limit -1.0 s; give more than 0"),
    ],
)
def test_what_is_refused(tilework: Run, options: str, said: str) -> None:
    done = tilework("lab run", BOARD, options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_ctrl_c_ends_a_run(terminal: Callable[..., Terminal]) -> None:
    running = terminal(
        "lab", "run", FAR, "--goal", "blank-first", "--method", "breadth-first",
        "--node-limit", "1000000000", "--memory-limit", "64000", "--time-limit", "600",
    )  # fmt: skip
    running.read_until("breadth-first   0:00:01")
    running.interrupt()
    screen, code = running.rest()
    assert code == 130
    assert "no solution: The run was cancelled. " in screen
