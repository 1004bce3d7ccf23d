"""Any order of requests, work, accidents and time: what must hold always, holds.

Workers and reconcilers read now and write later, whatever has happened between; clients ask for
different algorithms on one board; and the wall clock of the host is wrong.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import bindparam, func, select

from tests.support.services.house import furnish
from tests.support.services.staging import (
    ANY,
    ROOT,
    ScriptedSolver,
    best,
    bounded,
    cancelled,
    in_parts,
    nothing,
    optimal,
    search_end,
    searched,
)
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.services.farm.life.endings import METHOD_DONE, NO_SOLUTION, TIME_OVER
from tilework.core.services.farm.life.events import LeaseLost, Opened
from tilework.core.services.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.solver.names import Algorithm
from tilework.core.solver.strategy import deepens
from tilework.core.solver.target import Target
from tilework.core.storage.database import Database
from tilework.core.storage.models import slice_, solve

GOAL = blank_last(Size(3, 2))
BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in (1, 2, 3)]
QUEUES = ("interactive", "batch", "search")


# The shares of what is left of a search, and the share that is done.
LEFT = (
    select(func.sum(slice_.c.share), func.max(solve.c.covered))
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(
        solve.c.id == bindparam("id"),
        slice_.c.kind == SliceKind.SEARCH,
        slice_.c.state != SliceState.DONE,
    )
)


def ended(claim, opening, search):
    """How the run of a claim ends, by scripts."""
    piece = claim.slice
    board, goal = unpack_board(claim.puzzle.board_bytes), unpack_board(claim.puzzle.goal_bytes)
    if piece.kind is SliceKind.SEARCH:
        return search_end(piece, search(board, goal, piece.threshold, piece.cursor, None))
    result = opening(board, goal, Limits())
    threshold = None
    if deepens(piece.course.algorithm, board.size.cells) and not result.optimal:
        threshold = max(result.lower_bound, len(best(board, goal)) - 4)
    return Opened(piece, result, threshold, ROOT, 0.0, 0.1)


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
        self.claimed = []
        self.read = []
        self.patch = pytest.MonkeyPatch()

    @rule(
        board=st.sampled_from(BOARDS),
        asked=st.sampled_from([Target(), ANY]),
        seconds=st.sampled_from([20, 10_000]),
        algorithm=st.sampled_from(
            [Algorithm.AUTO, Algorithm.CONSTRUCTIVE, Algorithm.BEAM, Algorithm.A_STAR]
        ),
    )
    def submit(self, board, asked, seconds, algorithm):
        job = self.house.ask(board, asked, seconds=seconds, algorithm=algorithm)
        self.jobs[job.id] = job.version

    @rule(data=st.data())
    def cancel(self, data):
        if self.jobs:
            job_id = data.draw(st.sampled_from(sorted(self.jobs)))
            self.house.cancel(job_id, self.house.client)

    @rule(script=st.sampled_from([optimal, bounded, nothing, cancelled, accident]))
    def open(self, script):
        self.house.solver.openings.append(script)
        self.house.worker().serve("interactive", "w", lambda: not self.house.solver.openings)
        self.accident |= script is accident and not self.house.solver.openings
        self.house.solver.openings.clear()

    @rule(script=st.sampled_from([searched, in_parts(0.3), in_parts(0.2, 0.2), accident]))
    def search(self, script):
        self.house.solver.runnings.append(script)
        self.house.worker().serve("search", "w", lambda: not self.house.solver.runnings)
        self.accident |= script is accident and not self.house.solver.runnings
        self.house.solver.runnings.clear()

    @rule(queue=st.sampled_from(QUEUES))
    def lose_a_worker(self, queue):
        self.accident |= self.house.claim(queue) > 0

    @rule(queue=st.sampled_from(QUEUES), owner=st.sampled_from(["a", "b"]))
    def claim(self, queue, owner):
        """A worker takes a slice and is at it for as long as it pleases."""
        claims = self.house.worker()._claims.take(Queue(queue), owner)
        self.claimed += [(claim, owner) for claim in claims]
        self.accident |= len(claims) > 0

    @precondition(lambda self: self.claimed)
    @rule(
        data=st.data(),
        opening=st.sampled_from([optimal, bounded, nothing, cancelled]),
        search=st.sampled_from([searched, in_parts(0.3), in_parts(0.2, 0.2)]),
    )
    def end(self, data, opening, search):
        """A worker comes back with what it has found, maybe too late."""
        place = data.draw(st.integers(0, len(self.claimed) - 1))
        claim, _ = self.claimed.pop(place)
        self.house.settle(ended(claim, opening, search))

    @rule()
    def read_expired(self):
        with self.house.database.reading() as session:
            self.read += session.slices.expired(self.house.clock())

    @precondition(lambda self: self.read)
    @rule()
    def write_expired(self):
        self.house.settle(LeaseLost(self.read.pop()))

    @rule(seconds=st.sampled_from([-60, 0, 60]))
    def set_the_wall_clock(self, seconds):
        self.patch.setattr(time, "time", lambda: self.house.clock() + seconds)

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
                fruitless = view.message == NO_SOLUTION
                assert (view.state is JobState.FAILED) == fruitless
                assert view.upper_bound is None or not fruitless
                assert fruitless or view.message in (None, TIME_OVER, METHOD_DONE)

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
                assert view.id not in self.unserved(solve.id)
        for job_id in self.jobs:
            solve = self.house.solve_of(self.house.read.view(job_id))
            assert (solve.state is SolveState.ACTIVE) == (solve.id in waiting)

    def unserved(self, solve_id):
        """Jobs for which no slice is at work, nor waits."""
        with self.house.database.writing() as session:
            found = session.lives.situation(session.solves.lock(solve_id))
            live = [
                group
                for group in found.work
                if group.state in (SliceState.READY, SliceState.LEASED)
            ]
            return {
                job.id
                for job in found.jobs
                if not any(
                    group.course == job.course
                    if group.kind is SliceKind.OPEN
                    else deepens(job.course.algorithm, 6)
                    for group in live
                )
            }

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

    @invariant()
    def a_tree_is_covered_once(self):
        """By what is done of it and what is left: nothing comes back to life, nothing is lost."""
        for one in {self.house.solve_of(self.house.read.view(job)).id for job in self.jobs}:
            with self.house.database.engine(writes=False).connect() as connection:
                left, covered = connection.execute(LEFT, {"id": one}).one()
            if left is not None:
                assert covered + left == pytest.approx(1)

    def teardown(self):
        self.patch.undo()
        self.house.solver = ScriptedSolver()
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
