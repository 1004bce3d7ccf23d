"""Every event in every state within a few steps, with checks of the invariants."""

from tests.support.services.state_machine.exploration import documented_transitions, explore_from
from tests.support.services.state_machine.initial_states import INITIAL_STATES
from tilework.core.services.farm.state_machine.decide import HANDLERS


def test_every_event_leads_to_the_documented_states():
    table = documented_transitions()
    assert {event for event, _ in table} == {cls.__name__ for cls in HANDLERS}
    # Few steps; tests/exhaustive takes more.
    explored = explore_from({name: min(limit, 4) for name, (_, limit) in INITIAL_STATES.items()})
    assert explored.keys() == table.keys()
    assert [event for event in table if not explored[event] <= table[event]] == []
