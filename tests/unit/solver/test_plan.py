import pytest

from tests.unit.solver.test_solve import assert_solves
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver import strategy
from tilework.core.solver.result import SearchResult
from tilework.core.solver.solve import StageRunner, solve
from tilework.core.solver.strategy import Stage, Step, stages_for
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind


def list_steps(width, height, algorithm=Algorithm.AUTO, heuristic=Heuristic.AUTO, **options):
    goal = blank_last(Size(width, height))
    return [stage.step.value for stage in stages_for(goal, algorithm, heuristic, **options)]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((7, 1), "slide"),
        ((3, 3), "a-star deepen"),
        ((5, 2), "deepen construct deepen improve deepen"),
        ((4, 3), "deepen construct deepen improve deepen"),
        ((5, 3), "deepen construct deepen improve deepen"),
        ((4, 4), "deepen construct deepen improve deepen"),
        ((5, 5), "construct deepen improve deepen"),
        ((6, 6), "construct deepen improve deepen"),
        ((37, 1), "slide"),
        ((8, 8), "nearby construct improve"),
        ((100, 100), "nearby construct improve"),
        ((256, 256), "nearby improve"),
        ((400, 400), "nearby sweep-huge"),
        ((1_000, 4_001), "nearby sweep-huge"),
    ],
    ids=str,
)
def test_steps_of_the_automatic_strategy(size, expected):
    assert list_steps(*size) == expected.split()


def test_steps_of_a_requested_algorithm():
    assert list_steps(10, 10, Algorithm.BEAM) == ["beams"]
    assert list_steps(10, 10, Algorithm.BEAM, quick_first_solution=True) == ["construct", "beams"]
    assert list_steps(4, 4, optimal=False) == ["construct", "deepen", "improve", "deepen"]
    assert list_steps(3, 3, heuristic=Heuristic.PATTERN_DATABASE) == ["deepen"]
    for side, expected in ((3, ["a-star"]), (4, ["construct", "improve", "a-star"])):
        assert list_steps(side, side, heuristic=Heuristic.MANHATTAN) == expected
    # With a heuristic that cannot be used for a proof, solutions are still improved.
    assert list_steps(5, 5, heuristic=Heuristic.MANHATTAN) == ["construct", "improve"]
    # If workers continue, the initial search improves small boards at once, and no large ones.
    steps = list_steps(4, 4, workers_continue=True)
    assert steps == ["deepen", "construct", "improve", "deepen"]
    for side, step in ((7, "construct"), (30, "construct"), (32, "sweep"), (256, "sweep")):
        steps = list_steps(side, side, quick_first_solution=True, workers_continue=True)
        assert steps == ["nearby", step]
        assert list_steps(side, side, quick_first_solution=True)[-1] == "improve"


def test_strategy_proves_the_solution_of_a_beam(pattern_databases, monkeypatch):
    monkeypatch.setattr("tilework.core.solver.optimal.ida_star._PROGRESS_INTERVAL_S", 0.0)
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=4, moves=120)
    reports = []
    result = solve(board, goal, progress=reports.append, pdb_folder=pattern_databases)
    assert (result.optimal, result.algorithm) == (True, "beam")
    assert reports[0].upper_bound >= result.upper_bound
    assert_solves(board, goal, result)
    by_ida_star = solve(board, goal, algorithm=Algorithm.IDA_STAR, pdb_folder=pattern_databases)
    assert by_ida_star.upper_bound == result.upper_bound
    target = Target(TargetKind.GAP, 0.1)
    result = solve(board, goal, target=target, pdb_folder=pattern_databases)
    assert result.stopped_by is None
    assert 10 * (result.upper_bound - result.lower_bound) <= result.lower_bound


def test_workers_continue_after_the_first_long_threshold(pattern_databases, monkeypatch):
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=2, moves=110)
    nodes = 3_000
    monkeypatch.setattr(strategy, "_IMPROVE_INITIALLY", Stage(Step.CONSTRUCT))
    monkeypatch.setattr(strategy, "_DEEPEN_BRIEFLY", Stage(Step.CONSTRUCT))
    monkeypatch.setattr(strategy, "_DEEPEN_INITIALLY", Stage(Step.DEEPEN, shared_from=nodes))
    initial = solve(board, goal, pdb_folder=pattern_databases, workers_continue=True)
    alone = solve(board, goal, pdb_folder=pattern_databases, algorithm=Algorithm.IDA_STAR)
    assert (initial.stopped_by, initial.optimal, alone.optimal) == (None, False, True)
    assert initial.lower_bound < alone.lower_bound
    assert nodes <= initial.statistics.generated < alone.statistics.generated / 2


def test_steps_that_need_too_much_memory_end(pattern_databases):
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=2, moves=40)
    limits = Limits(memory_bytes=50_000)
    result = solve(board, goal, limits=limits, pdb_folder=pattern_databases)
    assert (result.optimal, result.algorithm) == (True, "ida-star")
    goal = blank_last(Size(40, 40))
    board = scramble(goal.size, goal, seed=1)
    result = solve(board, goal, limits=limits, workers_continue=True)
    assert (result.moves, result.stopped_by) == (None, StopReason.MEMORY)


def test_time_limit_between_two_searches_is_reported():
    goal = blank_last(Size(6, 6))
    board = scramble(goal.size, goal, seed=6)
    for seconds, expected in ((0.0, StopReason.TIME), (1e6, None)):
        context = StageRunner(board, goal, Target(), Limits(seconds), Heuristic.AUTO, None, None)
        context.add_result(SearchResult(140, None, "ida-star"))
        assert context.result().stopped_by is expected


def test_threads_report_the_same_better_solutions_each_time(pattern_databases):
    goal = blank_last(Size(7, 6))
    board = scramble(goal.size, goal, seed=3)
    outcomes = set()
    for _ in range(2):
        reported = []
        result = solve(
            board,
            goal,
            limits=Limits(nodes=600_000),
            pdb_folder=pattern_databases,
            threads=2,
            on_solution=reported.append,
        )
        assert_solves(board, goal, result)
        # A beam that does not fit is not started, and threads share memory equally.
        assert 200_000 < result.statistics.generated < 900_000
        lengths = [found.upper_bound for found in reported]
        assert lengths == sorted(set(lengths), reverse=True)
        assert lengths[-1] == result.upper_bound
        nodes = [found.statistics.generated for found in reported]
        assert nodes == sorted(nodes)
        assert 0 < nodes[-1] <= result.statistics.generated
        outcomes.add((result.moves.tobytes(), result.statistics.generated))
    assert len(outcomes) == 1
    constructed = solve(board, goal, algorithm=Algorithm.CONSTRUCTIVE)
    assert result.upper_bound < 0.8 * constructed.upper_bound
