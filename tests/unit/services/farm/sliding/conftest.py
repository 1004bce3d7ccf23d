from __future__ import annotations

import pytest

from tests.support.services.sliding import SlidingSolver


@pytest.fixture
def sliding(house):
    house.solver = SlidingSolver()
    return house
