import pytest

from tests.integration.services.farm.test_random_events import run_histories
from tests.support.services.state_machine.exploration import documented_transitions, explore_from
from tests.support.services.state_machine.initial_states import INITIAL_STATES


@pytest.mark.timeout(3_000)
def test_all_documented_transitions_and_no_others_are_reached():
    steps = {name: limit + 1 for name, (_, limit) in INITIAL_STATES.items()}
    assert explore_from(steps) == documented_transitions()


@pytest.mark.timeout(3_000)
def test_many_random_event_sequences(sqlite_template):
    run_histories(sqlite_template, 150)
