from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis

from tilework.core.cli.system.child import Child
from tilework.core.cli.system.embedded_valkey import EmbeddedValkey
from tilework.core.cli.system.supervisor import Supervisor


@dataclass
class Broker:
    """A real Valkey server of this test's own."""

    url: str
    redis: Redis
    child: Child


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    valkey = EmbeddedValkey(tmp_path / "broker")
    with Supervisor() as supervisor:
        child = supervisor.start(valkey.program())
        valkey.await_answer(supervisor, child)
        with Redis(unix_socket_path=str(valkey.socket), decode_responses=True) as redis:
            yield Broker(valkey.url, redis, child)
