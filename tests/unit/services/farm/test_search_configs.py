"""Clients who ask for different algorithms on one board: each runs its own config."""

from tests.support.services.staging import BOARD, LENGTH, bounded, longer
from tilework.core.model.jobs import METHOD_DONE
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Statistics
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.solver.result import SearchResult
from tilework.core.solver.strategy import LONG_OPENING_S
from tilework.core.solver.target import Algorithm, Heuristic

AUTO, BEAM, CONSTRUCTIVE = Algorithm.AUTO, Algorithm.BEAM, Algorithm.CONSTRUCTIVE
A_STAR, IDA_STAR = Algorithm.A_STAR, Algorithm.IDA_STAR


def openings(house, job):
    with house.database.reading() as session:
        groups = session.slices.groups(job.solve_id)
    return {str(group.config) for group in groups if group.kind is SliceKind.OPEN}


def test_each_algorithm_has_its_own_opening_and_the_same_one_is_shared(house):
    jobs = [house.ask(BOARD, algorithm=one) for one in (CONSTRUCTIVE, BEAM, AUTO, AUTO)]
    other = house.ask(BOARD, algorithm=A_STAR, heuristic=Heuristic.MANHATTAN)
    quick = {"constructive:auto", "auto:auto", "a-star:manhattan"}
    assert openings(house, other) == {*quick, "beam:auto"}
    # A waiting one is withdrawn with the last who asked.
    house.cancel(jobs[1].id, house.client)
    house.cancel(jobs[2].id, house.client)
    assert openings(house, other) == quick


def test_one_job_ends_by_its_own_algorithm_alone_which_is_not_run_again(house):
    house.solver.openings.append(bounded)
    quick = house.ask(BOARD, algorithm=CONSTRUCTIVE)
    proving = house.ask(BOARD)
    house.worker().serve("interactive", "w", lambda: len(house.solver.algorithms) == 1)
    done = house.read.view(quick.id)
    assert (done.state, done.message) == (JobState.BOUNDED, METHOD_DONE)
    assert not house.read.view(proving.id).finished
    again = house.ask(BOARD, algorithm=CONSTRUCTIVE)
    assert (again.cached, again.state, again.message) == (True, JobState.BOUNDED, METHOD_DONE)
    house.work()
    assert house.solver.algorithms == [CONSTRUCTIVE, AUTO]
    assert house.read.view(proving.id).state is JobState.OPTIMAL
    assert house.read.view(quick.id) == done


def test_a_beam_on_its_own_takes_as_long_as_its_strategy_says(house):
    seen = []

    def beams(board, goal, limits, found):
        seen.append(limits.seconds)
        return SearchResult(0, longer(board, goal), "beam", Statistics(generated=9))

    house.solver.watched.append(beams)
    job = house.ask(BOARD, algorithm=BEAM)
    assert job.queue == "search"
    house.work()
    assert seen == [LONG_OPENING_S]
    done = house.read.view(job.id)
    assert (done.state, done.message) == (JobState.BOUNDED, METHOD_DONE)
    assert done.upper_bound == LENGTH + 2
    assert house.solver.searched == []


def test_a_search_serves_all_who_want_a_proof_and_nobody_else(house):
    house.solver.openings.extend([bounded, bounded])
    proving = house.ask(BOARD)
    house.work("interactive")
    piece = house.take()
    other = house.ask(BOARD, algorithm=A_STAR)
    assert other.queue == "search"
    assert openings(house, other) == set()
    quick = house.ask(BOARD, algorithm=CONSTRUCTIVE)
    house.cancel(proving.id, house.client)
    with house.database.reading() as session:
        assert session.slices.wanted([piece.id], "w") == {piece.id}
    house.cancel(other.id, house.client)
    with house.database.reading() as session:
        assert session.slices.wanted([piece.id], "w") == set()
    house.lose_leases()
    assert house.slices_of(quick) == {SliceState.READY: 1, SliceState.PARKED: 1}
    house.work()
    assert house.solver.searched == []
    assert house.read.view(quick.id).state is JobState.BOUNDED


def test_a_long_thin_board_has_its_first_solution_however_long_that_takes(
    make_house, pattern_databases
):
    house = make_house(open_slice_s=1e-6)
    house.solver = LocalSolver(pattern_databases)
    goal = blank_last(Size(40, 2))
    board = scramble(goal.size, goal, seed=1)
    job = house.ask(board, goal=goal)
    house.worker().serve("interactive", "w", lambda: False)
    replay(board, house.read.solution(job.id).moves, goal)
    thin = blank_last(Size(3_000, 2))
    assert house.ask(next(thin.neighbors()), goal=thin).queue is Queue.SEARCH
