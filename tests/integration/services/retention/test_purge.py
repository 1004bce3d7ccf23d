"""What is kept no longer is deleted in small steps, by any number of workers at once."""

import time

from sqlalchemy import func, select

from tests.support.filling import fill
from tests.support.plans import efforts, recorded, walks
from tests.support.services.house import furnish
from tests.support.services.staging import BOARD, searching_job
from tilework.core.puzzle.board import Board
from tilework.core.services.retention import purge as purging
from tilework.core.services.retention.purge import DAY_S, Purge
from tilework.core.storage.models import job


def jobs_in(database):
    with database.engine(writes=False).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(job)).scalar_one())


def test_old_rows_are_found_by_an_index_and_in_small_steps(database, tmp_path, monkeypatch):
    house = furnish(database, tmp_path)
    house.clock.now = time.time()
    solve_id = house.solve_of(searching_job(house)).id
    fill(database, 10_000, solve_id=solve_id, client_id=house.client)
    # Few enough that no plan is near the edge between an index and the whole table.
    monkeypatch.setattr(purging, "MOST_ROWS", 10)
    due = Purge(database, house.settings)
    with recorded(database) as statements:
        for _ in range(3):
            due.run_once()
        for kind in purging.Kind:
            due._drop_old(kind)
    assert walks(database, statements) == []
    most = {"sqlite": 25_000, "postgresql": 2_500}[database.dialect]
    assert [text for text, effort in efforts(database, statements).items() if effort > most] == []
    assert 0 < jobs_in(database) < 10_000


def test_two_at_once_delete_the_same(database, tmp_path):
    house = furnish(database, tmp_path)
    house.clock.now = time.time()  # as ids are of today
    for _ in range(20):
        house.ask(BOARD, seconds=60.0)
    house.work()
    house.clock.turn(100 * DAY_S)
    kept = house.ask(Board([4, 1, 2, 5, 0, 3], 3, 2))
    both = [Purge(house.database, house.settings) for _ in range(2)]
    for one in both:
        one._rows = 7
    with house.database.writing() as session:
        locked = session.retention.old_jobs(house.clock() - 90 * DAY_S, 7)
        assert len(locked) == 7
        if house.database.dialect == "postgresql":
            # What one has locked, the other passes by.
            assert both[1]._drop_jobs()
        session.retention.drop_jobs([one.id for one in locked])
    while both[0]._drop_jobs() or both[1]._drop_jobs():
        pass
    assert jobs_in(database) == 1
    assert not house.read.view(kept.id).finished
