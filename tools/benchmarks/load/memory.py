"""The memory of every process of a system, and its growth."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from tools.benchmarks.harness.system import System

WARM_SHARE: Final = 1 / 3
"""The share of a long load during which tables are loaded and pools are filled."""


class Sample(NamedTuple):
    """The megabytes of a process; `time` is that of `time.monotonic`."""

    time: float
    proportional: float
    anonymous: float


class MemorySamples:
    """Samples of each process of a system, by role and process id."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.samples: dict[tuple[str, int], list[Sample]] = defaultdict(list)

    def take_samples(self) -> dict[tuple[str, int], float]:
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

    def select_lasting(self) -> dict[tuple[str, int], list[Sample]]:
        """Return the samples after the warm-up, for the processes that ran all the time."""
        start = min(samples[0].time for samples in self.samples.values())
        end = max(samples[-1].time for samples in self.samples.values())
        warm_at = start + (end - start) * WARM_SHARE
        max_samples = max(map(len, self.samples.values()))
        return {
            process: [sample for sample in samples if sample.time >= warm_at]
            for process, samples in self.samples.items()
            if len(samples) >= max_samples - 1
        }


def measure_hourly_growth(samples: Sequence[Sample], get_size: Callable[[Sample], float]) -> float:
    """Return the growth of a process in megabytes an hour.

    This compares the minimum of each half of the samples, because a running search temporarily
    needs more memory.
    """
    half = len(samples) // 2
    if half < 1:
        raise SystemExit("too short to measure the growth of memory: use more --minutes")
    first, second = (
        min((get_size(sample), sample.time) for sample in part)
        for part in (samples[:half], samples[half:])
    )
    return (second[0] - first[0]) / ((second[1] - first[1]) / 3_600)
