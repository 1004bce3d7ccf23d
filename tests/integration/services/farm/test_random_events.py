"""The invariants of solves and jobs, checked after random requests, work, failures and delays.

Other events occur between the reads and the writes of workers and reconcilers; clients request
different algorithms for one board; and the clock of the host is wrong.
"""

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

from tests.support.services.scripted_solver import (
    ANY,
    ROOT,
    ScriptedSolver,
    leave_parts,
    make_searched_event,
    search_whole_tree,
    shortest_solution,
    solve_bounded,
    solve_cancelled,
    solve_optimally,
    stop_without_solution,
)
from tests.support.services.service_fixture import make_service_fixture
from tilework.core.model.jobs import METHOD_DONE, NO_SOLUTION, TIMED_OUT
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.services.farm.state_machine.events import InitialSearchEnded, LeaseLost
from tilework.core.solver.strategy import uses_thresholds
from tilework.core.solver.target import Algorithm, Target
from tilework.core.storage.database import Database
from tilework.core.storage.models import slice_, solve

GOAL = blank_last(Size(3, 2))
BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in (1, 2, 3)]
OPENINGS = [solve_optimally, solve_bounded, stop_without_solution, solve_cancelled]
SEARCHES = [search_whole_tree, leave_parts(0.3), leave_parts(0.2, 0.2)]
QUEUES = ("interactive", "batch", "search")

# The total share of the unfinished slices of a search, and the share that is covered.
UNFINISHED = (
    select(func.sum(slice_.c.share), func.max(solve.c.covered))
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(
        solve.c.id == bindparam("id"),
        slice_.c.kind == SliceKind.SEARCH,
        slice_.c.state != SliceState.DONE,
    )
)


def make_end_event(claim, opening, search):
    """Return the event that ends the claimed work, with a scripted result."""
    slice_ = claim.slice
    board, goal = unpack_board(claim.puzzle.board_bytes), unpack_board(claim.puzzle.goal_bytes)
    if slice_.kind is SliceKind.SEARCH:
        return make_searched_event(
            slice_, search(board, goal, slice_.threshold, slice_.cursor, None)
        )
    result = opening(board, goal, Limits())
    threshold = None
    if uses_thresholds(slice_.config.algorithm, board.size.cells) and not result.optimal:
        threshold = max(result.lower_bound, len(shortest_solution(board, goal)) - 4)
    return InitialSearchEnded(slice_, result, threshold, ROOT, 0.0, 0.1)


def fail(*_):
    raise RuntimeError("failure")


