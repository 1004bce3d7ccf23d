"""A worker stops on request, whatever its main thread is doing."""

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib, sys, time
from tilework.worker import shutdown as module
module.MAX_SHUTDOWN_S = 0.1
stopping = module.ShutdownSignal()
stopping.handle_signals()
def say(words):
    print(words, flush=True)
def block_in_a_library():
    # As in a compiler: no Python code runs for minutes, and the GIL is released.
    say("blocked")
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
"""
NOT_STARTED = "block_in_a_library()"
NEVER_ENDING = "stopping.on_shutdown(lambda: say('requested')); block_in_a_library()"
ENDING = """
module.MAX_SHUTDOWN_S = 1_000
stopping.on_shutdown(lambda: say("requested"))
say("working")
while not stopping():
    time.sleep(0.01)
with stopping._lock:  # until "requested" is printed
    say("saved")
sys.exit(7)
"""


@pytest.mark.parametrize(
    ("arguments", "number", "begin", "message", "code"),
    [
        (NOT_STARTED, signal.SIGTERM, "blocked\n", "", 0),
        (NEVER_ENDING, signal.SIGHUP, "blocked\n", "requested\n", 0),
        (ENDING, signal.SIGINT, "working\n", "requested\nsaved\n", 7),
    ],
    ids=["no work yet", "work that does not end", "work that ends"],
)
def test_signal_ends_the_worker(
    arguments: str, number: int, begin: str, message: str, code: int
) -> None:
    command = [sys.executable, "-c", PROGRAM + arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout.readline() == begin
        running.send_signal(number)
        assert running.communicate() == (message, None)
        assert running.returncode == code


def test_a_starting_worker_stops_like_a_running_one() -> None:
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
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
