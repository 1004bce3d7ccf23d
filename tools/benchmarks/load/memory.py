"""The memory of every process of a system, and how fast it grows."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from tools.benchmarks.harness.system import System

WARM_SHARE: Final = 1 / 3
"""Of a long load: until then tables are loaded, pools filled and pages touched."""


class Sample(NamedTuple):
    """Megabytes of a process at a time of ``monotonic``."""

    at: float
    proportional: float
    own: float


class Watch:
    """The processes of a system, by what they are and their number, and samples of each."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.samples: dict[tuple[str, int], list[Sample]] = defaultdict(list)

    def look(self) -> dict[tuple[str, int], float]:
        """Take a sample of each process that there is; return the megabytes."""
        found = {}
        for name, process in self._system.processes():
            try:
                text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
            except (psutil.Error, OSError):  # it has just ended
                continue
            lines = text.splitlines()[1:]
            size = {line.partition(":")[0]: int(line.split()[1]) * 1_024 / 1e6 for line in lines}
            if size:
                sample = Sample(time.monotonic(), size["Pss"], size["Pss_Anon"])
                self.samples[name, process.pid].append(sample)
                found[name, process.pid] = sample.proportional
        return found

    def lasting(self) -> dict[tuple[str, int], list[Sample]]:
        """Return the samples, after the warm-up, of the processes that were there all the time."""
        begin = min(samples[0].at for samples in self.samples.values())
        end = max(samples[-1].at for samples in self.samples.values())
        warm = begin + (end - begin) * WARM_SHARE
        most = max(map(len, self.samples.values()))
        return {
            who: [sample for sample in samples if sample.at >= warm]
            for who, samples in self.samples.items()
            if len(samples) >= most - 1
        }


def hourly(samples: Sequence[Sample], what: str) -> float:
    """Return how fast what a process keeps grows, in megabytes an hour.

    That is the least of the first half of the samples against the least of the second: a search
    takes more while it is under way.
    """
    half = len(samples) // 2
    if half < 1:
        raise SystemExit("the load was too short to tell how memory grows: take more minutes")
    first, second = (
        min((getattr(sample, what), sample.at) for sample in part)
        for part in (samples[:half], samples[half:])
    )
    return float(second[0] - first[0]) / ((second[1] - first[1]) / 3_600)
