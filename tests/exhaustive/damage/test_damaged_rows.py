"""Very many rows damaged at random, as a sample of them is in tests/integration/damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.damage.stage import damage_and_read


@pytest.mark.timeout(3_600)
def test_no_damage_is_served(sqlite_url: str, tmp_path: Path) -> None:
    damage_and_read(sqlite_url, tmp_path, trials=400, seed=2)
