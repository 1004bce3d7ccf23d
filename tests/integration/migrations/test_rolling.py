import os
import threading
import time
from subprocess import PIPE, run

import pytest
from sqlalchemy import text

from tests.support.services.scripted_solver import BOARD, LENGTH
from tests.support.services.service_fixture import make_service_fixture
from tilework.core.cli.system.roles import worker_command
from tilework.core.errors import UnavailableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.storage.database import Database
from tilework.core.storage.revisions import head_revision
from tilework.core.storage.schema import downgrade, upgrade

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
        set_revision(other, head_revision())
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
                # The heartbeat of a worker of the previous version.
                execute(database, "DELETE FROM worker WHERE name = 'old'")
                execute(database, "INSERT INTO worker (name, seen_at, skew_s) VALUES ('old', 1, 0)")
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


def test_work_of_a_later_version_waits_for_its_workers(sqlite_url, tmp_path):
    database = Database(sqlite_url)
    service = make_service_fixture(database, tmp_path)
    later_job = service.request(Board([4, 1, 2, 5, 0, 3], 3, 2))
    own_job = service.request(BOARD)
    where = f"WHERE solve_id = '{service.read_solve(later_job).id}'"
    for column, value in (("kind", "dream"), ("algorithm", "oracle"), ("target", "pretty")):
        with database.engine(writes=False).connect() as connection:
            old_value = connection.execute(text(f"SELECT {column} FROM slice {where}")).scalar_one()
        assert execute(database, f"UPDATE slice SET {column} = '{value}', turn = 0 {where}") == 1
        service.work()
        assert service.read.view(own_job.id).upper_bound == LENGTH
        assert not service.read.view(later_job.id).finished
        where_ready = f"{where} AND state = 'ready' AND attempts = 0"
        assert execute(database, f"UPDATE slice SET {column} = '{old_value}' {where_ready}") == 1
        own_job = service.request(BOARD)
    # Their expired leases are left to them, too.
    service.claim()
    assert execute(database, f"UPDATE slice SET kind = 'dream' {where}") == 1
    service.lose_leases()
    where_leased = f"{where} AND state = 'leased'"
    assert execute(database, f"UPDATE slice SET kind = 'open' {where_leased}") == 1
    service.lose_leases()
    service.work()
    assert service.read.view(later_job.id).state == "optimal"
    database.dispose()


def test_running_process_continues_with_a_later_schema(sqlite_url, tmp_path):
    database = Database(sqlite_url)
    assert make_service_fixture(database, tmp_path).health.check().ready
    head = database.read_schema()
    set_revision(database, "9999")
    assert database.is_current()
    late_service = make_service_fixture(Database(sqlite_url), tmp_path)
    assert not late_service.health.check().ready
    late_service.database.dispose()
    for change in (lambda: upgrade(sqlite_url), lambda: downgrade(sqlite_url, "0022")):
        with pytest.raises(UnavailableError, match="by a later version of Tilework"):
            change()
    variables = {
        "TILEWORK_DATABASE_URL": sqlite_url,
        "TILEWORK_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    command = worker_command(["lab"], "lab")
    worker = run(command, env=os.environ | variables, stderr=PIPE, text=True, check=False)
    assert worker.returncode == 2
    assert "by a later version of Tilework" in worker.stderr
    set_revision(database, head_revision())
    assert database.read_schema() is head
    database.dispose()
