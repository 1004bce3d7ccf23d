from __future__ import annotations

from collections import defaultdict

import pytest

from tests.support.services.life.beginnings import BEGINNINGS
from tests.support.services.life.exploring import documented, explored


@pytest.mark.timeout(3_000)
def test_all_that_the_table_says_is_reached_and_more_steps_lead_nowhere_else():
    found = defaultdict(set)
    for beginning, steps in BEGINNINGS.values():
        for event, states in explored(beginning(), steps + 1).items():
            found[event] |= states
    assert found == documented()
