import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from tests.support.shared_servers import RUN_VARIABLE
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[2]


def test_ctrl_c_ends_every_process_of_a_run() -> None:
    environment = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
    environment.pop(RUN_VARIABLE)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "tests/integration/storage"]
    run = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    begun: set[psutil.Process] = set()

    def has_servers() -> bool:
        assert run.poll() is None, "it ended by itself"
        begun.update(psutil.Process(run.pid).children(recursive=True))
        return any("postgres" in process.name() for process in begun if process.is_running())

    wait_until(has_servers)
    os.killpg(run.pid, signal.SIGINT)
    assert run.wait() == 2
    assert [process for process in begun if process.is_running()] == []
