"""The requests and responses of the clients, which are the only evidence for the checker."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tools.chaos.puzzles import Puzzle


@dataclass
class Job:
    id: str
    client: int
    puzzle: Puzzle
    time_limit_s: float | None
    documents: list[dict[str, Any]] = field(default_factory=list)  # in the responses, in order
    cancelled_by_owner: bool = False
    poisoned: bool = False
    damaged: bool = False

    @property
    def has_ended(self) -> bool:
        return bool(self.documents) and self.documents[-1]["finished_at"] is not None


@dataclass(frozen=True)
class Kill:
    name: str
    time: float
    lost_s: float


class History:
    """All events of a run, collected from many threads."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.errors: list[str] = []
        self.answers: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.kills: list[Kill] = []
        self.timeline: list[str] = []
        self.damaged_rows: set[str] = set()
        # What the checks found after the last fault.
        self.states: Counter[str] = Counter()
        self.figures: dict[str, float] = {}
        self._lock = threading.Lock()

    def add_job(self, job: Job) -> Job:
        """Store an accepted job; return the stored one if its id is known."""
        with self._lock:
            return self.jobs.setdefault(job.id, job)

    def count_answer(self, answer: str) -> None:
        with self._lock:
            self.answers[answer] += 1

    def log(self, text: str) -> None:
        self.timeline.append(f"{time.time():.2f} {text}")

    def add_error(self, text: str) -> None:
        self.errors.append(text)
