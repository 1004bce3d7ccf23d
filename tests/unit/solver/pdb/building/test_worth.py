"""When it is worth to build."""

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.building.worth import pays, seconds_to_build
from tilework.core.solver.pdb.patterns import partition_named

LARGE = partition_named(Size(5, 5), "6-6-6-6")
RANKED = partition_named(Size(4, 4), "7-8")


@pytest.mark.parametrize("partition", [LARGE, RANKED])
def test_more_processors_take_less_time_and_no_more_than_two_are_used(partition):
    one, two, four = (seconds_to_build(partition, count) for count in (1, 2, 4))
    assert one == 2 * two
    assert two == four


@pytest.mark.parametrize("partition", [LARGE, RANKED])
def test_nothing_is_built_for_what_is_solved_in_seconds(partition):
    assert not pays(partition, 2.0, None)
    assert pays(partition, seconds_to_build(partition), None)


def test_what_saves_less_is_waited_for_longer():
    assert pays(LARGE, 0.3 * seconds_to_build(LARGE), None)
    assert not pays(RANKED, 0.3 * seconds_to_build(RANKED), None)


def test_nothing_is_built_that_a_limit_would_cut_off():
    price_s = seconds_to_build(LARGE)
    assert not pays(LARGE, price_s, 0.0)
    assert not pays(LARGE, price_s, price_s)
    assert pays(LARGE, price_s, 2 * price_s)
