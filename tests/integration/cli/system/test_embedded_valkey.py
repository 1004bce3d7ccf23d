import os
import shutil
import signal
import stat
from pathlib import Path

import pytest

from tests.support.waiting import wait_until
from tilework.core.cli import supervisor as supervisor_module
from tilework.core.cli.supervisor import EmbeddedValkey, Supervisor
from tilework.worker.tickets import CeleryTickets


def send_and_read_depth(valkey: EmbeddedValkey, count: int) -> int | None:
    tickets = CeleryTickets(valkey.url)
    tickets.send("batch", count)
    depth = tickets.depth("batch")
    tickets.close()
    return depth


@pytest.fixture(autouse=True)
def long_ticket_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow for a busy machine: a ticket that is sent too slowly is dropped."""
    monkeypatch.setattr("tilework.worker.tickets.TIMEOUT_S", 60.0)


def test_tickets_survive_a_restart_and_a_killed_server(tmp_path: Path) -> None:
    reports: list[str] = []
    folder = tmp_path / "with a space" / ("deep" * 30)  # too deep for a socket
    earlier = EmbeddedValkey(folder)
    valkey = EmbeddedValkey(folder, lambda: reports.append("damaged"))
    assert len(str(valkey.socket)) < 100
    assert not earlier.socket.parent.exists()
    # No other user can reach it.
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    command = list(valkey.program().command)
    assert command[command.index("--port") + 1] == "0"
    with Supervisor() as supervisor:
        supervisor.start(valkey.program())
        valkey.wait_until_ready(supervisor)
        assert send_and_read_depth(valkey, 2) == 2
    assert not valkey.is_responding()
    with Supervisor() as supervisor:
        child = supervisor.start(valkey.program())
        valkey.wait_until_ready(supervisor)
        assert send_and_read_depth(valkey, 2) == 3
        assert child.group is not None
        os.kill(child.group, signal.SIGKILL)
        wait_until(lambda: child.exit_code() is not None)
        valkey.wait_until_ready(supervisor)
        assert send_and_read_depth(valkey, 0) == 3
    assert not reports


def overwrite(files: Path) -> None:
    for path in files.glob("*.aof"):
        path.write_bytes(b"*3\r\n$9\r\nNONSENSE!\r\n" * 10)


def overwrite_manifest(files: Path) -> None:
    (files / "appendonly.aof.manifest").write_text("file nonsense seq one type x\n")


def replace_folder(files: Path) -> None:
    shutil.rmtree(files)
    files.write_text("a file where a folder should be")


def test_damaged_files_are_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "MAX_BACKOFF_S", 0.01)
    reports: list[str] = []
    valkey = EmbeddedValkey(tmp_path, lambda: reports.append("damaged"))
    files = tmp_path / "appendonlydir"
    # Damaged before it starts, and then while it runs.
    files.mkdir()
    overwrite_manifest(files)
    with Supervisor() as supervisor:

        def is_responding() -> bool:
            supervisor.restart_exited()
            return valkey.is_responding()

        child = supervisor.start(valkey.program())
        wait_until(is_responding)
        assert len(reports) == 1
        for number, corrupt in enumerate((overwrite, replace_folder, overwrite_manifest), 2):
            assert send_and_read_depth(valkey, 3) == 3
            corrupt(files)
            assert child.group is not None
            os.kill(child.group, signal.SIGKILL)
            wait_until(lambda: child.exit_code() is not None)
            wait_until(is_responding)
            assert len(reports) == number, corrupt.__name__
    assert len(list(tmp_path.glob("damaged-20*"))) == 3
