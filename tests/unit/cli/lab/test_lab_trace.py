"""``tilework lab trace``: the steps of a search, as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

Run = Callable[..., Any]

BOARD = "0 1 3 4 2 5 7 8 6"
HARDEST = "8 6 7 2 5 4 3 0 1"

TEXT = """\
step 1   node 0, the start   g 0  h 4  f 4
  0 1 3
  4 2 5
  7 8 6
  U  node 1   g 1  h 5  f 6   new
  L  node 2   g 1  h 3  f 4   new   of the solution
  frontier: 2   next: nodes 2 1

... 2 steps not shown ...

step 4   node 9, from node 3   g 3  h 1  f 4
  1 2 3
  4 5 0
  7 8 6
  D  node 10   g 4  h 2  f 6   new
  U  node 11   g 4  h 0  f 4   new   of the solution
  R  node 12   g 4   duplicate
  frontier: 6   next: nodes 11 10 8 7 5 1

"""


def manhattan(board: list[int]) -> int:
    return sum(
        abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
        for cell, tile in enumerate(board)
        if tile
    )


def test_the_steps_as_text(tilework: Run) -> None:
    done = tilework("lab trace", BOARD, "--first 1 --last 1")
    assert (done.code, done.out) == (0, TEXT)
    assert done.err.startswith("4 moves, a shortest solution: ")


def test_the_steps_as_json(tilework: Run) -> None:
    document = tilework("lab trace", BOARD, "--json").json
    assert (document["method"], document["length"]) == ("a-star:manhattan", 4)
    assert document["statistics"]["visited"] == 5
    assert document["expanded"] == document["statistics"]["expanded"] == 4
    assert (document["first"], document["last"], document["every"]) == (20, 5, 0)
    assert [step["number"] for step in document["steps"]] == [1, 2, 3, 4]
    for step in document["steps"]:
        assert step["h"] == manhattan(step["board"])
        assert step["f"] == step["g"] + step["h"]


def test_the_path_leads_from_step_to_step(tilework: Run) -> None:
    document = tilework("lab trace", BOARD, "--json").json
    steps = {step["node"]: step for step in document["steps"]}
    moves = ""
    for node, child in pairwise(document["path"]):
        (made,) = (one for one in steps[node]["children"] if one["node"] == child)
        moves += made["move"]
    assert moves == "LULU"


def test_first_last_and_every(tilework: Run) -> None:
    document = tilework("lab trace", HARDEST, "--first 2 --last 2 --every 2000 --json").json
    last = document["expanded"]
    assert [step["number"] for step in document["steps"]] == [
        1, 2, *range(2000, last - 1, 2000), last - 1, last,
    ]  # fmt: skip


def test_an_uninformed_search_on_a_rectangle(tilework: Run) -> None:
    out = tilework("lab trace 4x3: 1 2 3 4 5 6 7 8 9 10 0 11 --method breadth-first").out
    assert "\n   1  2  3  4\n   5  6  7  8\n   9 10  0 11\n" in out
    assert out.startswith("step 1   node 0, the start   g 0\n")
    assert "  D  node 1   g 1   new\n" in out


def test_a_search_from_both_ends_says_which(tilework: Run) -> None:
    heads = [
        line
        for line in tilework("lab trace", BOARD, "--method bidirectional").out.splitlines()
        if line.startswith("step")
    ]
    assert heads[0] == "step 1   node 0, the start   g 0"
    assert heads[1] == "step 2   node -1, the goal   g 0   backward"
    assert all("backward" in head for head in heads if "from node -1" in head)
    assert not any("backward" in head for head in heads if "from node 0" in head)


def test_a_limit_leaves_the_steps_made(tilework: Run) -> None:
    done = tilework("lab trace", HARDEST, "--node-limit 100 --first 3 --last 0")
    assert done.code == 1
    assert done.out.count("\nstep ") == 2
    assert "steps not shown ..." in done.out
    assert done.err.startswith("no solution: The limit of 100 nodes was reached. ")


def test_a_solved_board_has_no_steps(tilework: Run) -> None:
    document = tilework("lab trace 0 --json").json
    assert (document["steps"], document["path"]) == ([], [0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--first -1", "the trace cannot keep -1 expansions at either end; give 0 to 2000"),
        ("--last 2001", "the trace cannot keep 2001 expansions at either end; give 0 to 2000"),
        ("--every -1", "invalid trace interval -1; give 1 or more, or 0 for none"),
    ],
)
def test_what_is_refused(tilework: Run, options: str, said: str) -> None:
    done = tilework("lab trace", BOARD, options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
