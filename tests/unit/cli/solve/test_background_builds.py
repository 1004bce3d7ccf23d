from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.runner import Run
from tests.support.instances import KORF_24_1
from tilework.core.cli.solve import background_builds
from tilework.core.cli.solve.background_builds import BackgroundBuilds
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.settings import Settings
from tilework.core.solver.pdb import builder as process
from tilework.core.solver.pdb import builds as policy
from tilework.core.solver.pdb import files, partitions
from tilework.core.solver.pdb.builder import claim_builder_lock
from tilework.core.solver.pdb.partitions import find_partition

SMALL = find_partition(Size(6, 3), "6-6-5")
GOAL = blank_last(Size(6, 3))


class Builder:
    """A fake of the builder process."""

    instances: list[Builder]

    def __init__(self, claim: int, folder: Path, partitions: list[Any], *, quiet: bool) -> None:
        os.close(claim)
        assert partitions == [SMALL]
        self.code: int | None = None
        self.stopped = False
        self.instances.append(self)

    def exit_code(self) -> int | None:
        return self.code

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder; background builds are allowed."""
    path = tmp_path / "cache" / "databases"
    monkeypatch.setattr(background_builds, "user_databases", lambda: path)
    monkeypatch.setenv("TILEWORK_PDB_BUILD", "true")
    set_settings(monkeypatch)
    # Allow background builds for 6x3, whose databases take only seconds.
    monkeypatch.setattr(partitions, "_QUICK_PLACEMENTS", 1_000_000)
    return path


@pytest.fixture
def builders(monkeypatch: pytest.MonkeyPatch) -> list[Builder]:
    Builder.instances = []
    monkeypatch.setattr(process, "BuilderProcess", Builder)
    return Builder.instances


def set_settings(monkeypatch: pytest.MonkeyPatch, **values: Any) -> None:
    monkeypatch.setattr("tilework.core.settings.get_settings", lambda: Settings(**values))


@pytest.mark.parametrize("state", ["built", "missing"])
def test_build_starts_after_enough_search_time_and_its_end_is_reported_once(
    builders: list[Builder], folder: Path, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    threshold_s = policy.estimate_build_seconds(SMALL) * policy.MIN_SHARE
    with BackgroundBuilds(None) as builds:
        builds.add_search(GOAL, threshold_s * 0.9, messages.append)
        assert not builders
        builds.add_search(GOAL, threshold_s * 0.9, messages.append)
        (builder,) = builders
        builds.add_search(GOAL, 1e9, messages.append)
        assert not messages
        builder.code = 0 if state == "built" else -9
        monkeypatch.setattr(files, "file_state", lambda *_: state)
        for _ in range(3):
            builds.add_search(GOAL, 1e9, messages.append)
    (line,) = messages
    built, failed = f"stored them in {folder} (70 MB)", "could not be built; the search continues"
    assert (built if state == "built" else failed) in line
    assert len(builders) == 1


def test_build_waits_for_another_process(builders: list[Builder], folder: Path) -> None:
    claim = claim_builder_lock(folder, wait=False)
    with BackgroundBuilds(None) as builds:
        builds.add_search(GOAL, 1e9, pytest.fail)
        assert not builders
        os.close(claim)
        builds.add_search(GOAL, 0.1, pytest.fail)
        (builder,) = builders
        assert not builder.stopped
    assert builder.stopped


def test_conditions_that_prevent_a_build(
    builders: list[Builder], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for settings, whole_s, forbidden in (
        ({"pdb_build": False}, None, False),
        ({"pdb_budget": 69_000_000}, None, False),
        ({}, None, True),
        ({}, 1e9 + 0.001, False),
    ):
        set_settings(monkeypatch, **settings)
        with BackgroundBuilds(whole_s, forbidden=forbidden) as builds:
            builds.add_search(GOAL, 1e9, pytest.fail)
            builds.add_search(GOAL, 1e9, pytest.fail)
        assert not builders
        assert not folder.exists()


def test_options_that_disable_background_builds(
    tilework: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    monkeypatch.setattr(BackgroundBuilds, "_should_build", lambda *_: calls.append(True))
    command = f"solve {KORF_24_1} --goal blank-first --node-limit 1000"
    for options in ("--no-build", "--heuristic linear-conflict", "--algorithm beam"):
        tilework(command, options)
        assert not calls
    tilework(command)
    assert calls
