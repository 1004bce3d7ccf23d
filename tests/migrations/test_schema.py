from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import inspect

from core.storage.database import Database
from core.storage.models import metadata
from core.storage.schema import check, downgrade, upgrade


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite'}"
    url: str = request.getfixturevalue("empty_postgres_url")
    return url


def tables(url: str) -> set[str]:
    database = Database(url)
    try:
        return set(inspect(database.engine(writes=False)).get_table_names())
    finally:
        database.dispose()


def test_the_migrations_make_what_the_models_say(database_url: str) -> None:
    assert check(database_url) == []


def test_an_empty_database_is_told_apart(empty_url: str) -> None:
    database = Database(empty_url)
    try:
        assert not database.current()
        upgrade(empty_url)
        assert database.current()
    finally:
        database.dispose()


def test_up_down_and_up_again(empty_url: str) -> None:
    upgrade(empty_url)
    assert tables(empty_url) == set(metadata.tables) | {"alembic_version"}
    upgrade(empty_url)
    downgrade(empty_url, "base")
    assert tables(empty_url) == {"alembic_version"}
    upgrade(empty_url)
    assert check(empty_url) == []


def test_a_failed_migration_leaves_nothing(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", fail)
        with pytest.raises(RuntimeError):
            upgrade(empty_url)
    assert tables(empty_url) <= {"alembic_version"}
    upgrade(empty_url)
    assert check(empty_url) == []


def test_a_difference_is_named(empty_url: str) -> None:
    upgrade(empty_url)
    database = Database(empty_url)
    try:
        with database.engine(writes=True).begin() as connection:
            connection.exec_driver_sql("DROP INDEX ix_job_client")
    finally:
        database.dispose()
    assert any("ix_job_client" in difference for difference in check(empty_url))
