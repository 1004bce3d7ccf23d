"""A worker of the lab alone is up at once: it loads no solver."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tilework.core.storage.schema import upgrade

# The broker's loop is left out: the task that a ticket would call is called.
PROGRAM = """
import sys
from pathlib import Path
from tilework.core.assembly import make_services
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.lab.method import Method
from tilework.core.services.lab.requests import ComparisonRequest
from tilework.core.services.ports import NoTickets
from tilework.core.settings import Settings
from tilework.worker import app
from tilework.worker.celery_app import TASK
from tilework.worker.stopping import Stopping

settings = Settings(data_dir=Path(sys.argv[1]), broker_url="redis://127.0.0.1:1/0")
services = make_services(settings, NoTickets())
board = Board([1, 2, 3, 4, 5, 6, 0, 7, 8], 3, 3)
asked = services.compare(
    ComparisonRequest(
        client_id=services.clients.new(),
        start=board,
        goal=blank_last(board.size),
        methods=[Method.from_text("a-star:manhattan"), Method.from_text("breadth-first")],
    )
)

def consume(celery, queues, stopping, ready):
    ready()
    assert queues == ["lab"]
    celery.tasks[TASK]("lab")
    return 0

app.consume = consume
told = []
assert app.run_worker(settings, ["lab"], lambda: told.append("ready"), Stopping()) == 0
assert told == ["ready"]
view = services.comparisons.view(asked.id)
assert [run.length for run in view.runs] == [2, 2]
loaded = [name for name in sys.modules if name.split(".")[0] in {"numba", "llvmlite"}]
assert not loaded, loaded
assert "tilework.core.solver.solve" not in sys.modules
"""


def test_it_runs_searches_without_a_solver(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path / 'tilework.sqlite'}")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
