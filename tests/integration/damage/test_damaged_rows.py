"""Rows damaged at random: no wrong answer is served, nothing fails for ever, all is solved anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.damage.stage import Stage
from tilework.core.storage.database import Database


@pytest.mark.parametrize(
    ("trials", "seed"), [(25, 1), pytest.param(500, 2, marks=pytest.mark.slow)]
)
def test_no_damage_is_served(
    database: Database, database_url: str, tmp_path: Path, trials: int, seed: int
) -> None:
    stage = Stage(database, tmp_path, database_url, seed)
    try:
        while len(stage.blows) < trials:
            stage.trial()
    finally:
        stage.close()
    assert stage.wrong == []
    with database.reading() as session:
        assert session.damage.count() > trials / 3
