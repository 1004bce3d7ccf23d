from tests.support.services.scripted_solver import BOARD, LENGTH, longer_solution, solve_bounded
from tilework.core.model.jobs import METHOD_DONE
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Statistics
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.solver.result import SearchResult
from tilework.core.solver.strategy import LONG_INITIAL_SEARCH_S
from tilework.core.solver.target import Algorithm, Heuristic

AUTO, BEAM, CONSTRUCTIVE = Algorithm.AUTO, Algorithm.BEAM, Algorithm.CONSTRUCTIVE
A_STAR, IDA_STAR = Algorithm.A_STAR, Algorithm.IDA_STAR


def read_initial_searches(service, job):
    with service.database.reading() as session:
        groups = session.slices.groups(job.solve_id)
    return {str(group.config) for group in groups if group.kind is SliceKind.INITIAL}


def test_jobs_of_one_config_share_an_initial_search(service):
    algorithms = (CONSTRUCTIVE, BEAM, AUTO, AUTO)
    jobs = [service.request(BOARD, algorithm=algorithm) for algorithm in algorithms]
    other_job = service.request(BOARD, algorithm=A_STAR, heuristic=Heuristic.MANHATTAN)
    quick = {"constructive:auto", "auto:auto", "a-star:manhattan"}
    assert read_initial_searches(service, other_job) == {*quick, "beam:auto"}
    # A waiting slice is withdrawn when its last job is cancelled.
    service.cancel(jobs[1].id, service.client)
    service.cancel(jobs[2].id, service.client)
    assert read_initial_searches(service, other_job) == quick


def test_job_ends_with_its_own_algorithm_which_runs_once(service):
    service.solver.solve_scripts.append(solve_bounded)
    quick = service.request(BOARD, algorithm=CONSTRUCTIVE)
    proof_job = service.request(BOARD)
    service.worker().run("interactive", "w", lambda: len(service.solver.algorithms) == 1)
    view = service.read.view(quick.id)
    assert (view.state, view.message) == (JobState.BOUNDED, METHOD_DONE)
    assert not service.read.view(proof_job.id).finished
    repeated = service.request(BOARD, algorithm=CONSTRUCTIVE)
    assert repeated.cached
    assert (repeated.state, repeated.message) == (JobState.BOUNDED, METHOD_DONE)
    service.work()
    assert service.solver.algorithms == [CONSTRUCTIVE, AUTO]
    assert service.read.view(proof_job.id).state is JobState.OPTIMAL
    assert service.read.view(quick.id) == view


def test_beam_has_the_time_limit_of_its_strategy(service):
    time_limits = []

    def search_beam(board, goal, limits, on_solution):
        time_limits.append(limits.seconds)
        return SearchResult(0, longer_solution(board, goal), "beam", Statistics(generated=9))

    service.solver.progress_scripts.append(search_beam)
    job = service.request(BOARD, algorithm=BEAM)
    assert service.read.activity(job.id).queue == "search"
    service.work()
    assert time_limits == [LONG_INITIAL_SEARCH_S]
    view = service.read.view(job.id)
    assert (view.state, view.message) == (JobState.BOUNDED, METHOD_DONE)
    assert view.upper_bound == LENGTH + 2
    assert service.solver.searches == []


def test_threshold_search_serves_only_jobs_that_need_a_proof(service):
    service.solver.solve_scripts.extend([solve_bounded, solve_bounded])
    proof_job = service.request(BOARD)
    service.work("interactive")
    slice_ = service.lease_slice()
    other_job = service.request(BOARD, algorithm=A_STAR)
    assert service.read.activity(other_job.id).queue == "search"
    assert read_initial_searches(service, other_job) == set()
    quick = service.request(BOARD, algorithm=CONSTRUCTIVE)
    service.cancel(proof_job.id, service.client)
    with service.database.reading() as session:
        assert session.slices.needed([slice_.id], "w") == {slice_.id}
    service.cancel(other_job.id, service.client)
    with service.database.reading() as session:
        assert session.slices.needed([slice_.id], "w") == set()
    service.lose_leases()
    assert service.count_slices(quick) == {SliceState.READY: 1, SliceState.PARKED: 1}
    service.work()
    assert service.solver.searches == []
    assert service.read.view(quick.id).state is JobState.BOUNDED


def test_long_thin_board_is_solved_despite_its_time_limit(make_service, pattern_databases):
    service = make_service(open_slice_s=1e-6)
    service.solver = LocalSolver(pattern_databases)
    goal = blank_last(Size(40, 2))
    board = scramble(goal.size, goal, seed=1)
    job = service.request(board, goal=goal)
    service.worker().run("interactive", "w", lambda: False)
    replay(board, service.read.solution(job.id).moves, goal)
    goal = blank_last(Size(3_000, 2))
    job = service.request(next(goal.neighbors()), goal=goal)
    assert service.read.activity(job.id).queue is Queue.SEARCH
