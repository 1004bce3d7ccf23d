"""Where this user's files lie: what versions before wrote is found again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from tilework.core.remote.identity import load_cookies
from tilework.core.folders import user_cache, user_state
from tilework.core.solver.pdb.files import default_folder
print(default_folder(), user_cache(), user_state())
print(load_cookies("http://127.0.0.1:8000"))
"""


def shown(home: Path, **variables: str) -> list[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=kept | {"HOME": str(home)} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("variables", "cache", "state"),
    [
        ({}, "home/.cache/tilework", "home/.local/state/tilework"),
        (
            {"XDG_CACHE_HOME": "", "XDG_STATE_HOME": ""},
            "home/.cache/tilework",
            "home/.local/state/tilework",
        ),
        (
            {"XDG_CACHE_HOME": "{}/c", "XDG_STATE_HOME": "{}/s"},
            "c/tilework",
            "s/tilework",
        ),
        # What concerns other kinds of files changes nothing.
        (
            {"XDG_DATA_HOME": "{}/d", "XDG_CONFIG_HOME": "{}/e"},
            "home/.cache/tilework",
            "home/.local/state/tilework",
        ),
    ],
)
def test_folders_are_where_they_have_always_been(
    tmp_path: Path, variables: dict[str, str], cache: str, state: str
) -> None:
    there = {name: value.format(tmp_path) for name, value in variables.items()}
    folder = tmp_path / state
    folder.mkdir(parents=True)
    (folder / "cookies.json").write_text('{"http://127.0.0.1:8000": {"client": "a"}}')
    places, cookies = shown(tmp_path / "home", **there)
    assert places == f"{tmp_path / cache / 'databases'} {tmp_path / cache} {tmp_path / state}"
    assert cookies == "{'client': 'a'}"


def test_asking_makes_no_folder(tmp_path: Path) -> None:
    shown(tmp_path)
    assert not list(tmp_path.iterdir())
