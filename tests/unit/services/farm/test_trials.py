import time
from dataclasses import replace

import pytest

from tests.support.services.detours import (
    BOARD,
    FIRST,
    GOAL,
    find_first_solution,
    find_step,
    make_moves,
    orient,
)
from tests.support.services.scripted_solver import (
    leave_parts,
    make_searched_event,
    read_proof_records,
)
from tilework.core.model.farm.solves import Bounds, Claim
from tilework.core.model.farm.workload import FarmState
from tilework.core.model.jobs import TIMED_OUT
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm import lease_renewer
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.state_machine.events import WorkersIdle
from tilework.core.solver.result import SearchResult, SliceOutcome
from tilework.core.solver.strategy import MAX_BEAM_WIDTH, MIN_AIMED_WIDTH
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome


def make_trial(detours):
    def attempt(start, end, limits):
        return TrialOutcome(orient(make_moves(detours), start, end), 100, complete=True)

    return attempt


def find_nothing(start, end, limits):
    return TrialOutcome(None, 100, complete=True)


@pytest.fixture
def running_job(service):
    """A running job that has its first solution."""
    service.solver.solve_scripts.append(find_first_solution)
    job = service.request(BOARD, goal=GOAL)
    service.work("interactive")
    return job


def lease_trial(service, owner="w") -> Claim:
    [claim] = service.worker().lease(Queue.SEARCH, owner)
    return claim


def run_trial(service, script):
    """Run one trial with a script."""
    service.solver.trial_scripts.append(script)
    count = len(service.solver.trials)
    service.worker().run("search", "w", lambda: len(service.solver.trials) > count)
    return service.solver.trials[count]


def lease_trial_of_kind(service, kind) -> Claim:
    """Run trials until one of a kind is next, and lease it."""
    while Trial.from_bytes((claim := lease_trial(service)).slice.cursor).kind is not kind:
        service.worker().give_back([claim])
        run_trial(service, find_nothing)
    return claim


def count_trials(service, job):
    """Count the trials that are waiting or running, by state."""
    with service.database.reading() as session:
        groups = session.slices.groups(job.solve_id)
    return {group.state: group.slices for group in groups if group.kind is SliceKind.IMPROVE}


def test_shorter_solutions_follow_the_first_one(service, running_job):
    view, activity = service.read.view(running_job.id), service.read.activity(running_job.id)
    assert (view.state, view.upper_bound, activity.queue) == (JobState.RUNNING, FIRST, Queue.SEARCH)
    replay(BOARD, service.read.solution(running_job.id).moves, GOAL)
    assert [trial.kind for trial in activity.trials.pending] == [TrialKind.BEAM]
    run_trial(service, make_trial(30))
    view = service.read.view(running_job.id)
    assert (view.upper_bound, view.finished) == (61, False)
    replay(BOARD, service.read.solution(running_job.id).moves, GOAL)
    history = service.read.history(running_job.id)
    methods = [(event.upper_bound, event.method) for event in history]
    assert methods == [(FIRST, "scripted"), (61, "beam")]
    trials = service.read.activity(running_job.id).trials
    [statistics] = trials.statistics
    assert (statistics.kind, statistics.trials, statistics.gained) == ("beam", 1, FIRST - 61)
    assert trials.improved_at == service.clock()
    # A longer solution changes nothing.
    run_trial(service, make_trial(40))
    assert service.read.view(running_job.id).upper_bound == 61
    service.advance_time()
    view = service.read.view(running_job.id)
    assert (view.state, view.message, view.upper_bound) == (JobState.BOUNDED, TIMED_OUT, 61)
    assert count_trials(service, running_job) == {}
    assert service.read_solve(running_job).state is SolveState.IDLE


