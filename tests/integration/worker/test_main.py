"""How a worker starts."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen

import pytest

from tests.support.broker import Broker
from tests.support.waiting import wait_until
from tilework.core.assembly import Services
from tilework.core.lab.methods import Method
from tilework.core.model.comparisons import ComparisonOptions
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.worker.tickets import CeleryTickets

# Notes at its end whether the worker has loaded a solver.
LAB_WORKER = """
import sys
from celery import signals
from tilework.worker.app import app
def report(**_details):
    solvers = {"numba", "llvmlite", "tilework.core.solver.solve"} & sys.modules.keys()
    print("loaded", *solvers, flush=True)
signals.worker_shutting_down.connect(report, weak=False)
app.start(["--quiet", "worker", "-Q", "lab"])
"""


def test_lab_worker_runs_searches_without_loading_a_solver(broker: Broker, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, broker_url=broker.url)
    upgrade(settings.database)
    services = Services(settings, CeleryTickets(broker.url))
    board = Board([1, 2, 3, 4, 5, 6, 0, 7, 8], 3, 3)
    methods = [Method.from_text("a-star:manhattan"), Method.from_text("breadth-first")]
    client, goal = services.clients.new(), blank_last(board.size)
    comparison = services.comparisons.submit(
        client, board, goal, ComparisonOptions(methods=methods)
    )
    variables = {"TILEWORK_DATA_DIR": str(tmp_path), "TILEWORK_BROKER_URL": broker.url}
    command = [sys.executable, "-c", LAB_WORKER]
    with subprocess.Popen(
        command, env=os.environ | variables, stdout=subprocess.PIPE, text=True
    ) as worker:
        wait_until(lambda: services.comparisons.view(comparison.id).finished)
        worker.terminate()
        output, _ = worker.communicate()
    assert [run.length for run in services.comparisons.view(comparison.id).runs] == [2, 2]
    assert output.splitlines()[-1] == "loaded"


PROGRAM = """
import hashlib, os, signal, sys, time
from tilework.worker import consumer as module
module.MAX_SHUTDOWN_S = {seconds}
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
    signal.signal(number, lambda *_: None)  # as Celery does
stopping = module.ShutdownSignal()
stopping.watch()
os.kill(os.getpid(), signal.SIGUSR1)
print("working", flush=True)
"""
# Like a compiler: no Python code runs for minutes, and the GIL is released.
ENDLESS_WORK = 'hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)'
STOPPABLE_WORK = """
while not stopping():
    time.sleep(0.01)
print("saved", flush=True)
sys.exit(7)
"""


@pytest.mark.parametrize(
    ("work", "seconds", "number", "message", "code"),
    [
        (ENDLESS_WORK, 0.1, signal.SIGHUP, "", 0),
        (STOPPABLE_WORK, 1_000, signal.SIGINT, "saved\n", 7),
    ],
    ids=["work that does not end", "work that ends"],
)
def test_signal_ends_work(work: str, seconds: float, number: int, message: str, code: int) -> None:
    command = [sys.executable, "-c", PROGRAM.format(seconds=seconds) + work]
    with Popen(command, stdout=PIPE, stderr=STDOUT, text=True) as process:
        assert process.stdout.readline() == "working\n"
        process.send_signal(number)
        assert process.communicate() == (message, None)
        assert process.returncode == code
