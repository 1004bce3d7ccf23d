import pytest
from sqlalchemy import inspect

from tilework.core.errors import UnavailableError
from tilework.core.storage.models import metadata
from tilework.core.storage.revisions import Schema
from tilework.core.storage.schema import check, downgrade, upgrade


def read_table_names(database):
    return set(inspect(database.engine(writes=False)).get_table_names())


def test_upgrade_is_atomic_and_can_be_undone(url, database, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", fail)
        with pytest.raises(RuntimeError):
            upgrade(url)
    assert read_table_names(database) <= {"alembic_version"}
    assert not database.is_current()
    upgrade(url)
    upgrade(url)
    assert database.is_current()
    assert read_table_names(database) == set(metadata.tables) | {"alembic_version"}
    if database.dialect == "sqlite":  # reads rows from their start, so short columns come first
        for table in ("solve", "slice", "job", "task", "comparison"):
            columns = inspect(database.engine(writes=False)).get_columns(table)
            blobs = [str(column["type"]) == "BLOB" for column in columns]
            assert blobs == sorted(blobs)
    database.dispose()
    downgrade(url, "base")
    assert read_table_names(database) == {"alembic_version"}
    upgrade(url)
    assert check(url) == []
    with database.engine(writes=True).begin() as connection:
        connection.exec_driver_sql("DROP INDEX ix_job_client")
    assert any("ix_job_client" in difference for difference in check(url))


def test_databases_of_early_builds_are_rejected(url, database):
    upgrade(url)
    with database.engine(writes=True).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0021'")
    assert database.read_schema() is Schema.TOO_OLD
    for change in (lambda: upgrade(url), lambda: downgrade(url, "0022")):
        with pytest.raises(UnavailableError, match=r"`tilework db upgrade` from Tilework 0\.1\.0"):
            change()
