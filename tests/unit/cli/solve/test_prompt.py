"""``tilework solve -`` on a terminal, driven through a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.cli.terminal import Terminal


def test_boards_one_after_the_other_until_an_empty_line(
    terminal: Callable[..., Terminal],
) -> None:
    there = terminal("solve", "-")
    assert "Example: 0 1 3 4 2 5 7 8 6" in there.read_until("Board> ")
    there.type("0 1 3 4 2 5 7 8 6\n")
    assert "LULU\n4 moves (4 slides), proved shortest" in there.read_until("Board> ")
    there.type("1 2 3 4 5 6 8 7 0\n")
    assert "No solution possible" in there.read_until("Board> ")
    there.type("1 2 2\n")
    there.read_until("Board> ")
    there.type("\n")
    assert there.rest()[1] == 0


def test_a_princeton_file_pasted(terminal: Callable[..., Terminal]) -> None:
    there = terminal("solve")
    there.read_until("Board> ")
    there.type("3\n0 1 3\n4 2 5\n7 8 6\n")
    assert "LULU" in there.read_until("Board> ")


def test_the_end_of_input_ends_it(terminal: Callable[..., Terminal]) -> None:
    there = terminal("solve", "-", "--lang", "pt")
    there.read_until("Tabuleiro> ")
    there.type("\x04")
    assert there.rest()[1] == 0


def test_ctrl_c_at_the_prompt_ends_it(terminal: Callable[..., Terminal]) -> None:
    there = terminal("solve", "-")
    there.read_until("Board> ")
    shown, code = there.rest(interrupt=True)
    assert code == 130
    assert "Traceback" not in shown
