from contextlib import suppress
from dataclasses import replace

import pytest

from tests.support.services.scripted_solver import (
    leave_parts,
    make_searched_event,
    read_proof_records,
)
from tilework.core.errors import ReplayError
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm import lease_renewer
from tilework.core.solver.result import SearchResult, SliceOutcome
from tilework.core.solver.strategy import MAX_BEAM_WIDTH, MIN_AIMED_WIDTH
from tilework.core.solver.trial import Trial, TrialOutcome

GOAL = Board([*range(1, 15), 0, *range(15, 20)], 5, 4)
BOARD = Board([*range(1, 11), 0, *range(11, 20)], 5, 4)
LENGTH = 4


def find_line_of_moves(board, goal):
    for letter in "LRUD":
        with suppress(ReplayError):
            replay(board, from_letters(letter * LENGTH), goal)
            return letter * LENGTH
    raise AssertionError("no line of four moves leads to the goal")


def find_shortest(board, goal, limits):
    return TrialOutcome(from_letters(find_line_of_moves(board, goal)), 1_000, complete=True)


@pytest.fixture
def searching(service):
    """Services whose initial search of the 20-cell board finds a solution that is too long."""

    def find_long_solution(board, goal, limits):
        return SearchResult(0, from_letters("LR" * 4 + find_line_of_moves(board, goal)), "scripted")

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
ENOUGH_NODES = LENGTH * 4 * MIN_AIMED_WIDTH


def start_search(service):
    job = service.request(BOARD, goal=GOAL)
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
    assert (view.state, view.upper_bound) == (JobState.OPTIMAL, LENGTH)
    assert view.search_s >= 10.0
    replay(BOARD, searching.read.solution(job.id).moves, GOAL)
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
