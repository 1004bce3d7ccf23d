from itertools import pairwise

from tests.support.cli.runner import Run
from tilework.core.lab.names import LabAlgorithm, LabHeuristic

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


def test_list_of_algorithms_and_heuristics(tilework: Run) -> None:
    algorithms, heuristics = tilework("lab list").out.split("\n\n")
    for row in (
        "algorithm\tcomplete\toptimal\ttakes",
        "breadth-first\tyes\tyes\t",
        "a-star\tyes\tif admissible\theuristic",
        "a-star-closed\tyes\tif consistent\theuristic",
        "beam\tno\tno\theuristic, width",
    ):
        assert row in algorithms.splitlines()
    for row in ("manhattan\tManhattan\tyes\tyes", "sum\tSum of Hamming and Manhattan\tno\tno"):
        assert row in heuristics.splitlines()
    listed = tilework("lab list --json").json
    assert [algorithm["name"] for algorithm in listed["algorithms"]] == list(LabAlgorithm)
    assert [heuristic["name"] for heuristic in listed["heuristics"]] == list(LabHeuristic)
    assert len(listed["default_methods"]) == 10


def test_the_solution(tilework: Run) -> None:
    done = tilework("lab run", BOARD, "--format tiles")
    assert (done.code, done.out) == (0, "1 2 5 6\n")
    assert done.err.startswith("4 moves, optimal: 5 visited, 12 generated, ")
    promised = tilework("lab run", BOARD, "--format text")
    assert promised.out.startswith("Minimum number of moves = 4\n")
    found = tilework("lab run", BOARD, "--format text --method greedy")
    assert found.out.startswith("Number of moves = 4\n")
    assert found.err.startswith("4 moves, possibly not optimal: ")


def test_solution_and_statistics_as_json(tilework: Run) -> None:
    done = tilework("lab run 1 2 3 4 5 6 X 7 8 --method a-star-replace --json")
    answer = done.json
    assert (done.code, done.err) == (0, "")
    assert (answer["visited"], answer["max_frontier"], answer["length"]) == (3, 3, 2)
    assert (answer["moves"], answer["method"]) == ("LL", "a-star-replace:manhattan")
    assert answer["board"] == [1, 2, 3, 4, 5, 6, 0, 7, 8]


def test_boards_without_a_solution(tilework: Run) -> None:
    answer = tilework("lab run", HARDEST, "--node-limit 1000 --json")
    assert answer.code == 1
    assert (answer.json["stopped_by"], answer.json["moves"]) == ("nodes", None)
    done = tilework("lab run 0")
    assert (done.code, done.out) == (0, "\n")
    assert done.err.startswith("Already solved: 1 visited, 0 generated, ")
    assert tilework("lab run 1 2 3 4 5 6 8 7 0").code == 1


def test_the_steps_of_a_search_as_text(tilework: Run) -> None:
    done = tilework("lab trace", BOARD, "--first 1 --last 1")
    assert (done.code, done.out) == (0, TEXT)
    assert done.err.startswith("4 moves, optimal: ")


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


def test_the_steps_of_other_searches(tilework: Run) -> None:
    out = tilework("lab trace 4x3: 1 2 3 4 5 6 7 8 9 10 0 11 --method breadth-first").out
    assert "\n   1  2  3  4\n   5  6  7  8\n   9 10  0 11\n" in out
    assert out.startswith("step 1   node 0, the start   g 0\n")
    out = tilework("lab trace", BOARD, "--method bidirectional").out
    assert "\nstep 2   node -1, the goal   g 0   backward\n" in out
    document = tilework("lab trace", HARDEST, "--first 2 --last 2 --every 2000 --json").json
    last = document["expanded"]
    numbers = [1, 2, *range(2000, last - 1, 2000), last - 1, last]
    assert [step["number"] for step in document["steps"]] == numbers


def test_trace_keeps_the_steps_before_a_limit(tilework: Run) -> None:
    done = tilework("lab trace", HARDEST, "--node-limit 100 --first 3 --last 0")
    assert done.code == 1
    assert done.out.count("\nstep ") == 2
    assert "steps not shown ..." in done.out
    assert done.err.startswith("no solution: The limit of 100 nodes was reached. ")


def test_refused_options(tilework: Run) -> None:
    for options, message in (
        ("--method breadth-first:zero", "breadth-first uses no heuristic; omit 'zero'"),
        ("--method beam:manhattan:2.5", "invalid width 2.5"),
        ("--json --format tiles", "--json writes the moves as letters; omit --format tiles"),
        ("--time-limit -1", "invalid time limit -1.0 s; give more than 0"),
        ("--last 2001", "the trace cannot record 2001 expansions at either end; give 0 to 2000"),
        ("--every -1", "invalid trace interval -1; give 1 or more, or 0 for none"),
    ):
        of_trace = options.split(maxsplit=1)[0] in ("--last", "--every")
        done = tilework("lab", "trace" if of_trace else "run", BOARD, options)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
