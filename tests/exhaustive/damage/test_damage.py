"""Random damage to many rows and pattern databases; tests/integration has a sample."""

import logging

import pytest

from tests.integration.damage.columns import Service, damage_each, list_cases
from tests.integration.damage.damaged_service import damage_and_read
from tests.integration.damage.test_patterns import damage_and_search


def test_damaged_rows_are_never_served(sqlite_url, tmp_path):
    damage_and_read(sqlite_url, tmp_path, trials=400, seed=2)


def test_damaged_pattern_databases_never_give_wrong_answers(
    pattern_databases, tmp_path, monkeypatch, caplog
):
    caplog.set_level(logging.ERROR)
    damage_and_search(range(8, 400), pattern_databases, tmp_path, monkeypatch)


@pytest.mark.parametrize("url", ["sqlite_url", "postgres_url"])
def test_damaged_value_affects_no_other_client(url, request, tmp_path):
    service = Service(request.getfixturevalue(url), tmp_path)
    assert damage_each(service, list_cases()) > 100
    service.database.dispose()
