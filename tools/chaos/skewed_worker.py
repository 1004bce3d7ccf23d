"""``python -m tools.chaos.skewed_worker``: a worker under libfaketime.

Only the wall clock of the host is wrong, as if it had never been set: libfaketime must not change
the monotonic clock (``FAKETIME_DONT_FAKE_MONOTONIC``). By default version 0.9.10 changes it except
for ``sem_clockwait``, so a thread that waits for half a second would wait for decades. With that
option its ``clock_nanosleep`` rejects the arguments of ``time.sleep`` (EINVAL); ``select`` still
works.
"""

import select
import sys
import time
from typing import SupportsIndex

from tilework.worker.app import app


def _sleep(seconds: float | SupportsIndex) -> None:
    select.select([], [], [], float(seconds))


if __name__ == "__main__":
    time.sleep = _sleep
    sys.exit(app.start(sys.argv[1:]))
