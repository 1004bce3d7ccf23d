"""What a worker's health files say while its database or its broker hangs."""

import os
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen

from tests.support.broker import Broker
from tests.support.postgres_process import postgres_process
from tests.support.waiting import wait_until
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.worker.heartbeat import connection_file, heartbeat_file, is_beating

WORKER = [
    *(sys.executable, "-m", "celery", "--app", "tilework.worker.app"),
    *("--quiet", "worker", "-Q", "lab"),
]


def test_worker_is_alive_while_the_database_hangs(broker: Broker, tmp_path: Path) -> None:
    with postgres_process() as postgres:
        upgrade(postgres.url)
        variables = {
            "TILEWORK_DATA_DIR": str(tmp_path),
            "TILEWORK_DATABASE_URL": postgres.url,
            "TILEWORK_BROKER_URL": broker.url,
            "TMPDIR": str(tmp_path),
        }
        file = tmp_path / heartbeat_file().name

        def outlive_a_stale_beat() -> None:
            wait_until(lambda: is_beating(file))
            os.utime(file, (0, 0))
            wait_until(lambda: is_beating(file))

        postgres.suspend()  # first at its start, then at work
        with Popen(WORKER, env=os.environ | variables, stderr=PIPE) as worker:
            outlive_a_stale_beat()
            postgres.resume()
            wait_until(lambda: b"ready" in worker.stderr.readline())
            postgres.suspend()
            outlive_a_stale_beat()
            postgres.resume()
            worker.kill()


def test_only_a_worker_with_a_broker_can_take_work(broker: Broker, tmp_path: Path) -> None:
    variables = {
        "TILEWORK_DATA_DIR": str(tmp_path),
        "TILEWORK_BROKER_URL": broker.url,
        "TMPDIR": str(tmp_path),
    }
    upgrade(Settings(data_dir=tmp_path).database)
    alive, connected = (tmp_path / file.name for file in (heartbeat_file(), connection_file()))

    def lose_connection() -> bool:
        """Make both files stale; say whether only the beat is renewed before the next check."""
        for file in (alive, connected):
            os.utime(file, (0, 0))
        wait_until(lambda: is_beating(alive))
        return not is_beating(connected)

    with Popen(WORKER, env=os.environ | variables) as worker:
        wait_until(lambda: is_beating(connected))
        os.kill(broker.server.group, signal.SIGSTOP)
        try:
            wait_until(lose_connection)
        finally:
            os.kill(broker.server.group, signal.SIGCONT)
        wait_until(lambda: is_beating(connected))
        worker.terminate()