@pytest.mark.parametrize(
    ("kind", "seconds"), [(TrialKind.WINDOWS, 3_599.9), (TrialKind.SUFFIX, 0.0)]
)
def test_shorter_segment_replaces_part_of_the_path(service, running_job, kind, seconds):
    service.clock.advance(seconds)
    claim = lease_trial_of_kind(service, kind)
    segment = service.read_solve(running_job).improvement.find(claim.slice.id)
    service.worker().give_back([claim])

    def find_shorter(start, end, limits):
        return TrialOutcome(from_letters(find_step(start, end)), 100, complete=True)

    run_trial(service, find_shorter)
    length = segment.count or FIRST
    saved_moves = length - length % 2
    assert service.read.view(running_job.id).upper_bound == FIRST - saved_moves
    replay(BOARD, service.read.solution(running_job.id).moves, GOAL)


def test_next_job_after_a_cancellation_starts_from_the_best_solution(service, running_job):
    run_trial(service, make_trial(30))
    service.cancel(running_job.id, service.client)
    assert count_trials(service, running_job) == {}
    initial_searches = len(service.solver.targets)
    board, goal = (Board(board.cells.reshape(6, 7).T.reshape(-1), 6, 7) for board in (BOARD, GOAL))
    job = service.request(board, goal=goal, client=service.clients.new())
    assert (job.upper_bound, job.finished) == (61, False)
    run_trial(service, make_trial(20))
    assert len(service.solver.targets) == initial_searches
    assert service.read.view(job.id).upper_bound == 41
    replay(board, service.read.solution(job.id).moves, goal)
    # The result of the first job does not change.
    assert service.read.view(running_job.id).upper_bound == 61
    assert service.read.activity(running_job.id).trials.pending == ()
    assert service.read.activity(job.id).trials.pending


def test_repeatedly_failing_trials_end_the_job(service, running_job):
    for _ in range(5):
        run_trial(service, RuntimeError("out of memory"))
        run_trial(service, find_nothing)
    lease_trial(service, "crashing")
    service.lose_leases()
    # Occasional failures do not end the search.
    assert not service.read.view(running_job.id).finished
    for _ in range(4):
        run_trial(service, RuntimeError("out of memory"))
    view = service.read.view(running_job.id)
    assert (view.state, view.message.code) == (JobState.BOUNDED, "quarantined")
    assert view.upper_bound == FIRST
    repeated = service.request(BOARD, goal=GOAL)
    assert not repeated.finished
    assert count_trials(service, repeated) == {SliceState.READY: 1}


def test_idle_workers_get_their_own_trials(service, running_job):
    for name in ("w", "idle 1", "idle 2"):
        Heartbeat(service.database, name).beat()
    counts = []

    def wait_for_trials(start, end, limits):
        while SliceState.READY not in count_trials(service, running_job):
            time.sleep(0.01)
        counts.append(count_trials(service, running_job))
        return find_nothing(start, end, limits)

    service.solver.trial_scripts.append(wait_for_trials)
    service.worker().run("search", "w", lambda: bool(counts))
    assert counts == [{SliceState.LEASED: 1, SliceState.READY: 2}]
    # Trials for the idle workers are already queued.
    claim = lease_trial(service)
    pending_trials = service.read_solve(running_job).improvement.pending_trials
    service.apply_event(WorkersIdle(claim.slice, 2, FarmState()))
    assert service.read_solve(running_job).improvement.pending_trials == pending_trials
    numbers = [claim.trial.number for claim in pending_trials]
    assert len(set(numbers)) == len(numbers) >= 3


GOAL_20 = Board([*range(1, 15), 0, *range(15, 20)], 5, 4)
BOARD_20 = Board([*range(1, 11), 0, *range(11, 20)], 5, 4)
LENGTH_20 = 4


def find_shortest(board, goal, limits):
    return TrialOutcome(from_letters(find_step(board, goal, LENGTH_20)), 1_000, complete=True)


