"""A worker stops on request, whatever its main thread is doing."""

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib, sys, time
from tilework.worker import shutdown as module
module.LONGEST_S = 0.1
stopping = module.ShutdownSignal()
stopping.handle_signals()
def say(words):
    print(words, flush=True)
def be_deep_in_a_library():
    # As a compiler does: minutes without a step of Python, and without Python's lock.
    say("deep")
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
"""
AT_ONCE = "be_deep_in_a_library()"
IN_VAIN = "stopping.on_shutdown(lambda: say('requested')); be_deep_in_a_library()"
WARMLY = """
module.LONGEST_S = 1_000
stopping.on_shutdown(lambda: say("requested"))
say("works")
while not stopping():
    time.sleep(0.01)
with stopping._lock:  # until "requested" is said
    say("saved")
sys.exit(7)
"""


@pytest.mark.parametrize(
    ("rest", "number", "begin", "said", "code"),
    [
        (AT_ONCE, signal.SIGTERM, "deep\n", "", 0),
        (IN_VAIN, signal.SIGHUP, "deep\n", "requested\n", 0),
        (WARMLY, signal.SIGINT, "works\n", "requested\nsaved\n", 7),
    ],
    ids=["no work yet", "work that does not end", "work that ends"],
)
def test_signal_ends_the_worker(rest: str, number: int, begin: str, said: str, code: int) -> None:
    command = [sys.executable, "-c", PROGRAM + rest]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout.readline() == begin
        running.send_signal(number)
        assert running.communicate() == (said, None)
        assert running.returncode == code


def test_a_starting_worker_stops_like_a_running_one() -> None:
    # Its broker and database do not exist: it waits for them.
    program = f"""
import os, runpy, sys
sys.argv = ["worker", "--queues", "lab"]
from tilework.worker.shutdown import ShutdownSignal
hear = ShutdownSignal.handle_signals
def hear_and_be_told(self):
    hear(self)
    os.kill(os.getpid(), {int(signal.SIGHUP)})
ShutdownSignal.handle_signals = hear_and_be_told
runpy.run_module("tilework.worker", run_name="__main__", alter_sys=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
