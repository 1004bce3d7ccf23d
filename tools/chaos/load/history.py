"""What the clients asked for and saw, as they saw it: all that the checker believes."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tools.chaos.load.boards import Puzzle


@dataclass
class Job:
    id: str
    client: int
    puzzle: Puzzle
    time_limit_s: float | None
    seen: list[dict[str, Any]] = field(default_factory=list)
    cancelled_by_owner: bool = False
    poisoned: bool = False
    damaged: bool = False

    @property
    def ended(self) -> bool:
        return bool(self.seen) and self.seen[-1]["finished_at"] is not None


@dataclass(frozen=True)
class Kill:
    name: str
    pid: int
    at: float
    lost_s: float


class History:
    """Everything that happened, collected by many threads."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.wrongs: list[str] = []
        self.answers: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.kills: list[Kill] = []
        self.timeline: list[str] = []
        self.batches = 0
        self.damaged_rows: set[str] = set()
        self._lock = threading.Lock()

    def accept(self, job: Job) -> Job:
        """Keep a job that was accepted; of one that is known already, return what is kept."""
        with self._lock:
            return self.jobs.setdefault(job.id, job)

    def count(self, answer: str) -> None:
        with self._lock:
            self.answers[answer] += 1

    def tell(self, words: str) -> None:
        with self._lock:
            self.timeline.append(f"{time.time():.2f} {words}")

    def wrong(self, words: str) -> None:
        with self._lock:
            self.wrongs.append(words)
