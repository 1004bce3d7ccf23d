import re
from collections.abc import Callable

from tests.support.cli.terminal import Terminal

# Korf's 100th, 53 moves: takes minutes without a heuristic.
FAR = "11 4 0 8 6 10 5 13 12 7 14 3 1 2 9 15"
# Korf's first 24-puzzle (95 moves): far more than a minute on one core.
HARD = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"

Start = Callable[..., Terminal]


def test_prompt_solves_boards_until_an_empty_line(terminal: Start) -> None:
    session = terminal("solve", "-")
    assert "Example: 0 1 3 4 2 5 7 8 6" in session.read_until("Board> ")
    session.type("0 1 3 4 2 5 7 8 6\n")
    assert "LULU\n4 moves (4 slides), proven optimal" in session.read_until("Board> ")
    session.type("1 2 3 4 5 6 8 7 0\n")
    assert "No solution possible" in session.read_until("Board> ")
    session.type("1 2 2\n")
    session.read_until("Board> ")
    # A pasted Princeton file.
    session.type("3\n0 1 3\n4 2 5\n7 8 6\n")
    assert "LULU" in session.read_until("Board> ")
    session.type("\n")
    assert session.read_rest()[1] == 0


def test_the_end_of_input_and_ctrl_c_end_the_prompt(terminal: Start) -> None:
    session = terminal("solve", "-", "--lang", "pt")
    session.read_until("Tabuleiro> ")
    session.type("\x04")
    assert session.read_rest()[1] == 0
    session = terminal("solve", "-")
    session.read_until("Board> ")
    session.interrupt()
    session.type("\n")  # in case Ctrl-C came before the read
    shown, code = session.read_rest()
    assert code == 130
    assert "Traceback" not in shown
    shown, code = terminal("compare").read_rest()
    assert (code, "give a board, as in tilework compare" in shown) == (2, True)


def test_the_progress_of_a_search_and_ctrl_c(terminal: Start) -> None:
    session = terminal("solve", HARD, "--goal", "blank-first")
    session.read_until("× Manhattan   0:00:0")
    session.interrupt()
    shown, code = session.read_rest()
    assert code == 130
    assert "interrupted after" in shown


def test_progress_of_a_comparison_and_ctrl_c(terminal: Start) -> None:
    running = terminal(
        "compare", FAR, "--goal", "blank-first", "--method", "greedy", "--method", "breadth-first",
        "--method", "a-star", "--node-limit", "1000000000", "--memory-limit", "64000",
        "--time-limit", "600",
    )  # fmt: skip
    running.read_until("2 of 3: breadth-first   0:00:0")
    running.interrupt()
    screen, code = running.read_rest()
    assert code == 130
    shown = screen[screen.rindex(" method") :]
    ended = re.findall(r"^ *(\S+) .*(solved|cancelled)", shown, re.MULTILINE)
    assert ended == [("greedy:", "solved"), ("breadth-first", "cancelled")]
