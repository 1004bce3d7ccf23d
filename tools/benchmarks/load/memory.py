"""The memory of every process of a system, and its growth."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from tools.benchmarks.harness.system import System

WARM_SHARE: Final = 1 / 3
"""The share of a long load during which tables are loaded and pools are filled."""


class Sample(NamedTuple):
    """Megabytes of a process; `at` is a time of `time.monotonic`."""

    at: float
    proportional: float
    own: float


class MemorySamples:
    """Samples of each process of a system, by its role and number."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.samples: dict[tuple[str, int], list[Sample]] = defaultdict(list)

    def take(self) -> dict[tuple[str, int], float]:
        """Sample each process; return the megabytes."""
        sizes = {}
        for name, process in self._system.processes():
            try:
                text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
            except (psutil.Error, OSError):  # it has just exited
                continue
            lines = text.splitlines()[1:]
            size = {line.partition(":")[0]: int(line.split()[1]) * 1_024 / 1e6 for line in lines}
            if size:
                sample = Sample(time.monotonic(), size["Pss"], size["Pss_Anon"])
                self.samples[name, process.pid].append(sample)
                sizes[name, process.pid] = sample.proportional
        return sizes

    def lasting(self) -> dict[tuple[str, int], list[Sample]]:
        """Return the samples after the warm-up of the processes that ran all the time."""
        begin = min(samples[0].at for samples in self.samples.values())
        end = max(samples[-1].at for samples in self.samples.values())
        warm = begin + (end - begin) * WARM_SHARE
        longest = max(map(len, self.samples.values()))
        return {
            who: [sample for sample in samples if sample.at >= warm]
            for who, samples in self.samples.items()
            if len(samples) >= longest - 1
        }


def hourly_growth(samples: Sequence[Sample], what: str) -> float:
    """Return the growth of a process in megabytes an hour.

    It compares the minimum of each half of the samples: a running search needs more memory for a
    while.
    """
    half = len(samples) // 2
    if half < 1:
        raise SystemExit("too short to measure the growth of memory: use more --minutes")
    first, second = (
        min((getattr(sample, what), sample.at) for sample in part)
        for part in (samples[:half], samples[half:])
    )
    return float(second[0] - first[0]) / ((second[1] - first[1]) / 3_600)
