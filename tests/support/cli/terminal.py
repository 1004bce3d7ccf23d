import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

from tests.support.waiting import TIMEOUT_S

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A program on a pseudo-terminal."""

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
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGINT)

    def read_until(self, text: str) -> str:
        """Return and consume the output up to and including this text."""
        deadline = time.monotonic() + TIMEOUT_S
        while text not in self.screen:
            assert time.monotonic() < deadline, f"{text!r} did not appear: {self.screen!r}"
            assert self._read(), f"{text!r} did not appear: {self.screen!r}"
        output, _, self.screen = self.screen.partition(text)
        return output + text

    def _read(self) -> bool:
        """Read available output, or wait half a second; return False at the end."""
        if not select.select([self._master], [], [], 0.5)[0]:
            return True
        try:
            chunk = os.read(self._master, 4096)
        except OSError:
            return False  # Linux reports the end of a terminal as an error
        self.screen += ESCAPES.sub("", chunk.decode(errors="replace")).replace("\r\n", "\n")
        return bool(chunk)

    def read_to_end(self) -> tuple[str, int]:
        """Return the remaining output and the exit code."""
        deadline = time.monotonic() + TIMEOUT_S
        while self._read():
            assert time.monotonic() < deadline, f"the program did not exit: {self.screen!r}"
        return self.screen, self._process.wait(TIMEOUT_S)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)
