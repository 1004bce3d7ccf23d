"""``python -m tests.system.faults.skewed_worker``: a worker under libfaketime.

Of the host's clocks only the one on the wall is to be wrong, as where nobody set it: libfaketime
must leave the monotonic one alone (``FAKETIME_DONT_FAKE_MONOTONIC``). By default 0.9.10 lets it
tell the wall's time, but not to ``sem_clockwait``, so that each wait of a thread for half a second
would last decades. Left alone, its ``clock_nanosleep`` refuses what Python's ``time.sleep`` asks
(EINVAL); ``select`` waits as long and is passed on as it is.
"""

import os
import runpy
import select
import time
from pathlib import Path


def _sleep(seconds: float) -> None:
    select.select([], [], [], seconds)


if __name__ == "__main__":
    time.sleep = _sleep
    if "CHAOS_POISON" in os.environ:
        from tools.chaos.system import poison

        poison.arm(Path(os.environ[poison.FILE]))
    runpy.run_module("tilework.worker", run_name="__main__", alter_sys=True)
