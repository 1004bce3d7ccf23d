"""One run: a system, clients that ask all the time, and one outage after the other."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.chaos.checking.checker import read_all, wrongs_of, wrongs_of_rows
from tools.chaos.load import boards
from tools.chaos.load.client import Client
from tools.chaos.load.history import History
from tools.chaos.outages.kinds import OUTAGES, Outage
from tools.chaos.outages.probes import KINDS, LONG_POLL_S, Heard, Known, Probe
from tools.chaos.system.database import Records
from tools.chaos.system.whole import System, running_system

LONGEST_S: Final = 1.0
"""The longest that an answer may take."""

_CALM_S: Final = 3.0
_PATIENCE_S: Final = 120.0
_NORMAL: Final = (200, 202)


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes
    ----------
    names : sequence of str
        Outages of the database's kind.
    shortened : float
        Share of its time that each outage lasts.
    """

    database: str
    names: Sequence[str]
    databases_dir: Path
    seed: int = 1
    shortened: float = 1.0
    lease_s: float = 3.0


@dataclass
class Course:
    """How one outage went.

    Attributes
    ----------
    slowest_s : dict of str to float
        The longest that each kind of request waited for its answer, from the beginning of the
        outage to a little after its end.
    refused : dict of str to int
        Answers of 503.
    ended_s : float
        How long after the outage the last job ended that was accepted before its end.
    """

    name: str
    seconds: float
    jobs: int = 0
    answers: int = 0
    slowest_s: dict[str, float] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    ended_s: float = 0.0
    wrongs: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Stage:
    system: System
    records: Records
    history: History
    known: Known


def run(plan: Plan) -> list[Course]:
    """Run a plan; the system's folder stays where something was wrong."""
    folder = Path(tempfile.mkdtemp(prefix="tilework-outages-"))
    history = History()
    with running_system(folder / "data", plan.database, plan.lease_s, plan.databases_dir) as system:
        records = Records(system.database_url)
        try:
            known = _warm_up(system, history)
            stage = _Stage(system, records, history, known)
            courses = [_course(plan, name, stage) for name in plan.names]
        finally:
            records.dispose()
    if any(course.wrongs for course in courses):
        print(f"the logs are in {folder}")
    else:
        shutil.rmtree(folder)
    return courses


def _warm_up(system: System, history: History) -> Known:
    """Have a board of each size solved: what is loaded once is loaded before the clock starts."""
    client = Client(system.front.port, history)
    choose = random.Random(0)
    for puzzle in (boards.middle(choose, 40), boards.small(choose)):
        job = client.insist("POST", "/api/v1/jobs", {"board": puzzle.tiles}).document
        while job["finished_at"] is None:
            job = client.insist("GET", f"/api/v1/jobs/{job['id']}?wait=5").document
    client.close()
    return Known(job["id"], job["version"], puzzle)


def _course(plan: Plan, name: str, stage: _Stage) -> Course:
    outage = OUTAGES[plan.database][name]
    course = Course(name, outage.seconds * plan.shortened)
    before = set(stage.history.jobs)
    heard: list[Heard] = []
    with _asking(stage, heard, plan.seed):
        time.sleep(_CALM_S)
        began = time.monotonic()
        end_it = outage.begin(stage.system)
        try:
            time.sleep(course.seconds)
        finally:
            end_it()
        ended = time.monotonic()
        time.sleep(_CALM_S)
    if not stage.records.await_that(lambda: stage.records.unfinished() == 0, _PATIENCE_S):
        course.wrongs.append(f"jobs have not ended {_PATIENCE_S:g} s after the outage")
    last = stage.records.rows("SELECT max(finished_at) FROM job")[0][0]
    course.ended_s = max(0.0, last - time.time() + time.monotonic() - ended)
    within = [one for one in heard if began <= one.at + one.seconds]
    course.answers = len(within)
    course.jobs = len(set(stage.history.jobs) - before)
    for kind in KINDS:
        mine = [one for one in within if one.kind == kind]
        course.slowest_s[kind] = max(one.waited_s(began) for one in mine)
        course.refused[kind] = sum(one.status == 503 for one in mine)
    course.wrongs += wrong_answers(outage, heard, began, ended)
    course.wrongs += _wrong_jobs(stage, before)
    return course


@contextmanager
def _asking(stage: _Stage, heard: list[Heard], seed: int) -> Iterator[None]:
    """Have a client ask for each kind of thing meanwhile."""
    port, history, known = stage.system.front.port, stage.history, stage.known
    probes = [Probe(kind, port, history, known, heard=heard, seed=seed) for kind in KINDS]
    for probe in probes:
        probe.start()
    try:
        yield
    finally:
        for probe in probes:
            probe.stop()
        for probe in probes:
            probe.join()


def wrong_answers(
    outage: Outage, heard: Sequence[Heard], began: float, ended: float
) -> Iterator[str]:
    """Tell which answers were wrong or late, by the times at which an outage began and ended."""
    for one in heard:
        after = f"{one.at + one.seconds - began:.2f} s after the beginning"
        allowed = one.status in _NORMAL or (one.kind in outage.refused and one.status == 503)
        if not allowed:
            yield f"{one.kind} was answered {one.status} {after}"
        if one.status == 503 and one.kind != "readyz" and not one.says_when:
            yield f"{one.kind} was answered 503 without Retry-After {after}"
        waits = LONG_POLL_S if one.kind == "long-poll" else 0.0
        if one.waited_s(began) > LONGEST_S + waits:
            yield f"{one.kind} took {one.waited_s(began):.2f} s, until {after}"
    noticed = [one for one in heard if began < one.at < ended and one.status == 503]
    if not noticed:
        yield "nobody noticed the outage"


def _wrong_jobs(stage: _Stage, before: set[str]) -> Iterator[str]:
    history = stage.history
    client = Client(stage.system.front.port, history)
    solutions = read_all(client, history)
    client.close()
    for name in set(history.jobs) - before:
        yield from (
            f"{name} {words}" for words in wrongs_of(history.jobs[name], solutions.get(name))
        )
    yield from wrongs_of_rows(stage.records, history)
    yield from history.wrongs
    history.wrongs.clear()
