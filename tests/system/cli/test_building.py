import os
import sys
from pathlib import Path

import pytest

from tests.integration.worker.test_preparation import find_builders
from tests.support.cli.runner import Run
from tests.support.cli.terminal import Terminal
from tests.support.waiting import wait_until
from tilework.core.machine import user_cache, user_databases
from tilework.core.puzzle.board import Size
from tilework.core.settings import Settings
from tilework.core.solver.pdb import builds, partitions
from tilework.core.solver.pdb.files import open_existing
from tilework.core.solver.pdb.partitions import find_partition
from tilework.core.solver.pdb.verify import verify

SMALL_PARTITION = find_partition(Size(6, 3), "6-6-5")
# 80 moves from the goal: minutes without databases, seconds with them.
HARD_BOARD = "6x3: 12 15 17 8 3 13 14 10 6 1 2 11 16 0 9 4 7 5"
# A program that soon builds databases for its search, which takes far longer than the test.
PROGRAM = """
from tilework.core.cli.main import main
from tilework.core.solver.pdb import builds
builds.MIN_SHARE = 0.001
main(["solve", "5x5:", *map(str, range(24, -1, -1))])
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder; background builds are allowed."""
    # Reuse compiled kernels.
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR") or str(user_cache()))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TILEWORK_PDB_BUILD", "true")
    return user_databases()


def test_long_search_builds_and_stores_databases(
    tilework: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilework.core.settings.get_settings", Settings)
    monkeypatch.setattr(partitions, "_QUICK_PLACEMENTS", 1_000_000)
    monkeypatch.setattr(builds, "MIN_SHARE", 0.01)
    result = tilework("solve", HARD_BOARD)
    assert result.code == 0
    (line,) = result.err.splitlines()
    assert line.startswith("built the pattern databases 6x3 6-6-5 in ")
    database = open_existing(SMALL_PARTITION, folder)
    verify(SMALL_PARTITION, database.entries)
    suffixes = sorted(path.suffix for path in folder.iterdir())
    assert suffixes == [".checked", ".lock", ".lock", ".pdb", ".rules"]
    second = tilework("solve", HARD_BOARD)
    assert (second.code, second.err, len(second.out)) == (0, "", len(result.out))


def test_ctrl_c_during_a_build_ends_it_and_the_search(folder: Path) -> None:
    session = Terminal([sys.executable, "-c", PROGRAM])
    try:
        session.read_until("building 5x5 6-6-6-6: ")
        assert find_builders()
        session.interrupt()
        output, code = session.read_to_end()
    finally:
        session.close()
    assert code == 130
    assert "interrupted after" in output
    assert "could not be built" not in output
    wait_until(lambda: not find_builders())
    assert not (folder / "5x5-6-6-6-6.pdb").exists()
    assert not [*folder.glob("*.partial*"), *folder.glob("building.json")]
