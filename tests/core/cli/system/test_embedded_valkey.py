from __future__ import annotations

import stat
from pathlib import Path

from core.cli.system.embedded_valkey import EmbeddedValkey
from core.cli.system.supervisor import Supervisor
from worker.tickets import CeleryTickets


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
