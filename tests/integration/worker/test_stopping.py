"""A worker that is told to stop does, whatever its main thread is in the middle of."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tilework.worker.stopping import Stopping

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]

PROGRAM = """
import hashlib, sys, time
from tilework.worker import stopping as module
module.LONGEST_S = 0.3
stopping = module.Stopping()
stopping.hear_signals()
def say(words):
    print(words, flush=True)
def be_deep_in_a_library():
    # As a compiler does: minutes without a step of Python, and without Python's lock.
    say("deep")
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
"""
AT_ONCE = "be_deep_in_a_library()"
IN_VAIN = "stopping.warmly(lambda: say('asked')); be_deep_in_a_library()"
WARMLY = """
module.LONGEST_S = 60
stopping.warmly(lambda: say("asked"))
say("works")
while not stopping():
    time.sleep(0.01)
time.sleep(0.5)
say("saved")
sys.exit(7)
"""


@contextmanager
def process(rest: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM + rest]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        yield running
        running.kill()


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    ("rest", "begin", "said", "code"),
    [
        (AT_ONCE, "deep\n", "", 0),
        (IN_VAIN, "deep\n", "asked\n", 0),
        (WARMLY, "works\n", "asked\nsaved\n", 7),
    ],
    ids=["no work yet", "work that does not end", "work that ends"],
)
def test_every_signal_ends_it(rest: str, begin: str, said: str, code: int, number: int) -> None:
    with process(rest) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == begin
        running.send_signal(number)
        assert running.communicate(timeout=30) == (said, None)
        assert running.returncode == code


def test_work_that_begins_after_the_signal_is_stopped_too() -> None:
    asked = []
    stopping = Stopping()
    assert not stopping()
    stopping.ask()
    stopping.warmly(lambda: asked.append("now"))
    assert stopping()
    assert asked == ["now"]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_worker_that_starts_ends_as_one_that_works(number: int) -> None:
    # Its broker and its database are not there: it waits for them as long as it takes.
    command = [sys.executable, "-m", "tilework.worker", "--queues", "lab"]
    program = f"""
import os, runpy, signal, sys, threading
sys.argv = {command[2:]!r}
from tilework.worker.stopping import Stopping
hear = Stopping.hear_signals
def hear_and_be_told(self):
    hear(self)
    os.kill(os.getpid(), {int(number)})
Stopping.hear_signals = hear_and_be_told
runpy.run_module("tilework.worker", run_name="__main__", alter_sys=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
