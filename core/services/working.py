"""What workers do in turns: one thing after the other, and a word on what may be left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Claim = TypeVar("Claim")


@dataclass(frozen=True)
class WorkReport:
    """Pieces of work done, and whether there may be more, which needs a new ticket."""

    done: int
    more: bool


def work_in_turn(
    claim: Callable[[], Claim | None],
    work_on: Callable[[Claim], None],
    stopping: Callable[[], bool],
    seconds: float,
) -> WorkReport:
    """Claim and work, one piece after the other, until nothing waits or the time is over."""
    end = time.monotonic() + seconds
    done = 0
    while not stopping():
        claimed = claim()
        if claimed is None:
            return WorkReport(done, False)
        work_on(claimed)
        done += 1
        if time.monotonic() >= end:
            break
    return WorkReport(done, True)
