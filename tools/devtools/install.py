"""Installs a lock file and this checkout into a virtual environment, and says how far it is.

Only the standard library is used, since nothing else is there yet. uv is used if it is installed.
"""

from __future__ import annotations

import re
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final, cast

_FOLDER: Final = ".venv"
_PYTHON: Final = f"{_FOLDER}/bin/python"
_TICK_S: Final = 0.5
_PAUSE_S: Final = 10.0
"""How often progress is said where lines cannot be overwritten."""
_PART_BYTES: Final = 1 << 16
_PACKAGE: Final = re.compile(
    r"^(?:Collecting|Requirement already satisfied:) ([\w.-]+)", re.MULTILINE
)


class Progress:
    """One line for each step: rewritten on a terminal, otherwise repeated now and then."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._said_at = 0.0
        self._started = time.monotonic()

    def say(self, text: str, *, is_new: bool = False) -> None:
        now = time.monotonic()
        if not is_new and now < self._said_at + (_TICK_S if self._is_terminal else _PAUSE_S):
            return
        if self._is_terminal:
            start = "\n" if is_new and self._said_at else "\r\x1b[K"
            print(f"{start}{text} ({now - self._started:.0f} s)", end="", flush=True)
        else:
            print(text, flush=True)
        self._said_at = now

    def end(self) -> None:
        if self._is_terminal:
            print(flush=True)


def install(lock_file: Path, progress: Progress) -> None:
    create, tool = _commands(shutil.which("uv"))
    if not Path(_PYTHON).exists():
        progress.say(f"Creating {_FOLDER}", is_new=True)
        try:
            run(create, lambda _output: progress.say(f"Creating {_FOLDER}"))
        except (subprocess.CalledProcessError, KeyboardInterrupt):
            # A half-made environment without pip would be used by the next attempt.
            shutil.rmtree(_FOLDER, ignore_errors=True)
            raise
    total = len(re.findall(r"^[\w.-]+(?:\[.*\])?==", lock_file.read_text(), re.MULTILINE))
    action = f"Installing {total} packages ({lock_file})"
    progress.say(action, is_new=True)
    found = set[str]()
    state = ""

    def report(output: str) -> None:
        nonlocal state
        found.update(_PACKAGE.findall(output))
        if "Installing collected packages" in output:
            state = ": unpacking"
        elif found and not state.endswith("unpacking"):
            state = f": found {len(found)}"
        progress.say(action + state)

    run([*tool, "--require-hashes", "--requirement", str(lock_file)], report)
    progress.say("Installing Tilework", is_new=True)
    this = ["--no-deps", "--no-build-isolation", "--editable", "."]
    run([*tool, *this], lambda _output: progress.say("Installing Tilework"))
    progress.end()


def _commands(uv: str | None) -> tuple[list[str], list[str]]:
    """Return the commands that create a virtual environment and that install into it."""
    if uv is not None:
        # Compiled here by all processors, and not by the first start.
        install = [uv, "pip", "install", "--compile-bytecode", "--python", _PYTHON]
        return [uv, "venv", "--seed", _FOLDER], install
    options = ["--progress-bar=off", "--disable-pip-version-check"]
    pip = [_PYTHON, "-m", "pip", "install", *options]
    return [sys.executable, "-m", "venv", _FOLDER], pip


def run(command: list[str], report: Callable[[str], object]) -> None:
    """Run a program; call `report` twice a second, with what it has written since."""
    written = bytearray()
    with (
        subprocess.Popen(  # noqa: S603  (commands of this file)
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        ) as process,
        selectors.DefaultSelector() as selector,
    ):
        output = cast("IO[bytes]", process.stdout)
        selector.register(output, selectors.EVENT_READ)
        while True:
            is_readable = bool(selector.select(_TICK_S))
            part = output.read(_PART_BYTES) if is_readable else b""
            if is_readable and not part:
                break
            written += part
            report(part.decode(errors="replace"))
    if process.returncode:
        print(f"\n{written.decode(errors='replace')}")
        raise subprocess.CalledProcessError(process.returncode, command)


if __name__ == "__main__":
    try:
        install(Path(sys.argv[1]), Progress())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(error.cmd)} failed; its output is above")
    except KeyboardInterrupt:
        sys.exit(130)