class SolveHistory(RuleBasedStateMachine):
    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="tilework-history-"))
        path = self.folder / "tilework.sqlite"
        shutil.copyfile(self.template, path)
        self.service = make_service_fixture(Database(f"sqlite:///{path}"), self.folder)
        self.jobs = {}
        self.final_versions = {}
        self.bounds = {}
        self.has_failed = False
        self.claims = []
        self.expired = []
        self.patch = pytest.MonkeyPatch()

    @rule(
        board=st.sampled_from(BOARDS),
        job_target=st.sampled_from([Target(), ANY]),
        seconds=st.sampled_from([20, 10_000]),
        algorithm=st.sampled_from(["auto", "constructive", "beam", "a-star"]),
    )
    def submit(self, board, job_target, seconds, algorithm):
        job = self.service.request(
            board, job_target, seconds=seconds, algorithm=Algorithm(algorithm)
        )
        self.jobs[job.id] = job.version

    @rule(data=st.data())
    def cancel(self, data):
        if self.jobs:
            job_id = data.draw(st.sampled_from(sorted(self.jobs)))
            self.service.cancel(job_id, self.service.client)

    @rule(script=st.sampled_from([*OPENINGS, fail]))
    def open(self, script):
        self.run_script("interactive", self.service.solver.solve_scripts, script)

    @rule(script=st.sampled_from([*SEARCHES, fail]))
    def search(self, script):
        self.run_script("search", self.service.solver.search_scripts, script)

    def run_script(self, queue, scripts, script):
        scripts.append(script)
        self.service.worker().run(queue, "w", lambda: not scripts)
        self.has_failed |= script is fail and not scripts
        scripts.clear()

    @rule(queue=st.sampled_from(QUEUES), owner=st.sampled_from(["a", "b"]))
    def claim(self, queue, owner):
        """Let a worker lease a slice, and keep it for any time."""
        claims = self.service.worker().lease(Queue(queue), owner)
        self.claims += [(claim, owner) for claim in claims]
        self.has_failed |= len(claims) > 0

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), opening=st.sampled_from(OPENINGS), search=st.sampled_from(SEARCHES))
    def end(self, data, opening, search):
        """Let a worker end its slice, perhaps too late."""
        index = data.draw(st.integers(0, len(self.claims) - 1))
        claim, _ = self.claims.pop(index)
        self.service.apply_event(make_end_event(claim, opening, search))

    @rule()
    def read_expired(self):
        with self.service.database.reading() as session:
            self.expired += session.slices.expired(self.service.clock())

    @precondition(lambda self: self.expired)
    @rule()
    def report_expired(self):
        self.service.apply_event(LeaseLost(self.expired.pop()))

    @rule(seconds=st.sampled_from([-60, 0, 60]))
    def set_wall_clock(self, seconds):
        self.patch.setattr(time, "time", lambda: self.service.clock() + seconds)

    @rule(seconds=st.sampled_from([1, 16, 4_000]))
    def wait(self, seconds):
        self.service.clock.advance(seconds)

    @rule()
    def reconcile(self):
        self.service.reconcile.run_once()

    @invariant()
    def check_jobs_and_solves(self):
        views = [self.service.read.view(job_id) for job_id in self.jobs]
        solves = {view.id: self.service.read_solve(view) for view in views}
        active_ids = {solves[view.id].id for view in views if not view.finished}
        for view in views:
            self.check_end(view)
            self.check_bounds(view, solves[view.id])
            if not view.finished:
                states = self.service.count_slices(view).keys()
                assert states & {SliceState.READY, SliceState.LEASED}
        for record in {record.id: record for record in solves.values()}.values():
            # A solve is active if and only if a job waits for it.
            assert (record.state is SolveState.ACTIVE) == (record.id in active_ids)
            self.check_tree(record)

    def check_end(self, view):
        """Check that ended jobs do not change, and that no job fails without a cause."""
        if view.finished:
            assert self.final_versions.setdefault(view.id, view.version) == view.version
        else:
            assert view.id not in self.final_versions
        if not self.has_failed:
            without_solution = view.message == NO_SOLUTION
            assert (view.state is JobState.FAILED) == without_solution
            assert view.upper_bound is None or not without_solution
            is_cached_method = view.cached and view.options.algorithm != Algorithm.AUTO
            if not (without_solution or is_cached_method):
                assert view.message in (None, TIMED_OUT, METHOD_DONE)

    def check_bounds(self, view, solve):
        """Check that bounds only improve, and that the optimal length is between them."""
        length = len(shortest_solution(view.board, GOAL))
        lower, upper = self.bounds.get(solve.id, (0, 10**9))
        self.bounds[solve.id] = (solve.lower_bound, solve.upper_bound or 10**9)
        assert lower <= solve.lower_bound <= length <= (solve.upper_bound or 10**9) <= upper
        if view.state is JobState.OPTIMAL:
            assert view.upper_bound == length

    def check_tree(self, solve):
        """Check that finished and unfinished slices cover the tree exactly once."""
        with self.service.database.engine(writes=False).connect() as connection:
            unfinished, covered = connection.execute(UNFINISHED, {"id": solve.id}).one()
        if unfinished is not None:
            assert covered + unfinished == pytest.approx(1)

    def teardown(self):
        self.patch.undo()
        self.service.solver = ScriptedSolver()
        for _ in range(8):
            self.service.clock.advance(20)
            self.service.reconcile.run_once()
            self.service.work()
        for job_id in self.jobs:
            view = self.service.read.view(job_id)
            assert view.finished
            if view.upper_bound is not None:
                replay(view.board, self.service.read.solution(job_id).moves, GOAL)
        self.service.database.dispose()
        shutil.rmtree(self.folder)


def run_histories(template: Path, count: int, **options: bool) -> None:
    SolveHistory.template = template
    run_state_machine_as_test(
        SolveHistory,
        settings=settings(
            max_examples=count,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            **options,
        ),
    )


def test_invariants_hold_after_random_events(sqlite_template):
    run_histories(sqlite_template, 25, derandomize=True, database=None)
