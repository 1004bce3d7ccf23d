"""A worker stops on request, whatever its main thread is doing."""

import signal
import sys
from subprocess import PIPE, STDOUT, Popen

import pytest

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
