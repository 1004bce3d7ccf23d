"""Databases that ``tilework solve`` builds beside a search that lasts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.cli.terminal import Terminal
from tilework.core.cli.solve import paying_builds
from tilework.core.cli.solve.paying_builds import PayingBuilds
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.settings import Settings
from tilework.core.solver.pdb import patterns
from tilework.core.solver.pdb.building import worth
from tilework.core.solver.pdb.building.builder import become_builder
from tilework.core.solver.pdb.files import default_folder, path_of
from tilework.core.solver.pdb.patterns import partition_named
from tilework.core.solver.pdb.store import open_if_there
from tilework.core.solver.pdb.verify import verify

Run = Callable[..., Any]

# Korf's first 24-puzzle (95 moves): minutes without the best databases.
HARD = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"
LARGE = partition_named(Size(5, 5), "6-6-6-6")
SMALL = partition_named(Size(6, 3), "6-6-5")
GOAL = blank_last(Size(6, 3))
# 80 moves from the goal: minutes without databases, seconds with them.
HARD_SMALL = "6x3: 12 15 17 8 3 13 14 10 6 1 2 11 16 0 9 4 7 5"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty cache folder of a user who forbids nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TILEWORK_PDB_BUILD", "true")
    set_settings(monkeypatch)
    return default_folder()


@pytest.fixture
def builds() -> Iterator[PayingBuilds]:
    with PayingBuilds(None) as made:
        yield made


def set_settings(monkeypatch: pytest.MonkeyPatch, **values: Any) -> None:
    monkeypatch.setattr("tilework.core.settings.get_settings", lambda: Settings(**values))


@pytest.fixture
def quickly_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take 6x3, whose databases take seconds, for a size whose databases take long."""
    monkeypatch.setattr(patterns, "_QUICK_PLACEMENTS", 1_000_000)
    monkeypatch.setattr(worth, "SHARE", 0.01)


def builders(process: psutil.Process) -> list[psutil.Process]:
    found = []
    for child in process.children(recursive=True):
        try:
            if "tilework.core.solver.pdb.building.apart" in child.cmdline():
                found.append(child)
        except psutil.NoSuchProcess:  # or a zombie
            continue
    return found


def await_that(condition: Callable[[], object], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.02)


@pytest.mark.usefixtures("quickly_due")
def test_a_search_that_lasts_is_ended_by_databases_that_stay(tilework: Run, folder: Path) -> None:
    done = tilework("solve", *HARD_SMALL.split(" "))
    assert done.code == 0
    (line,) = done.err.splitlines()
    assert line.startswith("built the pattern databases 6x3 6-6-5 in ")
    assert f"they stay in {folder} (70 MB)" in line
    databases = open_if_there(SMALL, folder)
    assert databases is not None
    verify(SMALL, databases.entries)
    assert sorted(path.suffix for path in folder.iterdir()) == [
        ".checked",
        ".lock",
        ".lock",
        ".pdb",
    ]
    again = tilework("solve", *HARD_SMALL.split(" "))
    assert (again.code, again.err, len(again.out)) == (0, "", len(done.out))


def test_ctrl_c_during_a_build_ends_both(terminal: Callable[..., Terminal], folder: Path) -> None:
    there = terminal("solve", HARD, "--goal", "blank-first")
    there.read_until("building 5x5 6-6-6-6: ", 300)
    assert builders(psutil.Process())
    there.interrupt()
    shown, code = there.rest()
    assert code == 130
    assert "the optimum has at least" in shown
    assert "interrupted after" in shown
    assert not builders(psutil.Process())
    assert not path_of(LARGE, folder).exists()
    assert not [*folder.glob("*.partial*"), *folder.glob("building.json")]


@pytest.mark.usefixtures("quickly_due")
def test_what_is_searched_in_all_counts(builds: PayingBuilds, folder: Path) -> None:
    said: list[str] = []
    price_s = worth.seconds_to_build(SMALL) * worth.SHARE
    builds.searched(GOAL, price_s * 0.9, said.append)
    assert not builders(psutil.Process())
    builds.searched(GOAL, price_s * 0.9, said.append)
    assert builders(psutil.Process())
    await_that(lambda: "building 6x3 6-6-5: " in builds.note())
    await_that(lambda: builds.searched(GOAL, 0.1, said.append) or said)
    assert len(said) == 1
    assert path_of(SMALL, folder).exists()
    assert builds.note() == ""
    builds.searched(GOAL, 1e9, said.append)
    assert not builders(psutil.Process())


@pytest.mark.usefixtures("quickly_due")
def test_leaving_it_ends_a_build(folder: Path) -> None:
    with PayingBuilds(None) as builds:
        builds.searched(GOAL, 1e9, pytest.fail)
        assert builders(psutil.Process())
    assert not builders(psutil.Process())
    assert not [*folder.glob("*.pdb"), *folder.glob("*.partial*")]


@pytest.mark.usefixtures("quickly_due")
def test_where_another_builds_it_is_waited_for(builds: PayingBuilds, folder: Path) -> None:
    claim = become_builder(folder, patient=False)
    assert claim is not None
    builds.searched(GOAL, 1e9, pytest.fail)
    assert not builders(psutil.Process())
    os.close(claim)
    builds.searched(GOAL, 0.1, pytest.fail)
    assert builders(psutil.Process())


@pytest.mark.usefixtures("quickly_due")
def test_a_build_that_is_killed_is_told_and_not_tried_again(builds: PayingBuilds) -> None:
    said: list[str] = []
    builds.searched(GOAL, 1e9, said.append)
    (builder,) = builders(psutil.Process())
    builder.kill()
    await_that(lambda: builds.searched(GOAL, 0.1, said.append) or said)
    builds.searched(GOAL, 1e9, said.append)
    assert said == [
        "the pattern databases 6x3 6-6-5 could not be built; the search goes on without them"
    ]
    assert not builders(psutil.Process())


@pytest.mark.usefixtures("quickly_due")
def test_a_folder_that_cannot_be_made_is_told_once(builds: PayingBuilds, folder: Path) -> None:
    folder.parent.parent.mkdir()
    folder.parent.write_text("not a folder")
    said: list[str] = []
    builds.searched(GOAL, 1e9, said.append)
    builds.searched(GOAL, 1e9, said.append)
    assert len(said) == 1


@pytest.mark.parametrize(
    ("settings", "whole_s", "forbidden"),
    [
        ({"pdb_build": False}, None, False),
        ({"pdb_budget": 69_000_000}, None, False),
        ({}, None, True),
        ({}, 1e9 + 0.001, False),
    ],
    ids=["setting", "budget", "option", "time limit"],
)
@pytest.mark.usefixtures("quickly_due")
def test_what_forbids_a_build(
    settings: dict[str, Any],
    whole_s: float | None,
    forbidden: bool,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_settings(monkeypatch, **settings)
    with PayingBuilds(whole_s, forbidden=forbidden) as builds:
        builds.searched(GOAL, 1e9, pytest.fail)
        builds.searched(GOAL, 1e9, pytest.fail)
        assert not builders(psutil.Process())
    assert not folder.exists()


@pytest.mark.parametrize(
    "options",
    [["--no-build"], ["--heuristic", "linear-conflict"], ["--algorithm", "beam"]],
    ids=" ".join,
)
def test_options_under_which_nothing_is_noted(
    options: list[str], tilework: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paying_builds.PayingBuilds, "_pays", pytest.fail)
    done = tilework("solve", HARD, "--goal", "blank-first", "--time-limit", "1", *options)
    assert done.code == 0
