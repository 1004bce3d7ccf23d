import os
import threading
import time
from subprocess import PIPE, Popen

import pytest
from sqlalchemy import event, inspect, text

from tests.support.services.service_fixture import make_service_fixture
from tilework.core.cli.system.processes import worker_command
from tilework.core.errors import SchemaError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.storage.database import Database, known_revisions
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


GOAL = blank_last(Size(3, 2))


def execute(database, statement):
    with database.engine(writes=True).begin() as connection:
        return connection.execute(text(statement)).rowcount


def set_revision(database, revision):
    execute(database, f"UPDATE alembic_version SET version_num = '{revision}'")


def test_running_processes_survive_migrations(url, database, tmp_path):
    def migrate():
        execute(other, "ALTER TABLE job ADD COLUMN later VARCHAR(9) DEFAULT 'x' NOT NULL")
        execute(other, "CREATE INDEX ix_job_later ON job (later)")
        set_revision(other, "9999")

    def roll_back():
        set_revision(other, known_revisions()[0])
        execute(other, "DROP INDEX ix_job_later")
        execute(other, "ALTER TABLE job DROP COLUMN later")

    upgrade(url)
    other, service = Database(url), make_service_fixture(database, tmp_path)
    stop = threading.Event()
    job_ids, failures = [], []

    def work():
        seed = 0
        while not stop.is_set():
            seed += 1
            try:
                job_ids.append(service.request(scramble(GOAL.size, GOAL, seed)).id)
                service.work()
            except Exception as error:
                failures.append(error)

    def wait_for_more_jobs():
        count = len(job_ids) + 5
        while len(job_ids) < count and not failures:
            time.sleep(0.005)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for step in (migrate, roll_back, migrate):
            wait_for_more_jobs()
            step()
        wait_for_more_jobs()
    finally:
        stop.set()
        thread.join()
    assert failures == []
    service.work()
    assert {service.read.view(id_).state for id_ in job_ids} == {"optimal"}
    other.dispose()


def test_running_process_continues_with_a_later_schema(sqlite_url, tmp_path):
    database = Database(sqlite_url)
    assert make_service_fixture(database, tmp_path).health.check().ready
    set_revision(database, "9999")
    database.check_schema()
    late_service = make_service_fixture(Database(sqlite_url), tmp_path)
    [reason] = late_service.health.check().reasons
    assert "the database has the schema '9999'" in reason
    late_service.database.dispose()
    variables = {
        "TILEWORK_DATABASE_URL": sqlite_url,
        "TILEWORK_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    worker = Popen(
        worker_command(["lab"], "lab"), env=os.environ | variables, stderr=PIPE, text=True
    )
    assert "the database has the schema '9999'" in worker.stderr.readline()
    worker.terminate()
    worker.communicate()
    assert worker.returncode == 0
    database.dispose()
