"""A worker stops on request, whatever its main thread is doing."""

import signal
import sys
from subprocess import PIPE, STDOUT, Popen, run

import pytest

PROGRAM = """
import hashlib, sys, time
from tilework.worker import shutdown as module
module.MAX_SHUTDOWN_S = 0.1
stopping = module.ShutdownSignal()
stopping.handle_signals()
def report(text):
    print(text, flush=True)
def block_in_a_library():
    # Like a compiler: no Python code runs for minutes, and the GIL is released.
    report("blocked")
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
"""
ENDLESS_WORK = "stopping.on_shutdown(lambda: report('requested')); block_in_a_library()"
STOPPABLE_WORK = """
module.MAX_SHUTDOWN_S = 1_000
stopping.on_shutdown(lambda: report("requested"))
report("working")
while not stopping():
    time.sleep(0.01)
with stopping._lock:  # until "requested" is printed
    report("saved")
sys.exit(7)
"""


@pytest.mark.parametrize(
    ("work", "number", "first_line", "message", "code"),
    [
        ("block_in_a_library()", signal.SIGTERM, "blocked\n", "", 0),
        (ENDLESS_WORK, signal.SIGHUP, "blocked\n", "requested\n", 0),
        (STOPPABLE_WORK, signal.SIGINT, "working\n", "requested\nsaved\n", 7),
    ],
    ids=["no work yet", "work that does not end", "work that ends"],
)
def test_signal_ends_work(work: str, number: int, first_line: str, message: str, code: int) -> None:
    command = [sys.executable, "-c", PROGRAM + work]
    with Popen(command, stdout=PIPE, stderr=STDOUT, text=True) as process:
        assert process.stdout.readline() == first_line
        process.send_signal(number)
        assert process.communicate() == (message, None)
        assert process.returncode == code


def test_starting_worker_stops_like_a_running_one() -> None:
    # Its broker and database do not exist: it waits for them.
    program = f"""
import os, runpy, sys
sys.argv = ["worker", "--queues", "lab"]
from tilework.worker.shutdown import ShutdownSignal
handle = ShutdownSignal.handle_signals
def handle_and_receive(self):
    handle(self)
    os.kill(os.getpid(), {int(signal.SIGHUP)})
ShutdownSignal.handle_signals = handle_and_receive
runpy.run_module("tilework.worker", run_name="__main__", alter_sys=True)
"""
    result = run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
