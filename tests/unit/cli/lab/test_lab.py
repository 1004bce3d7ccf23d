from itertools import pairwise

from tests.support.cli.runner import Run

BOARD = "0 1 3 4 2 5 7 8 6"
HARDEST = "8 6 7 2 5 4 3 0 1"


def test_solution_formats_and_summary(tilework: Run) -> None:
    result = tilework("lab run", BOARD, "--format tiles")
    assert (result.code, result.out) == (0, "1 2 5 6\n")
    assert result.err.startswith("4 moves, optimal: 5 visited, 12 generated, ")
    optimal = tilework("lab run", BOARD, "--format text")
    assert optimal.out.startswith("Minimum number of moves = 4\n")
    greedy = tilework("lab run", BOARD, "--format text --method greedy")
    assert greedy.out.startswith("Number of moves = 4\n")
    assert greedy.err.startswith("4 moves, not necessarily optimal: ")


def test_solution_and_statistics_as_json(tilework: Run) -> None:
    result = tilework("lab run 1 2 3 4 5 6 X 7 8 --method a-star-replace --json")
    document = result.json
    assert (result.code, result.err) == (0, "")
    assert (document["visited"], document["max_frontier"], document["length"]) == (3, 3, 2)
    assert (document["moves"], document["method"]) == ("LL", "a-star-replace:manhattan")
    assert document["board"] == [1, 2, 3, 4, 5, 6, 0, 7, 8]


def test_boards_without_a_solution(tilework: Run) -> None:
    stopped = tilework("lab run", HARDEST, "--node-limit 1000 --json")
    assert (stopped.code, stopped.json["stopped_by"], stopped.json["moves"]) == (1, "nodes", None)
    solved = tilework("lab run 0")
    assert (solved.code, solved.out) == (0, "\n")
    assert tilework("lab run 1 2 3 4 5 6 8 7 0").code == 1


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


def test_invalid_options_are_rejected(tilework: Run) -> None:
    for command, options, message in (
        ("run", "--method breadth-first:zero", "breadth-first uses no heuristic; omit 'zero'"),
        ("run", "--json --format tiles", "--json writes the moves as letters; omit --format tiles"),
        ("run", "--time-limit -1", "invalid --time-limit -1.0; use more than 0"),
        ("trace", "--last 2001", "--last: invalid value 2001; use a number of at most 2000"),
        ("trace", "--every -1", "--every: invalid value -1; use a number of at least 0"),
    ):
        result = tilework("lab", command, BOARD, options)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
