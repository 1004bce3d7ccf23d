from itertools import pairwise

from tests.support.cli.runner import Run

BOARD = "0 1 3 4 2 5 7 8 6"
HARDEST = "8 6 7 2 5 4 3 0 1"


def test_trace_as_json(tilework: Run) -> None:
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


def test_trace_as_text(tilework: Run) -> None:
    out = tilework("lab trace 4x3: 1 2 3 4 5 6 7 8 9 10 0 11 --method breadth-first").out
    assert out.startswith("step 1   node 0, the start   g 0\n   1  2  3  4\n   5  6  7  8\n")
    out = tilework("lab trace", BOARD, "--first 1 --last 1").out
    assert "\n  L  node 2   g 1  h 3  f 4   new   of the solution\n  frontier: 2   next:" in out
    assert "\n  R  node 12   g 4   duplicate\n  frontier: 6   next: nodes 11 10 8 7 5 1\n" in out
    document = tilework("lab trace", HARDEST, "--first 2 --last 2 --every 2000 --json").json
    last, numbers = document["expanded"], [step["number"] for step in document["steps"]]
    assert numbers == [1, 2, *range(2000, last - 1, 2000), last - 1, last]


def test_trace_of_a_search_stopped_by_a_limit(tilework: Run) -> None:
    result = tilework("lab trace", HARDEST, "--node-limit 100 --first 3 --last 0")
    assert result.code == 1
    assert result.out.count("\nstep ") == 2
    assert "steps not shown ..." in result.out
    assert result.err.startswith("The limit of 100 nodes was reached. No solution: ")


def test_unsolvable_boards_are_searched_only_if_requested(tilework: Run) -> None:
    unsolvable = "1 2 3 4 0 5 --goal 2,1,3,4,0,5 --width 3 --method breadth-first --first 1"
    assert tilework("lab trace", unsolvable).code == 1
    result = tilework("lab trace", unsolvable, "--exhaust")
    assert result.code == 1
    assert "cannot reach its goal" in result.err
    assert "360 visited" in result.err


def test_invalid_options_are_rejected(tilework: Run) -> None:
    for options, message in (
        ("--time-limit -1", "invalid --time-limit -1.0; use more than 0"),
        ("--last 2001", "--last: invalid value 2001; use a number of at most 2000"),
        ("--every -1", "--every: invalid value -1; use a number of at least 0"),
    ):
        result = tilework("lab trace", BOARD, options)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
