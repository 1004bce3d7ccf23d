import os
import subprocess
import sys
from pathlib import Path

import pytest

from tilework.core.errors import OptionError
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.worker.app import run_worker
from tilework.worker.shutdown import ShutdownSignal


def run_python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("queues", "broker", "message"),
    [
        ("interactive,urgent", "redis://127.0.0.1:1/0", "unknown queue 'urgent'; choose from inte"),
        ("lab", "", "set TILEWORK_BROKER_URL"),
    ],
)
def test_invalid_worker_options_are_rejected(
    queues: str, broker: str, message: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, broker_url=broker)
    with pytest.raises(OptionError, match=message):
        run_worker(settings, queues.split(","), lambda: None, ShutdownSignal())


def test_unwritable_kernel_cache_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("")
    result = run_python(
        *("-m", "tilework.worker", "--queues", "interactive"),
        TILEWORK_BROKER_URL="redis://127.0.0.1:1/0",
        NUMBA_CACHE_DIR=str(folder),
    )
    assert result.returncode == 2
    [line] = result.stderr.splitlines()
    message = f"tilework worker: compiled kernels cannot be stored in the folder '{folder}/"
    assert line.startswith(message)


# Replaces the consumer, and calls the task as a ticket would.
PROGRAM = """
import sys
from pathlib import Path
from tilework.core.assembly import make_services
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.lab.method import Method
from tilework.core.model.lab.comparisons import ComparisonRequest
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.worker import app
from tilework.worker.celery_app import TASK
from tilework.worker.shutdown import ShutdownSignal

settings = Settings(data_dir=Path(sys.argv[1]), broker_url="redis://127.0.0.1:1/0")
services = make_services(settings, NoTickets())
board = Board([1, 2, 3, 4, 5, 6, 0, 7, 8], 3, 3)
methods = [Method.from_text("a-star:manhattan"), Method.from_text("breadth-first")]
client, goal = services.clients.new(), blank_last(board.size)
comparison = services.comparisons.submit(
    ComparisonRequest(client_id=client, start=board, goal=goal, methods=methods)
)

def consume(celery, queues, stopping, ready):
    ready()
    assert queues == ["lab"]
    celery.tasks[TASK]("lab")
    return 0

app.consume = consume
events = []
assert app.run_worker(settings, ["lab"], lambda: events.append("ready"), ShutdownSignal()) == 0
assert events == ["ready"]
view = services.comparisons.view(comparison.id)
assert [run.length for run in view.runs] == [2, 2]
libraries = [name for name in sys.modules if name.split(".")[0] in {"numba", "llvmlite"}]
assert not libraries, libraries
assert "tilework.core.solver.solve" not in sys.modules
"""


def test_lab_worker_runs_searches_without_loading_a_solver(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path / 'tilework.sqlite'}")
    result = run_python("-c", PROGRAM, str(tmp_path))
    assert result.returncode == 0, result.stderr
