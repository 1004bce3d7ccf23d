"""Installs a lock file and this checkout into a virtual environment, and says how far it is.

Only the standard library is used, since nothing else is there yet. uv is used if it is installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Final, cast

_FOLDER: Final = ".venv"
_PYTHON: Final = f"{_FOLDER}/bin/python"
_PAUSE_S: Final = 10.0
"""How often progress is said where lines cannot be overwritten."""


def install(lock_file: Path) -> None:
    create, tool = _commands(shutil.which("uv"))
    if not Path(_PYTHON).exists():
        try:
            _run(create, f"Creating {_FOLDER}")
        except (subprocess.CalledProcessError, KeyboardInterrupt):
            # A half-made environment without pip would be used by the next attempt.
            shutil.rmtree(_FOLDER, ignore_errors=True)
            raise
    total = len(re.findall(r"^[\w.-]+(?:\[.*\])?==", lock_file.read_text(), re.MULTILINE))
    packages = ["--require-hashes", "--requirement", str(lock_file)]
    _run([*tool, *packages], f"Installing {total} packages ({lock_file})")
    this = ["--no-deps", "--no-build-isolation", "--editable", "."]
    _run([*tool, *this], "Installing Tilework")


def _commands(uv: str | None) -> tuple[list[str], list[str]]:
    """Return the commands that create a virtual environment and that install into it."""
    if uv is not None:
        # Compiled here by all processors, and not by the first start.
        install = [uv, "pip", "install", "--compile-bytecode", "--python", _PYTHON]
        return [uv, "venv", "--seed", _FOLDER], install
    options = ["--progress-bar=off", "--disable-pip-version-check"]
    pip = [_PYTHON, "-m", "pip", "install", *options]
    return [sys.executable, "-m", "venv", _FOLDER], pip


def _run(command: list[str], step: str) -> None:
    """Run a program; say what pip is doing, and show the output if the program fails."""
    started = said_at = time.monotonic()
    is_terminal = sys.stdout.isatty()
    written, found = "", 0
    print(step, end="" if is_terminal else "\n", flush=True)
    with subprocess.Popen(  # noqa: S603  (commands of this file)
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in cast("IO[str]", process.stdout):
            written += line
            found += line.startswith(("Collecting ", "Requirement already satisfied: "))
            is_unpacking = line.startswith("Installing collected packages")
            state = "unpacking" if is_unpacking else f"found {found}"
            now = time.monotonic()
            if is_terminal:
                print(f"\r\x1b[K{step}: {state} ({now - started:.0f} s)", end="", flush=True)
            elif is_unpacking or now > said_at + _PAUSE_S:
                print(f"{step}: {state}", flush=True)
                said_at = now
    if is_terminal:
        print(flush=True)
    if process.returncode:
        print(written)
        raise subprocess.CalledProcessError(process.returncode, command)


if __name__ == "__main__":
    try:
        install(Path(sys.argv[1]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(error.cmd)} failed; its output is above")
    except KeyboardInterrupt:
        sys.exit(130)
