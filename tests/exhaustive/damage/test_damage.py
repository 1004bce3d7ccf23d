"""Very many rows and pattern databases damaged at random: samples are in tests/integration."""

import logging

import pytest

from tests.integration.damage.columns import Service, cases, damage_each
from tests.integration.damage.damaged_service import damage_and_read
from tests.integration.damage.test_patterns import damage_and_search


def test_no_damaged_row_is_served(sqlite_url, tmp_path):
    damage_and_read(sqlite_url, tmp_path, trials=400, seed=2)


def test_no_damaged_pattern_gives_a_wrong_answer(pattern_databases, tmp_path, monkeypatch, caplog):
    caplog.set_level(logging.ERROR)
    damage_and_search(range(8, 400), pattern_databases, tmp_path, monkeypatch)


@pytest.mark.parametrize("url", ["sqlite_url", "postgres_url"])
def test_no_damaged_value_is_anybody_elses_error(url, request, tmp_path):
    service = Service(request.getfixturevalue(url), tmp_path)
    assert damage_each(service, cases()) > 100
    service.database.dispose()
