"""The command as a whole: start, help, errors, pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilework.core.cli.commands import SUBCOMMANDS

Run = Callable[..., Any]

HEAVY = {"numba", "cv2", "PIL", "celery", "flask", "sqlalchemy", "httpx2", "rich"}


def loaded_by(*arguments: str) -> set[str]:
    """Names of the top-level modules that are loaded after a command."""
    code = (
        "import sys\n"
        "from tilework.core.cli.main import main\n"
        f"try: main({list(arguments)!r})\n"
        "except SystemExit: pass\n"
        "print('\\n', *{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_neither_numpy_nor_anything_heavier() -> None:
    assert not loaded_by("--help") & (HEAVY | {"numpy", "pydantic"})


@pytest.mark.parametrize("command", ["check", "scramble"])
def test_light_commands_load_no_solver(command: str) -> None:
    argument = {"check": "1 2 3 0", "scramble": "3"}[command]
    assert not loaded_by(command, argument) & HEAVY


def test_help_lists_every_subcommand(tilework: Run) -> None:
    done = tilework("--help")
    assert done.code == 0
    for name, (_, summary) in SUBCOMMANDS.items():
        assert f"  {name} " in done.out
        assert summary in done.out


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_each_subcommand_explains_itself(tilework: Run, name: str) -> None:
    done = tilework(name, "--help")
    assert done.code == 0
    assert done.out.startswith("Usage: ")
    assert name in done.out.splitlines()[0]


def test_version(tilework: Run) -> None:
    done = tilework("--version")
    assert done.out.startswith("tilework 0.")


def test_a_mistyped_subcommand_gets_a_suggestion(tilework: Run) -> None:
    done = tilework("slove")
    assert done.code == 2
    assert "Did you mean 'solve'?" in done.err


def test_an_unknown_option_is_bad_input(tilework: Run) -> None:
    done = tilework("solve 1 2 3 0 --fast")
    assert done.code == 2
    assert "--fast" in done.err


def test_a_reader_that_goes_away_is_no_error(executable: Path) -> None:
    with subprocess.Popen(
        [executable, "scramble", "9", "--seed", "1", "--count", "2000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_the_program_ends_with_the_code_of_its_command(program: Run) -> None:
    assert program("check", "1 2 3 0").code == 0
    assert program("check", "2 1 3 0").code == 1
    done = program("check", "1 2 2 0")
    assert done.code == 2
    assert done.err.startswith("tilework: ")
    assert done.err.count("\n") == 1
