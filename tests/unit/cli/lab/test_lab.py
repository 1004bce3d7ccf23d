from itertools import pairwise

from tests.support.cli.runner import Run

BOARD = "0 1 3 4 2 5 7 8 6"
HARDEST = "8 6 7 2 5 4 3 0 1"


def test_the_solution(tilework: Run) -> None:
    result = tilework("lab run", BOARD, "--format tiles")
    assert (result.code, result.out) == (0, "1 2 5 6\n")
    assert result.err.startswith("4 moves, optimal: 5 visited, 12 generated, ")
    promised = tilework("lab run", BOARD, "--format text")
    assert promised.out.startswith("Minimum number of moves = 4\n")
    greedy = tilework("lab run", BOARD, "--format text --method greedy")
    assert greedy.out.startswith("Number of moves = 4\n")
    assert greedy.err.startswith("4 moves, possibly not optimal: ")


def test_solution_and_statistics_as_json(tilework: Run) -> None:
    result = tilework("lab run 1 2 3 4 5 6 X 7 8 --method a-star-replace --json")
    answer = result.json
    assert (result.code, result.err) == (0, "")
    assert (answer["visited"], answer["max_frontier"], answer["length"]) == (3, 3, 2)
    assert (answer["moves"], answer["method"]) == ("LL", "a-star-replace:manhattan")
    assert answer["board"] == [1, 2, 3, 4, 5, 6, 0, 7, 8]


def test_the_steps_of_a_search_as_json(tilework: Run) -> None:
    document = tilework("lab trace", BOARD, "--json").json
    assert (document["method"], document["length"]) == ("a-star:manhattan", 4)
    assert document["expanded"] == document["statistics"]["expanded"] == 4
    assert (document["first"], document["last"], document["every"]) == (20, 5, 0)
    assert [step["number"] for step in document["steps"]] == [1, 2, 3, 4]
    assert all(step["f"] == step["g"] + step["h"] for step in document["steps"])
    steps = {step["node"]: step for step in document["steps"]}
    moves = ""
    for node, child in pairwise(document["path"]):
        (created,) = (step for step in steps[node]["children"] if step["node"] == child)
        moves += created["move"]
    assert moves == "LULU"


def test_trace_keeps_the_steps_before_a_limit(tilework: Run) -> None:
    result = tilework("lab trace", HARDEST, "--node-limit 100 --first 3 --last 0")
    assert result.code == 1
    assert result.out.count("\nstep ") == 2
    assert "steps not shown ..." in result.out
    assert result.err.startswith("no solution: The limit of 100 nodes was reached. ")
