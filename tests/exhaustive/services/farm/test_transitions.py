import pytest

from tests.integration.services.farm.test_life import run_lives
from tests.support.services.state_machine.exploration import documented, explored_from
from tests.support.services.state_machine.initial_states import BEGINNINGS


@pytest.mark.timeout(3_000)
def test_all_that_the_table_says_is_reached_and_more_steps_lead_nowhere_else():
    steps = {name: most + 1 for name, (_, most) in BEGINNINGS.items()}
    assert explored_from(steps) == documented()


@pytest.mark.timeout(3_000)
def test_many_lives(sqlite_template):
    run_lives(sqlite_template, 150)
