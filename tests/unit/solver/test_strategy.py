"""What is tried on a board, as data: every size has a first solution, then what improves it."""

from __future__ import annotations

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.solver.strategy import Step, improves, stages_for


def steps(width, height, algorithm=Algorithm.AUTO, heuristic=Heuristic.AUTO, **options):
    goal = blank_last(Size(width, height))
    return [stage.step.value for stage in stages_for(goal, algorithm, heuristic, **options)]


@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        ((7, 1), "slide"),
        ((3, 3), "a-star deepen"),
        ((5, 2), "look-up construct a-star deepen"),
        ((4, 3), "look-up construct a-star deepen"),
        ((5, 3), "construct a-star deepen"),
        ((4, 4), "deepen construct deepen"),
        ((5, 5), "construct estimate deepen improve deepen"),
        ((6, 6), "construct estimate deepen improve deepen"),
        ((37, 1), "slide"),
        ((8, 8), "nearby construct improve"),
        ((100, 100), "nearby construct improve"),
        ((256, 256), "nearby improve"),
        ((400, 400), "nearby construct improve"),
    ],
    ids=str,
)
def test_auto(size, wanted):
    assert steps(*size) == wanted.split()


def test_what_is_asked_for_by_name_is_all_that_is_tried():
    assert steps(10, 10, Algorithm.BEAM) == ["beams"]
    assert steps(10, 10, Algorithm.CONSTRUCTIVE) == ["construct"]
    assert steps(5, 5, Algorithm.IDA_STAR) == ["ida-star"]
    assert steps(10, 10, Algorithm.BEAM, at_once=True) == ["construct", "beams"]


def test_a_first_solution_comes_first_where_it_may_do():
    assert steps(4, 4, optimal=False) == ["construct", "deepen"]


def test_a_heuristic_that_no_proof_uses_still_leaves_better_solutions():
    assert steps(5, 5, heuristic=Heuristic.MANHATTAN) == ["construct", "improve"]


@pytest.mark.parametrize("size", [(5, 5), (6, 6), (7, 7), (40, 30)], ids=str)
def test_who_names_no_limit_waits_for_no_endless_improvement(size):
    goal = blank_last(Size(*size))
    for stage in stages_for(goal, Algorithm.AUTO, Heuristic.AUTO):
        if stage.step is Step.IMPROVE:
            assert stage.default_nodes is not None


@pytest.mark.parametrize("size", [(5, 5), (6, 6)], ids=str)
def test_proof_and_better_solutions_share_the_time(size):
    stages = stages_for(blank_last(Size(*size)), Algorithm.AUTO, Heuristic.AUTO)
    *before, last = stages
    assert (last.step, last.share) == (Step.DEEPEN, 1.0)
    assert all(stage.share < 1 for stage in before if stage.step in (Step.DEEPEN, Step.IMPROVE))


@pytest.mark.parametrize(("side", "finder"), [(7, "construct"), (100, "construct"), (256, "sweep")])
def test_an_opening_beyond_a_proof_leaves_better_solutions_to_others(side, finder):
    assert steps(side, side, at_once=True, opening=True) == ["nearby", finder]
    assert steps(side, side, at_once=True)[-1] == "improve"


@pytest.mark.parametrize(
    ("algorithm", "size", "expected"),
    [
        ("auto", Size(5, 5), True),
        ("auto", Size(300, 300), True),
        ("auto", Size(4, 6), False),
        ("auto", Size(1, 40), False),
        ("beam", Size(10, 10), False),
        ("constructive", Size(10, 10), False),
    ],
)
def test_large_boards_are_improved_for_as_long_as_somebody_asks(algorithm, size, expected):
    assert improves(algorithm, size) is expected


def test_who_opens_a_proof_leaves_wider_beams_to_those_beside_it():
    alone, opening = (
        stages_for(blank_last(Size(5, 5)), Algorithm.AUTO, Heuristic.AUTO, opening=opening)
        for opening in (False, True)
    )
    assert [stage.step for stage in alone] == [stage.step for stage in opening]
    [most] = [stage.nodes for stage in alone if stage.step is Step.IMPROVE]
    [fewer] = [stage.nodes for stage in opening if stage.step is Step.IMPROVE]
    assert fewer < most
