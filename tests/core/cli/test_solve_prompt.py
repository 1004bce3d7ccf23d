"""``tilework solve -`` on a terminal, driven through a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A program on a pseudo-terminal: type lines, wait for words."""

    def __init__(self, command: list[str | Path]) -> None:
        self.screen = ""
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(slave)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        os.killpg(self._process.pid, signal.SIGINT)

    def read_until(self, words: str, seconds: float = 60.0) -> str:
        """Return what was shown up to and with these words, and forget it."""
        end = time.monotonic() + seconds
        while words not in self.screen:
            assert time.monotonic() < end, f"{words!r} never came: {self.screen!r}"
            if not self._read():
                break
        shown, found, self.screen = self.screen.partition(words)
        assert found, f"{words!r} never came: {shown!r}"
        return shown + found

    def _read(self) -> bool:
        try:
            piece = os.read(self._master, 4096)
        except OSError:
            return False  # Linux ends a terminal without a program so
        self.screen += ESCAPES.sub("", piece.decode(errors="replace")).replace("\r\n", "\n")
        return bool(piece)

    def rest(self) -> tuple[str, int]:
        """Return what is shown until the program ends, and its exit code."""
        while self._read():
            pass
        return self.screen, self._process.wait(30)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)


@pytest.fixture
def terminal(executable: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        opened.append(Terminal([executable, *arguments]))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_boards_one_after_the_other_until_an_empty_line(
    terminal: Callable[..., Terminal],
) -> None:
    there = terminal("solve", "-")
    assert "Example: 0 1 3 4 2 5 7 8 6" in there.read_until("Board> ")
    there.type("0 1 3 4 2 5 7 8 6\n")
    assert "LULU\n4 moves, proved shortest" in there.read_until("Board> ")
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
    there.interrupt()
    shown, code = there.rest()
    assert code == 130
    assert "Traceback" not in shown
