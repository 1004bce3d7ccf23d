import time

import pytest
from sqlalchemy import func, select

from tests.support.services.staging import BOARD, GOAL, LENGTH, bounded, in_parts, searching_job
from tests.unit.services.lab import conftest as comparing
from tilework.core.errors import NotFoundError
from tilework.core.model.job_options import JobOptions
from tilework.core.puzzle.board import Board
from tilework.core.services.certificates.make import ReadCertificate
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.retention.purge import DAY_S, Purge
from tilework.core.settings import Settings
from tilework.core.storage import models

OTHER = Board([4, 1, 2, 5, 0, 3], 3, 2)


@pytest.fixture
def house(make_house):
    """A house of today, as ids are of today."""
    house = make_house()
    house.clock.now = time.time()
    return house


def purge(house, **changes):
    """Delete all that is due."""
    settings = house.settings.model_copy(update=changes)
    due = Purge(house.database, settings)
    for _ in range(1_000):
        due.run_once()
        if due._due:
            return
    raise AssertionError("it never ends")


def count(house, table):
    with house.database.engine(writes=False).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def test_jobs_go_and_solutions_stay(house):
    job = house.ask(BOARD, key="once", seconds=60.0)
    house.work()
    house.clock.turn(60.0 + 90 * DAY_S - 1)
    purge(house)
    assert house.read.view(job.id).upper_bound == LENGTH
    house.clock.turn(2)
    purge(house)
    with pytest.raises(NotFoundError, match="jobs are deleted some time after they have ended"):
        house.read.view(job.id)
    assert count(house, models.idempotency) == 0
    # The same request is a new job, which what is known answers at once.
    again = house.ask(BOARD, key="once")
    assert (again.id != job.id, again.cached, again.upper_bound) == (True, True, LENGTH)
    assert len(house.read.history(again.id)) == 1


def test_a_job_that_ended_late_is_kept_from_its_end_on(house):
    job = house.ask(BOARD, seconds=60.0)
    house.clock.turn(100 * DAY_S)
    house.reconcile.run_once()
    purge(house)
    assert house.read.view(job.id).state == "expired"
    house.clock.turn(90 * DAY_S + 1)
    purge(house)
    with pytest.raises(NotFoundError):
        house.read.view(job.id)


def test_what_was_found_for_one_job_alone_goes_with_it(house):
    house.ask(BOARD)
    house.work()
    house.solver.openings.append(bounded)
    fresh = house.ask(BOARD, fresh=True)
    house.work("interactive")
    house.work()
    assert house.read.view(fresh.id).upper_bound == LENGTH
    assert (count(house, models.solve), count(house, models.slice_)) == (2, 2)
    [sizes] = house.read.statistics().sizes
    assert sizes.puzzles == 1
    house.clock.turn(house.settings.default_time_limit_s + 90 * DAY_S + 1)
    purge(house)
    assert count(house, models.solve) == count(house, models.bound_event) == 1
    assert count(house, models.slice_) == 0
    assert house.ask(BOARD).cached


def test_never_is_never(house, monkeypatch):
    names = ("JOBS", "KEYS", "COMPARISONS", "CLIENTS")
    for name in names:
        monkeypatch.setenv(f"TILEWORK_KEEP_{name}_DAYS", "never")
    kept = {name: getattr(Settings(), f"keep_{name.lower()}_days") for name in names}
    assert set(kept.values()) == {None}
    job = house.ask(BOARD, key="once")
    house.work()
    house.clock.turn(10_000 * DAY_S)
    purge(house, **{f"keep_{name.lower()}_days": None for name in names})
    assert house.ask(BOARD, key="once").id == job.id


def test_keys_go_before_their_jobs_and_never_outlive_them(house):
    first = house.ask(BOARD, key="once", seconds=60.0)
    house.work()
    house.clock.turn(8 * DAY_S)
    purge(house)
    second = house.ask(BOARD, key="once", seconds=60.0)
    assert first.id != second.id
    assert house.read.view(first.id).finished
    house.clock.turn(3 * DAY_S)
    purge(house, keep_jobs_days=2.0, keep_keys_days=None)
    assert (count(house, models.job), count(house, models.idempotency)) == (0, 0)


def test_a_certificate_stays_whole(house):
    job = searching_job(house)
    house.solver.runnings.append(in_parts(0.5, 0.25))
    house.work()
    assert house.read.view(job.id).state == "optimal"
    before = "".join(ReadCertificate(house.database, house.settings)(job.id).pieces)
    slices = count(house, models.slice_)
    house.clock.turn(200 * DAY_S)
    purge(house)
    again = house.ask(BOARD)
    after = "".join(ReadCertificate(house.database, house.settings)(again.id).pieces)
    assert before == after
    assert '"proof":"slices"' in before.replace(" ", "")
    # What was found at the last threshold proves nothing.
    assert 0 < count(house, models.slice_) < slices


def test_batches_and_calls_go_with_their_jobs_unless_they_are_unfinished(house):
    items = [(BOARD, GOAL), (OTHER, GOAL)]
    whole = Submission(client_id=house.client, boards=items, options=JobOptions(time_limit_s=60.0))
    batch = house.submit_batch(whole)
    job = house.ask(BOARD, seconds=60.0)
    house.work()
    with house.database.writing() as session:
        session.tasks.add_call(job.id, "https://example.com/", house.clock())
    waiting = house.ask(Board([1, 2, 3, 0, 4, 5], 3, 2), seconds=7 * DAY_S)
    house.clock.turn(2 * DAY_S)
    purge(house, keep_jobs_days=1.0)
    tables = (models.job, models.batch, models.task)
    assert [count(house, table) for table in tables] == [1, 0, 0]
    assert not house.read.view(waiting.id).finished
    with pytest.raises(NotFoundError):
        house.read_batch.view(batch.id)


def test_clients_go_once_they_have_nothing(house, monkeypatch):
    # The web does not remember clients for long.
    monkeypatch.setattr("tilework.core.services.jobs.intake.KNOWN_S", 0.0)
    asking = house.clients.new()
    key, secret = house.clients.create_key("machine")
    house.ask(BOARD, client=asking, seconds=60.0)
    house.work()
    house.clock.turn(401 * DAY_S)
    purge(house, keep_jobs_days=1_000.0)
    with house.database.reading() as session:
        there = [session.clients.exists(one) for one in (house.client, asking, key.client_id)]
    assert there == [False, True, True]
    assert house.clients.authenticate(secret) == key.client_id
    purge(house)
    # Who comes back with an old cookie is a client again.
    assert house.ask(OTHER, client=asking).client_id == asking


def test_comparisons_go_and_shared_runs_stay(database, tmp_path):
    lab = comparing.furnish(database, tmp_path)
    lab.clock.now = time.time()
    first = lab.ask()
    lab.work()
    lab.clock.turn(20 * DAY_S)
    second = lab.ask(client=lab.clients.new())
    assert {run.id for run in second.runs} == {run.id for run in first.runs}
    lab.clock.turn(15 * DAY_S)
    purge(lab)
    with pytest.raises(NotFoundError):
        lab.read.view(first.id)
    assert lab.read.view(second.id).finished
    lab.clock.turn(31 * DAY_S)
    purge(lab)
    assert count(lab, models.comparison) == 0
    assert count(lab, models.task) == 0
    # Asked again, it is run again, and stays as long as it has not ended.
    again = lab.ask()
    lab.clock.turn(100 * DAY_S)
    purge(lab)
    assert not lab.read.view(again.id).finished
