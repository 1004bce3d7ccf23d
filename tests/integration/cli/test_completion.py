"""Completion, asked for as each shell does."""

import os
import subprocess
from pathlib import Path

import pytest


def ask(executable: Path, shell: str, line: str) -> str:
    """Return what a shell is told at the end of a line."""
    environment = os.environ | {
        "_TILEWORK_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    return subprocess.run(
        [executable], env=environment, capture_output=True, text=True, timeout=300, check=True
    ).stdout


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tilework sol", "solve"),
        ("tilework lab ", "list trace"),
        ("tilework solve --algorithm ida", "ida-star"),
        ("tilework check --goal blank-", "blank-first blank-last"),
        ("tilework --lang ", "en pt"),
        ("tilework compare --method greedy,a-star-r", "greedy,a-star-replace"),
        ("tilework lab trace --method greedy:hamming-b", "greedy:hamming-blank"),
        ("tilework pdb build 4x4-7", "4x4-7-8"),
    ],
)
def test_names_are_completed(executable: Path, line: str, expected: str) -> None:
    assert sorted(ask(executable, "bash", line).split()) == expected.split()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_the_same(executable: Path, shell: str) -> None:
    answer = ask(executable, shell, "tilework solve --algorithm ida")
    assert "ida-star" in answer
    assert "greedy" not in answer
