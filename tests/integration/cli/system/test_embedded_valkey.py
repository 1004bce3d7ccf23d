from __future__ import annotations

import os
import shutil
import signal
import stat
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tilework.core.cli.system.child import Child
from tilework.core.cli.system.embedded_valkey import EmbeddedValkey
from tilework.core.cli.system.supervisor import Supervisor
from tilework.worker.tickets import PAUSE_S, CeleryTickets


def test_tickets_survive_a_restart(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path / "with a space")
    for round_number in (1, 2):
        with Supervisor() as supervisor:
            valkey.await_answer(supervisor, supervisor.start(valkey.program()))
            tickets = CeleryTickets(valkey.url)
            tickets.send("batch", 3)
            assert tickets.depth("batch") == 3 * round_number
            tickets.close()
    assert not valkey.answers()


def test_damaged_files_are_thrown_away(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path)
    damage = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    damage.parent.mkdir()
    damage.write_text("file nonsense seq one type x\n")
    with Supervisor() as supervisor:
        valkey.await_answer(supervisor, supervisor.start(valkey.program()))
        tickets = CeleryTickets(valkey.url)
        assert tickets.depth("search") == 0
        tickets.close()


def test_nobody_else_can_reach_the_socket(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path / "broker")
    assert stat.S_IMODE((tmp_path / "broker").stat().st_mode) == 0o700
    assert "--port" in valkey.program().command
    assert valkey.program().command[list(valkey.program().command).index("--port") + 1] == "0"


def test_a_folder_too_deep_for_a_socket(tmp_path: Path) -> None:
    valkey = EmbeddedValkey(tmp_path / ("deep" * 30))
    assert len(str(valkey.socket)) < 100
    with Supervisor() as supervisor:
        valkey.await_answer(supervisor, supervisor.start(valkey.program()))
        assert valkey.answers()


@pytest.mark.parametrize("damage", ["overwritten", "manifest", "no folder", "unreadable"])
def test_files_damaged_while_it_runs_are_set_aside(tmp_path: Path, damage: str) -> None:
    noted: list[str] = []
    valkey = EmbeddedValkey(tmp_path, lambda: noted.append("damaged"))
    files = tmp_path / "appendonlydir"
    for round_number in range(1, 6):
        with Supervisor() as supervisor:
            child = supervisor.start(valkey.program())
            valkey.await_answer(supervisor, child)
            tickets = CeleryTickets(valkey.url)
            tickets.send("search", 3)
            tickets.close()
            spoil(files, damage)
            assert child.group is not None
            os.kill(child.group, signal.SIGKILL)
            await_end(child)
            began = time.monotonic()
            while not valkey.answers():
                supervisor.tend()
                assert time.monotonic() - began < 5
                time.sleep(0.02)
            assert len(noted) == round_number
    kept = sorted(tmp_path.glob("damaged-*"))
    assert len(kept) == 3
    assert all(f"damaged-{datetime.now(UTC):%Y}" in path.name for path in kept)


def test_a_killed_server_keeps_its_tickets(tmp_path: Path) -> None:
    noted: list[str] = []
    valkey = EmbeddedValkey(tmp_path, lambda: noted.append("damaged"))
    with Supervisor() as supervisor:
        child = supervisor.start(valkey.program())
        valkey.await_answer(supervisor, child)
        tickets = CeleryTickets(valkey.url)
        tickets.send("search", 3)
        time.sleep(1.2)  # the file is written once a second
        assert child.group is not None
        os.kill(child.group, signal.SIGKILL)
        await_end(child)
        valkey.await_answer(supervisor, child)
        time.sleep(2 * PAUSE_S)
        assert tickets.depth("search") == 3
        tickets.close()
    assert not noted


def spoil(files: Path, damage: str) -> None:
    match damage:
        case "overwritten":
            for path in files.glob("*.aof"):
                path.write_bytes(b"*3\r\n$9\r\nNONSENSE!\r\n" * 10)
        case "manifest":
            (files / "appendonly.aof.manifest").write_text("file nonsense seq one type x\n")
        case "no folder":
            shutil.rmtree(files)
            files.write_text("a file where a folder should be")
        case _:
            for path in files.glob("*.aof"):
                path.unlink()
                path.mkdir()


def await_end(child: Child) -> None:
    while child.exit_code() is None:
        time.sleep(0.01)
