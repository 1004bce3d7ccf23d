"""Any order of requests, work, accidents and time: what must hold always, holds."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from core.puzzle.board import Size
from core.puzzle.goals import blank_last
from core.puzzle.replay import replay
from core.puzzle.scramble import scramble
from core.search.target import Target
from core.services.states import JobState, SliceState, SolveState
from core.storage.database import Database
from tests.core.services.conftest import furnish
from tests.core.services.staging import (
    ANY,
    ScriptedEngine,
    best,
    bounded,
    cancelled,
    in_parts,
    nothing,
    optimal,
    searched,
)

GOAL = blank_last(Size(3, 2))
BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in (1, 2, 3)]
QUEUES = ("interactive", "batch", "search")


def accident(*_):
    raise RuntimeError("accident")


class Life(RuleBasedStateMachine):
    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="tilework-life-"))
        path = self.folder / "tilework.sqlite"
        shutil.copyfile(self.template, path)
        self.house = furnish(Database(f"sqlite:///{path}"), self.folder)
        self.jobs = {}
        self.ended = {}
        self.bounds = {}
        self.accident = False

    @rule(
        board=st.sampled_from(BOARDS),
        wish=st.sampled_from([Target(), ANY]),
        seconds=st.sampled_from([20, 10_000]),
    )
    def submit(self, board, wish, seconds):
        job = self.house.ask(board, wish, seconds=seconds)
        self.jobs[job.id] = job.version

    @rule(data=st.data())
    def cancel(self, data):
        if self.jobs:
            job_id = data.draw(st.sampled_from(sorted(self.jobs)))
            self.house.cancel(job_id, self.house.client)

    @rule(script=st.sampled_from([optimal, bounded, nothing, cancelled, accident]))
    def open(self, script):
        self.house.engine.openings.append(script)
        self.house.worker().run("interactive", "w", lambda: not self.house.engine.openings)
        self.accident |= script is accident and not self.house.engine.openings
        self.house.engine.openings.clear()

    @rule(script=st.sampled_from([searched, in_parts(0.3), in_parts(0.2, 0.2), accident]))
    def search(self, script):
        self.house.engine.runnings.append(script)
        self.house.worker().run("search", "w", lambda: not self.house.engine.runnings)
        self.accident |= script is accident and not self.house.engine.runnings
        self.house.engine.runnings.clear()

    @rule(queue=st.sampled_from(QUEUES))
    def lose_a_worker(self, queue):
        self.accident |= self.house.claim(queue) > 0

    @rule(seconds=st.sampled_from([1, 16, 4_000]))
    def wait(self, seconds):
        self.house.clock.turn(seconds)

    @rule()
    def reconcile(self):
        self.house.reconcile.run_once()

    @invariant()
    def what_has_ended_stays(self):
        for job_id in self.jobs:
            view = self.house.read.view(job_id)
            if view.finished:
                assert self.ended.setdefault(job_id, view.version) == view.version
            else:
                assert job_id not in self.ended

    @invariant()
    def nothing_fails_without_an_accident(self):
        if not self.accident:
            for job_id in self.jobs:
                view = self.house.read.view(job_id)
                assert view.state is not JobState.FAILED
                assert view.message is None or "time limit" in view.message

    @invariant()
    def work_goes_on_exactly_where_somebody_waits(self):
        waiting = set()
        for job_id in self.jobs:
            view = self.house.read.view(job_id)
            solve = self.house.solve_of(view)
            if not view.finished:
                waiting.add(solve.id)
                assert solve.state is SolveState.ACTIVE
                slices = self.house.slices_of(view)
                assert slices.keys() & {SliceState.READY, SliceState.LEASED}
        for job_id in self.jobs:
            solve = self.house.solve_of(self.house.read.view(job_id))
            assert (solve.state is SolveState.ACTIVE) == (solve.id in waiting)

    @invariant()
    def bounds_close_in_on_the_truth(self):
        for job_id in self.jobs:
            view = self.house.read.view(job_id)
            solve = self.house.solve_of(view)
            lower, upper = self.bounds.get(solve.id, (0, 10**9))
            self.bounds[solve.id] = (solve.lower_bound, solve.upper_bound or 10**9)
            assert lower <= solve.lower_bound <= len(best(view.board, GOAL))
            assert len(best(view.board, GOAL)) <= (solve.upper_bound or 10**9) <= upper
            if view.state is JobState.OPTIMAL:
                assert view.upper_bound == len(best(view.board, GOAL))

    def teardown(self):
        self.house.engine = ScriptedEngine()
        for _ in range(8):
            self.house.clock.turn(20)
            self.house.reconcile.run_once()
            self.house.work()
        for job_id in self.jobs:
            view = self.house.read.view(job_id)
            assert view.finished
            if view.upper_bound is not None:
                replay(view.board, self.house.read.solution(job_id).moves, GOAL)
        self.house.database.dispose()
        shutil.rmtree(self.folder)


@pytest.mark.timeout(600)
def test_any_life(sqlite_template):
    Life.template = sqlite_template
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=40,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
