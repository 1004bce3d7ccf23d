"""One process per host builds the default databases while the workers work."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from structlog.testing import capture_logs

from tests.support.damage import overwrite
from tests.support.waiting import wait_until
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernel_sets import RARELY_USED
from tilework.core.solver.pdb import builder
from tilework.core.solver.pdb.builder import DatabaseBuilding, claim_builder_lock
from tilework.core.solver.pdb.builds import list_requests, read_build_progress, request_build
from tilework.core.solver.pdb.files import database_path, delete_database, file_state, open_existing
from tilework.core.solver.pdb.partitions import find_partition
from tilework.worker import process
from tilework.worker.process import KernelPreparation

QUICK_PARTITION = find_partition(Size(4, 4), "6-6-3")
BYTES_FOR_QUICK = 34_000_000
BYTES_FOR_ALL = 5_000_000_000


def find_builders() -> list[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if is_builder(child)]


def is_builder(process: psutil.Process) -> bool:
    try:
        return "tilework.core.solver.pdb.builder" in process.cmdline()
    except psutil.NoSuchProcess:  # or a zombie
        return False


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_POLL_S", "_INITIAL_PAUSE_S", "_WATCH_S"):
        monkeypatch.setattr(builder, name, 0.1)
    monkeypatch.setattr(builder, "_MAX_STOP_S", 60.0)


def test_databases_within_the_budget_are_built_once_and_rebuilt_if_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting_threads = set()

    def claim_or_record(folder: Path, *, wait: bool) -> int | None:
        claim = claim_builder_lock(folder, wait=wait)
        if claim is None:
            waiting_threads.add(builder.threading.current_thread())
        return claim

    monkeypatch.setattr(builder, "claim_builder_lock", claim_or_record)
    claim = claim_builder_lock(tmp_path, wait=False)
    assert claim is not None
    threads = [DatabaseBuilding(tmp_path, BYTES_FOR_QUICK) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: waiting_threads == set(threads))
    assert find_builders() == []
    os.close(claim)
    max_count = 0

    def is_built() -> bool:
        nonlocal max_count
        max_count = max(max_count, len(find_builders()))
        has_opened = open_existing(QUICK_PARTITION, tmp_path) is not None
        return max_count > 0 and has_opened and not find_builders()

    wait_until(is_built)
    assert max_count == 1
    assert [path.name for path in tmp_path.glob("*.pdb")] == ["4x4-6-6-3.pdb"]
    assert read_build_progress(tmp_path) is None

    overwrite(database_path(QUICK_PARTITION, tmp_path), 12345, b"damaged")
    wait_until(find_builders)
    for thread in threads:
        thread.stop()
    assert find_builders() == []


def test_killed_builder_is_replaced_and_stopped_cleanly(tmp_path: Path) -> None:
    # A thread whose folder cannot be created ends immediately.
    (tmp_path / "file").write_text("")
    thread = DatabaseBuilding(tmp_path / "file", BYTES_FOR_QUICK)
    thread.start()
    thread.join()
    with capture_logs() as logs:
        thread = DatabaseBuilding(tmp_path, BYTES_FOR_ALL)
        thread.start()
        wait_until(find_builders)
        (first,) = find_builders()
        first.kill()
        wait_until(lambda: find_builders() not in ([], [first]) and read_build_progress(tmp_path))
        (second,) = find_builders()
        assert second.nice() > psutil.Process().nice()
        thread.stop()
    assert not thread.is_alive()
    assert not is_builder(second)
    assert read_build_progress(tmp_path) is None
    assert [entry["code"] for entry in logs if "failed" in entry["event"]] == [-9]


PROGRAM = """
import sys
from pathlib import Path
from tilework.core.solver.pdb.builder import DatabaseBuilding
DatabaseBuilding(Path(sys.argv[1]), int(sys.argv[2])).start()
sys.stdin.read()
"""


def test_builder_ends_with_its_worker(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path), str(BYTES_FOR_ALL)], stdin=subprocess.PIPE
    ) as worker:
        wait_until(lambda: read_build_progress(tmp_path))
        (builder,) = find_builders()
        worker.kill()
    wait_until(lambda: not is_builder(builder))
    claim = claim_builder_lock(tmp_path, wait=True)
    os.close(claim)


def test_preparation_continues_if_it_cannot_be_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "compile_kernel_set", lambda *_: None)
    reported, done = [], []

    def report(max_cells: int | None) -> None:
        reported.append(max_cells)
        raise ValueError

    thread = KernelPreparation([RARELY_USED] * 2, tmp_path, report, lambda: done.append(1))
    thread.run()
    assert (reported, done) == ([None, None], [1])


def test_requested_database_is_built_once(tmp_path: Path) -> None:
    partition = find_partition(Size(3, 2), "5")
    request_build(partition, tmp_path)
    thread = DatabaseBuilding(tmp_path, budget=0)
    thread.start()
    wait_until(lambda: list_requests(tmp_path) == [])
    thread.stop()
    assert file_state(partition, tmp_path) == "built"
    assert delete_database(database_path(partition, tmp_path))
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock", ".lock"]
