"""Random damage to many rows and pattern databases; tests/integration has a sample."""

import logging

from tests.integration.damage.damaged_service import damage_and_read
from tests.integration.damage.test_patterns import damage_and_search


def test_damaged_rows_are_never_served(sqlite_url, tmp_path):
    damage_and_read(sqlite_url, tmp_path, trials=400, seed=2)


def test_damaged_pattern_databases_never_give_wrong_answers(
    pattern_databases, tmp_path, monkeypatch, caplog
):
    caplog.set_level(logging.ERROR)
    damage_and_search(range(4, 400), pattern_databases, tmp_path, monkeypatch)
