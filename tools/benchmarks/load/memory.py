"""The memory of every process of a system, and how fast it grows."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import psutil

WARM_SHARE: Final = 1 / 3
"""Of a long load: until then tables are loaded, pools filled and pages touched."""

WINDOW_S: Final = 120.0
LEAST_SAMPLES: Final = 3


class Sample(NamedTuple):
    """Megabytes of a process at a time of ``monotonic``.

    Attributes
    ----------
    proportional : float
        Its own pages, and its part of those that it shares.
    own : float
        Of these, what no file is behind.
    """

    at: float
    proportional: float
    own: float


@dataclass
class Watch:
    """The processes of a system, by what they are and their number, and samples of each."""

    pid: int
    samples: dict[tuple[str, int], list[Sample]] = field(default_factory=lambda: defaultdict(list))

    def look(self) -> None:
        """Take a sample of each process that there is."""
        parent = psutil.Process(self.pid)
        for process in (parent, *parent.children(recursive=True)):
            try:
                name = _name(process.cmdline())
                text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
            except (psutil.Error, OSError):  # it has just ended
                continue
            kilobytes = {
                line.partition(":")[0]: int(line.split()[1]) for line in text.splitlines()[1:]
            }
            if kilobytes:
                sample = Sample(
                    time.monotonic(),
                    kilobytes["Pss"] * 1_024 / 1e6,
                    kilobytes["Pss_Anon"] * 1_024 / 1e6,
                )
                self.samples[name, process.pid].append(sample)

    def latest(self) -> dict[tuple[str, int], float]:
        """Look, and return the megabytes of each process that is there now."""
        before = {who: len(samples) for who, samples in self.samples.items()}
        self.look()
        return {
            who: samples[-1].proportional
            for who, samples in self.samples.items()
            if len(samples) > before.get(who, 0)
        }

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
    """Return the slope of a straight line through what a process keeps, in megabytes an hour.

    That is the least of each two minutes: a search takes more while it is under way.
    """
    if len(samples) < LEAST_SAMPLES:
        raise SystemExit("the load was too short to tell how memory grows: take more minutes")
    begin = samples[0].at
    window_s = min(WINDOW_S, (samples[-1].at - begin) / LEAST_SAMPLES)
    least: dict[int, tuple[float, float]] = {}
    for sample in samples:
        taken = (getattr(sample, what), sample.at)
        window = int((sample.at - begin) / window_s)
        least[window] = min(least.get(window, taken), taken)
    megabytes, times = zip(*least.values(), strict=True)
    hours = np.subtract(times, begin) / 3_600
    return float(np.polyfit(hours, megabytes, 1)[0])


def _name(words: Sequence[str]) -> str:
    """Return what a process is, of the words of its command."""
    if "tilework.web.server" in words:
        return "web"
    if "--name" in words:
        return f"worker {words[words.index('--name') + 1]}"
    if any("valkey" in word for word in words):
        return "broker"
    return "supervisor" if "up" in words else "guardian"
