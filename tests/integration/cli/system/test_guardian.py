from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tilework.core.cli.system.guardian import end_groups, listed_groups, signal_group

STUBBORN = """
import signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(60)
"""


def test_groups_that_left_are_not_listed() -> None:
    assert listed_groups([b"+12\n", b"+13\n", b"-12\n", b"+14\n"]) == {13, 14}


def test_a_group_that_listens_ends_by_sigterm() -> None:
    process = subprocess.Popen(["sleep", "60"], process_group=0)
    end_groups({process.pid}, grace_s=0.2)
    assert process.wait(timeout=5) == -signal.SIGTERM


def test_a_group_that_ignores_sigterm_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUBBORN], process_group=0, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        end_groups({process.pid}, grace_s=0.2)
        assert process.wait(timeout=5) == -signal.SIGKILL


def test_a_group_that_is_gone_harms_nothing() -> None:
    process = subprocess.Popen(["true"], process_group=0)
    process.wait(timeout=5)
    assert not signal_group(process.pid, signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_guardian_outlives_the_signals_of_a_terminal(number: int) -> None:
    victim = subprocess.Popen(["sleep", "60"], process_group=0)
    with subprocess.Popen(
        [sys.executable, "-m", "tilework.core.cli.system.guardian"],
        stdin=subprocess.PIPE,
        process_group=0,
    ) as guardian:
        assert guardian.stdin is not None
        guardian.stdin.write(f"+{victim.pid}\n".encode())
        guardian.stdin.flush()
        time.sleep(0.5)
        guardian.send_signal(number)
        time.sleep(0.1)
        assert guardian.poll() is None
        assert victim.poll() is None
        guardian.stdin.close()
        assert victim.wait(timeout=10) == -signal.SIGTERM
