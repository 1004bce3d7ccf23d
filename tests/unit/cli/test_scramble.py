from tests.support.cli.runner import Run


def test_every_format_can_be_read_and_solved(tilework: Run) -> None:
    for size in ("3", "4x2"):
        for output in ("line", "grid", "json"):
            board = tilework("scramble", size, "--seed 3 --format", output).out
            assert tilework("solve -", stdin=board).code == 0
    assert tilework("scramble 5x3 --seed 1").out.startswith("5x3: ")


def test_many_boards_are_all_different_and_solvable_for_the_goal(tilework: Run) -> None:
    boards = tilework("scramble 3 --goal spiral --seed 5 --count 20").out
    assert len(set(boards.splitlines())) == 20
    result = tilework("solve --jsonl - --goal spiral", stdin=boards)
    assert result.code == 0
    assert len(result.out.splitlines()) == 20
