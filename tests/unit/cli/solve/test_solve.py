import json
from pathlib import Path

from tests.support import naive
from tests.support.cli.runner import Run
from tests.support.instances import KORF_24_1

BOARD = "0 1 3 4 2 5 7 8 6"
MEDIUM = "8 1 3 4 0 2 7 6 5"
FARTHEST = "8 6 7 2 5 4 3 0 1"
UNSOLVABLE = "1 2 3 4 5 6 8 7 0"


def test_solution_on_one_line(tilework: Run) -> None:
    for argument, expected_out, expected_err in (
        (BOARD, "LULU", ""),
        (f"{BOARD} --format runs", "LULU", ""),
        (f"{BOARD} --format tiles", "1 2 5 6", ""),
        (f"{BOARD} --by blank", "RDRD", ""),
        ("1 2 3 4 5 6 7 8 0", "", "the board is already solved: 0 moves\n"),
    ):
        result = tilework("solve", argument)
        assert (result.code, result.out, result.err) == (0, expected_out + "\n", expected_err)
    document = tilework("solve", BOARD, "--format", "json").json
    assert (document["moves"], document["optimal"]) == ("LULU", True)
    assert document["length"] == document["lower_bound"] == 4


def test_unsolvable_board(tilework: Run) -> None:
    for output, expected_out in {
        "udlr": "No solution possible\n",
        "text": "No solution possible\n",
        "princeton": "No solution possible\n3\n 1  2  3 \n 4  5  6 \n 8  7  0 \n",
    }.items():
        result = tilework("solve", UNSOLVABLE, "--format", output)
        assert (result.code, result.out) == (1, expected_out)
    assert "odd" in tilework("solve", UNSOLVABLE).err
    assert tilework("solve", UNSOLVABLE, "--format", "json").json["solvable"] is False


def test_output_of_the_brazilian_program(tilework: Run) -> None:
    result = tilework("solve", BOARD, "--format eightpuzzle --algorithm ida-star")
    assert result.out.endswith("|7 8 X|\n\n## Número de passos: 4\n")
    for board, options, *figures in (
        ("7 5 8 2 3 4 1 X 6", "", "4792", "2595", "27", "h2"),
        ("1 2 3 4 5 X 6 7 8", "--heuristic h3", "102", "64", "13", "h3"),
    ):
        output = tilework("solve", board, f"--format eightpuzzle-short {options}".strip()).out
        assert [line.split(": ")[1] for line in output.splitlines()] == figures


def test_limits(tilework: Run) -> None:
    result = tilework("solve", FARTHEST, "--algorithm a-star --node-limit 10")
    assert (result.code, result.out) == (1, "")
    assert "no solution found within the limit; every solution has at least" in result.err
    document = tilework("solve", FARTHEST, "--algorithm a-star --node-limit 10 --format json").json
    assert (document["length"], document["optimal"]) == (None, False)
    result = tilework("solve", KORF_24_1, "--goal blank-first --time-limit 0.01 --no-build")
    assert result.code == 0
    assert "not proven optimal; optimal length: at least" in result.err
    assert len(result.out.strip()) >= 95


def test_textbook_search_prints_its_statistics(tilework: Run) -> None:
    result = tilework("solve", MEDIUM, "--algorithm greedy --heuristic hamming")
    assert result.code == 0
    tiles = tuple(map(int, MEDIUM.split()))
    assert naive.apply_moves(tiles, 3, result.out.strip()) == naive.solved_tiles(3, 3)
    assert "26 moves, not necessarily optimal: 196 visited, 535 generated" in result.err
    result = tilework("solve", "-", "--jsonl --algorithm a-star --heuristic hamming", stdin=MEDIUM)
    row = json.loads(result.out)
    assert (row["length"], row["algorithm"], row["lower_bound"]) == (14, "a-star:hamming", 14)
    assert (row["optimal"], row["run"]["optimal"]) == (True, True)
    assert (row["run"]["visited"], row["run"]["max_frontier"]) == (207, 134)


def test_slides_are_written_as_single_moves(tilework: Run) -> None:
    slides = tilework(f"solve --metric slides {FARTHEST}")
    assert (slides.code, slides.err) == (0, "")
    moves = slides.out.strip()
    assert naive.count_slides(moves) == 20
    tiles = tuple(map(int, FARTHEST.split()))
    assert naive.apply_moves(tiles, 3, moves) == naive.solved_tiles(3, 3)
    line = tilework("solve --metric slides --jsonl -", stdin=FARTHEST).json
    for result in (line, tilework(f"solve --metric slides --format json {FARTHEST}").json):
        assert (result["metric"], result["lower_bound"], result["slides"]) == ("slides", 20, 20)
        assert result["length"] == len(result["moves"])
        assert result["optimal"]


def test_targets_and_limits_of_other_searches(tilework: Run) -> None:
    for options in ("--target any", "--gap 0.5"):
        assert len(tilework("solve", FARTHEST, options).out.strip()) >= 31
    for option, expected in {
        "node-limit 100": "of 100 nodes",
        "memory-limit 1": "of 1 MiB",
    }.items():
        result = tilework("solve", FARTHEST, f"--algorithm breadth-first --{option}")
        assert (result.code, f"The limit {expected} was" in result.err) == (1, True)
    for option in ("--node-limit 300", "--target any"):
        result = tilework("solve --metric slides 4x3: 8 11 4 7 5 0 1 9 2 10 6 3", option)
        assert result.code == 0
        assert "not proven optimal; every solution has at least" in result.err


def test_incompatible_options_are_rejected(tilework: Run) -> None:
    for options, expected in (
        ("--goal 1,2,3,0", "tilework: --goal: "),
        ("--target gap", "--gap 0.1"),
        ("--target any --gap 0.1", "--gap 0.1 and --target any contradict each other"),
        ("--algorithm a-star --memory-limit 9", "a-star takes no --memory-limit"),
        ("--metric slides --algorithm beam", "'beam' counts moves; omit it"),
    ):
        result = tilework("solve", BOARD, options)
        assert (result.code, result.out) == (2, "")
        assert expected in result.err


def test_solution_is_shortened(tilework: Run, tmp_path: Path) -> None:
    tiles = tuple(map(int, FARTHEST.split()))
    longer = tmp_path / "moves.txt"
    solution = tilework(f"solve {FARTHEST}").out.strip()
    first = solution[0]
    undo = {"U": "D", "D": "U", "L": "R", "R": "L"}[first]
    longer.write_text(first + undo + solution)
    result = tilework(f"solve {FARTHEST} --shorten", str(longer))
    assert (result.code, len(result.out.strip())) == (0, 31)
    assert naive.apply_moves(tiles, 3, result.out.strip()) == naive.solved_tiles(3, 3)
    # A target that the given solution meets needs no search.
    kept = tilework(f"solve {FARTHEST} --target any --shorten", str(longer))
    assert kept.out.strip() == longer.read_text()
    for options, message in (
        ("--shorten U", "is illegal"),
        (f"--shorten {solution[:-1]}", "does not end at"),
        (f"--shorten {solution} --algorithm greedy", "does not shorten a solution"),
        (f"--shorten {solution} --jsonl", "--shorten takes a solution of one board"),
    ):
        rejected = tilework(f"solve {FARTHEST}", options)
        assert rejected.code == 2, options
        assert message in rejected.err
