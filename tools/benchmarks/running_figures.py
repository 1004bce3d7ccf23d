"""Whether a figure of a running job ever gets less, to the end of the job.

Jobs of all sizes, in moves and in slides, compete for two workers, and their time limits cut them
off.
Every second, each is read as a job, an activity, a history and an entry of a list. Its events are
followed, too. ``--kill`` kills a worker of long searches every few seconds.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any, Final

from tests.support.postgres_process import postgres_process
from tools.benchmarks.harness.boards import random_board
from tools.benchmarks.harness.client import JOBS
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle

SAMPLE_S: Final = 1.0
AT_ONCE: Final = 3
NAMES: Final = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
KILL_S: Final = 20.0
SEED: Final = 57
# The side, the metric, and the time limit in seconds.
SEARCHES: Final = (
    (3, "moves", 20),
    (3, "slides", 20),
    (4, "moves", 25),
    (4, "slides", 25),
    (5, "moves", 45),
    (5, "slides", 30),
    (6, "moves", 50),
    (10, "moves", 55),
    (20, "moves", 40),
    (30, "moves", 60),
)

Document = dict[str, Any]


@dataclass
class Shown:
    """The best values that a reader was shown, and those that got less."""

    name: str
    figures: dict[str, Any] = field(default_factory=dict)
    falls: list[str] = field(default_factory=list)
    samples: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def show(self, reader: str, figures: dict[str, Any]) -> None:
        """Compare figures with the best so far. None is less than any value."""
        with self._lock:
            self.samples += 1
            for name, value in figures.items():
                best = self.figures.get(name)
                if best is not None and (value is None or value < best):
                    self.falls.append(f"{self.name}: {name} in the {reader}: {best}, then {value}")
                else:
                    self.figures[name] = value


def read_figures(job: Document) -> dict[str, Any]:
    """Return the figures of a job, turned so that none may get less."""
    upper = job["upper_bound"]
    return {
        "nodes": job["nodes"],
        "lower bound": job["lower_bound"],
        "upper bound (negative)": None if upper is None else -upper,
        "start": job["started_at"],
    }


def read_activity(activity: Document) -> dict[str, Any]:
    """Return the figures of an activity."""
    trials = activity["trials"]
    kinds = [] if trials is None else trials["statistics"]
    return {
        "nodes": activity["nodes"],
        "progress": (activity["threshold"] or 0, activity["progress"]),
        "trials": None if trials is None else trials["ended"],
        "seconds of trials": None if trials is None else sum(kind["seconds"] for kind in kinds),
    }


def measure(options: argparse.Namespace) -> Iterator[Figure]:
    with ExitStack() as stack:
        settings: dict[str, Any] = {**UNLIMITED, "pdb_build": False, "lease_s": 3.0}
        if options.database == "postgresql":
            settings["database_url"] = stack.enter_context(postgres_process()).url
        system = stack.enter_context(running_system(**settings, workers=2))
        settle(system, *sorted({side for side, *_ in SEARCHES}))
        stopped = threading.Event()
        if options.kill:
            killer = threading.Thread(target=_kill_workers, args=(system, stopped))
            killer.start()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            jobs = list(pool.map(lambda search: follow(system, *search), SEARCHES))
        stopped.set()
        if options.kill:
            killer.join()
    for shown in jobs:
        print(f"{shown.name}: {shown.samples} samples, {shown.figures}", flush=True)
        print(*shown.falls, sep="\n", flush=True)
    how = f"{NAMES[options.database]}{', workers killed' if options.kill else ''}"
    falls = sum(len(one.falls) for one in jobs)
    yield Figure(f"figures that got less, {how}", falls, "figures", 0)


def follow(system: System, side: int, metric: str, seconds: int) -> Shown:
    """Submit a board, and read its job every second until it has ended, and once more."""
    shown = Shown(f"{side}×{side} in {metric}")
    client = system.client()
    options: dict[str, Any] = {"metric": metric, "time_limit_s": seconds}
    job = client.submit(random_board(side, SEED), **options)
    path = job["links"]["self"]
    events = threading.Thread(target=_follow_events, args=(system.server, path, shown))
    events.start()
    while True:
        job = client.read(job)
        shown.show("job", read_figures(job))
        shown.show("activity", read_activity(client.get(f"{path}/activity")))
        if history := client.get(f"{path}/history")["events"]:
            # Its last event may be older than what was shown meanwhile.
            last = history[-1]
            figures = {"lower bound": last["lower_bound"], "events": last["number"]}
            shown.show("history", figures)
        [listed] = [
            one for one in client.get(f"{JOBS}?brief=true")["jobs"] if one["id"] == job["id"]
        ]
        shown.show("list", read_figures(listed))
        if job["finished_at"] is not None:
            break
        time.sleep(SAMPLE_S)
    events.join()
    shown.show("job", read_figures(client.read(job)))
    return shown


def _follow_events(server: str, path: str, shown: Shown) -> None:
    """Compare the events with each other, because a poll can overtake them."""
    events = Shown(f"{shown.name}, events")
    version = ""
    is_over = False
    while not is_over:
        connection = HTTPConnection(server, timeout=60)
        with suppress(OSError):
            connection.request("GET", f"{path}/events?brief=true&since={version}")
            for line in connection.getresponse():
                if line.startswith(b"data: "):
                    job = json.loads(line.removeprefix(b"data: "))
                    version, is_over = job["version"], job["finished_at"] is not None
                    events.show("stream", read_figures(job))
        connection.close()
    shown.show("stream", events.figures)
    shown.falls += events.falls
    shown.samples += events.samples


def _kill_workers(system: System, stopped: threading.Event) -> None:
    while not stopped.wait(KILL_S):
        workers = {role: process for role, process in system.processes() if "worker" in role}
        for role, process in workers.items():
            if "search" in role:
                print(f"killing {role}", flush=True)
                process.kill()
                break


if __name__ == "__main__":
    run(
        "running_figures",
        __doc__,
        {"figures": measure},
        "Each run compares about a thousand responses.",
        database="sqlite",
        kill=False,
    )
