from collections.abc import Callable

from tests.support.cli.terminal import Terminal
from tests.support.instances import KORF_24_1

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
    assert session.read_to_end()[1] == 0


def test_end_of_input_and_ctrl_c_end_the_prompt(terminal: Start) -> None:
    session = terminal("solve", "-", "--lang", "pt")
    session.read_until("Tabuleiro> ")
    session.type("\x04")
    assert session.read_to_end()[1] == 0
    session = terminal("solve", "-")
    session.read_until("Board> ")
    session.interrupt()
    session.type("\n")  # in case Ctrl-C came before the read
    output, code = session.read_to_end()
    assert code == 130
    assert "Traceback" not in output
    output, code = terminal("compare").read_to_end()
    assert (code, "give a board, as in tilework compare" in output) == (2, True)


def test_search_progress_is_shown_until_ctrl_c(terminal: Start) -> None:
    session = terminal("solve", KORF_24_1, "--goal", "blank-first")
    session.read_until("× Manhattan   0:00:0")
    session.interrupt()
    output, code = session.read_to_end()
    assert code == 130
    assert "interrupted after" in output