@pytest.fixture
def searching(service):
    """Services whose initial search of the 20-cell board finds a solution that is too long."""

    def find_long_solution(board, goal, limits):
        letters = "LR" * 4 + find_step(board, goal, LENGTH_20)
        return SearchResult(0, from_letters(letters), "scripted")

    service.solver.first_threshold = lambda board, goal: 0
    service.solver.solve_scripts.extend([find_long_solution, find_long_solution])
    return service


def finish_threshold(service, nodes):
    """Finish a threshold that took this number of nodes."""
    worker = service.worker()
    claims = worker.lease(Queue.SEARCH, "w")
    [claim] = [claim for claim in claims if claim.slice.kind is SliceKind.SEARCH]
    outcome = SliceOutcome(nodes, claim.slice.threshold + 2, None, (), "scripted")
    service.apply_event(make_searched_event(claim.slice, outcome, seconds=0.0))
    assert service.complete_checks() == 1


def list_ready_slices(service):
    with service.database.writing() as session:
        claims = session.slices.next(Queue.SEARCH, 10)
    return [claim.slice for claim in claims]


def list_ready_kinds(service):
    return [slice_.kind for slice_ in list_ready_slices(service)]


# A beam may use a quarter of these nodes for the moves of a solution.
ENOUGH_NODES = LENGTH_20 * 4 * MIN_AIMED_WIDTH


def start_search(service):
    job = service.request(BOARD_20, goal=GOAL_20)
    # Reset the lower bound: the Manhattan distance is already the optimal length.
    with service.database.writing() as session:
        solve = session.solves.lock(job.solve_id)
        session.solves.save(replace(solve, bounds=Bounds(0, solve.upper_bound)), service.clock())
    service.work("interactive")
    return job


def test_long_threshold_begins_with_a_beam_within_the_memory_limit(searching):
    job = start_search(searching)
    finish_threshold(searching, ENOUGH_NODES // 10)
    assert list_ready_kinds(searching) == [SliceKind.SEARCH]
    finish_threshold(searching, 10**9)
    beam, root = list_ready_slices(searching)
    assert (beam.kind, root.kind) == (SliceKind.IMPROVE, SliceKind.SEARCH)
    assert searching.count_slices(job) == {SliceState.READY: 1}
    assert (Trial.from_bytes(beam.cursor).width, beam.threshold) == (MAX_BEAM_WIDTH, root.threshold)


def test_better_solution_that_meets_the_bound_ends_the_job(searching, monkeypatch):
    monkeypatch.setattr(lease_renewer, "search_clock", searching.clock)
    job = start_search(searching)
    finish_threshold(searching, ENOUGH_NODES // 10)
    finish_threshold(searching, ENOUGH_NODES)

    def find_after_a_while(board, goal, limits):
        searching.clock.advance(10.0)
        return find_shortest(board, goal, limits)

    searching.solver.trial_scripts.append(find_after_a_while)
    searching.work("search")
    [trial] = searching.solver.trials
    assert trial.width >= MIN_AIMED_WIDTH
    view = searching.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.OPTIMAL, LENGTH_20)
    assert view.search_s >= 10.0
    replay(BOARD_20, searching.read.solution(job.id).moves, GOAL_20)
    assert searching.read_solve(job).state is SolveState.SETTLED
    # The proof does not contain the beam.
    with searching.database.reading() as session:
        proof = read_proof_records(session, job.solve_id)
    assert [slice_.threshold for slice_ in proof] == [0, 2]


@pytest.mark.parametrize("failure", ["error", "lost lease"])
def test_failed_beam_is_not_retried(searching, failure):
    job = start_search(searching)
    finish_threshold(searching, ENOUGH_NODES)
    if failure == "error":
        searching.solver.trial_scripts.append(RuntimeError("out of memory"))
        searching.solver.search_scripts.append(leave_parts())
        searching.worker().run("search", "w", lambda: bool(searching.solver.trials))
    else:
        while searching.claim("search"):
            pass
        searching.lose_leases()
    assert SliceKind.IMPROVE not in list_ready_kinds(searching)
    assert searching.read.view(job.id).state is JobState.RUNNING
