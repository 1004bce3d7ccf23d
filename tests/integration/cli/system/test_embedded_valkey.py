import os
import signal
import stat
from pathlib import Path

import pytest

from tests.support.waiting import wait_until
from tilework.core.cli.system.supervisor import EmbeddedValkey, Supervisor
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


def test_it_is_private_and_restarts_when_killed(tmp_path: Path) -> None:
    folder = tmp_path / "with a space" / ("deep" * 30)  # too deep for a socket
    earlier = EmbeddedValkey(folder)
    valkey = EmbeddedValkey(folder)
    assert len(str(valkey.socket)) < 100
    assert not earlier.socket.parent.exists()
    # No other user can reach it.
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    command = list(valkey.program().command)
    assert command[command.index("--port") + 1] == "0"
    with Supervisor() as supervisor:
        server = supervisor.start(valkey.program())
        valkey.wait_until_ready(supervisor)
        assert send_and_read_depth(valkey, 2) == 2
        assert server.group is not None
        os.kill(server.group, signal.SIGKILL)
        wait_until(lambda: server.exit_code() is not None)
        valkey.wait_until_ready(supervisor)
        # The database has the work; nothing is stored that could be damaged.
        assert send_and_read_depth(valkey, 2) == 2
    assert not valkey.is_responding()
    assert {path.name for path in folder.iterdir()} <= {"valkey.log", "valkey.sock"}
