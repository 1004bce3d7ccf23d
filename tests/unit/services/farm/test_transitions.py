"""Every event in every situation that can be reached in a few steps: what must hold, holds."""

from __future__ import annotations

from collections import defaultdict

from tests.support.services.life.beginnings import BEGINNINGS
from tests.support.services.life.exploring import documented, explored
from tilework.core.services.farm.life import events

# Few of these; tests/exhaustive takes the rest.
STEPS = 4


def test_every_event_leads_where_the_table_says():
    table, found = documented(), defaultdict(set)
    assert {event for event, _ in table} == {kind.__name__ for kind in events.Event.__args__}
    for beginning, steps in BEGINNINGS.values():
        for event, states in explored(beginning(), min(steps, STEPS)).items():
            found[event] |= states
    assert found.keys() == table.keys()
    assert [event for event in table if not found[event] <= table[event]] == []
