from __future__ import annotations

import pytest

from tests.integration.services.farm.test_life import run_lives


@pytest.mark.timeout(3_000)
def test_many_lives(sqlite_template):
    run_lives(sqlite_template, 150)
