"""Every event in every situation that can be reached in a few steps: what must hold, holds."""

from tests.support.services.state_machine.exploration import documented, explored_from
from tests.support.services.state_machine.initial_states import BEGINNINGS
from tilework.core.services.farm.state_machine import events


def test_every_event_leads_to_the_documented_states():
    table = documented()
    assert {event for event, _ in table} == {kind.__name__ for kind in events.Event.__args__}
    # Few steps; tests/exhaustive takes the rest.
    found = explored_from({name: min(most, 4) for name, (_, most) in BEGINNINGS.items()})
    assert found.keys() == table.keys()
    assert [event for event in table if not found[event] <= table[event]] == []
