import pytest
from sqlalchemy import event, inspect

from tilework.core.errors import SchemaError
from tilework.core.storage.models import metadata
from tilework.core.storage.schema import check, downgrade, upgrade


def read_table_names(database):
    return set(inspect(database.engine(writes=False)).get_table_names())


def test_upgrade_is_atomic_and_can_be_undone(url, database):
    def fail(*_, **__):
        raise RuntimeError("in the middle")

    last_table = metadata.sorted_tables[-1]
    event.listen(last_table, "before_create", fail)
    try:
        with pytest.raises(RuntimeError):
            upgrade(url)
    finally:
        event.remove(last_table, "before_create", fail)
    assert read_table_names(database) <= {"alembic_version"}
    with pytest.raises(SchemaError, match="has the schema 'none'"):
        database.check_schema()
    upgrade(url)
    upgrade(url)
    database.check_schema()
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


def test_unknown_schema_is_rejected(url, database):
    upgrade(url)
    with database.engine(writes=True).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0029'")
    for step in (database.check_schema, lambda: upgrade(url), lambda: downgrade(url, "base")):
        with pytest.raises(SchemaError, match=r"has the schema '0029', .* uses '0001'; upgrade"):
            step()
