from itertools import pairwise

import pytest
from sqlalchemy import func, select, update

from tests.support.services.scripted_solver import BOARD
from tests.support.services.service_fixture import make_service_fixture
from tilework.core.model.farm.solves import BoundEventView
from tilework.core.model.ids import new_id
from tilework.core.storage.events import MAX_EVENTS
from tilework.core.storage.models import bound_event
from tilework.core.storage.models import job as jobs

LOWER_BOUND = 1_000
LENGTH = 2_000_000
COUNT = 2_000


def improve(service, solve_id, times, start=0):
    """Improve a solution by one move at each of these times."""
    with service.database.writing() as session:
        for index, time in enumerate(times, start=start):
            event = BoundEventView(
                time=time, lower_bound=LOWER_BOUND, upper_bound=LENGTH - index, nodes=10 * index
            )
            session.events.add(new_id(), solve_id, event)


def count_rows(service, solve_id):
    statement = select(func.count()).where(bound_event.c.solve_id == solve_id)
    with service.database.engine(writes=False).connect() as connection:
        return connection.execute(statement).scalar_one()


@pytest.fixture
def service(database, tmp_path):
    return make_service_fixture(database, tmp_path)


def test_long_history_is_thinned_without_large_gaps(service):
    job = service.request(BOARD)
    solve_id = service.read_solve(job).id
    other_job = service.request(BOARD)
    cancelled_job = service.cancel(other_job.id, service.client)
    history_before = service.read.history(other_job.id)
    service.clock.advance(1)
    now = service.clock()
    # Improvements during an hour: frequent at first, then increasingly rare.
    times = [now + 3_600 * (index / COUNT) ** 3 for index in range(1, COUNT + 1)]
    for first in range(0, COUNT, 500):
        improve(service, solve_id, times[first : first + 500], first)
        assert count_rows(service, solve_id) <= MAX_EVENTS
    service.clock.advance(3_600)
    events = service.read.history(job.id)
    assert len(events) <= MAX_EVENTS
    assert (events[-1].time, events[-1].upper_bound) == (times[-1], LENGTH - COUNT + 1)
    assert (events[0].number, events[-1].number) == (1, COUNT)
    assert all(a.time <= b.time and a.number < b.number for a, b in pairwise(events))
    assert all(a.upper_bound > b.upper_bound for a, b in pairwise(events))
    # No gap would show in a 700-pixel plot, and the first 36 seconds are dense.
    assert max(b.time - a.time for a, b in pairwise(events)) < 3_600 / 100
    early_events = [event for event in events if event.time - now < 36]
    assert len(early_events) > 40
    service.advance_time()
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(update(jobs).where(jobs.c.id == job.id).values(state="bounded"))
    length_at_start, length_at_end = (
        min(LENGTH - index for index in range(COUNT) if times[index] <= job.created_at + seconds)
        for seconds in (120, 180)
    )
    gains = service.read.gains(BOARD.size, 120, 180)
    assert gains == [pytest.approx(length_at_start - length_at_end, abs=COUNT / MAX_EVENTS)]
    # The history of a job that has ended does not get later events.
    assert service.read.history(other_job.id) == history_before
    assert all(event.time <= cancelled_job.finished_at for event in history_before)


def test_history_of_an_ended_job_omits_later_events_with_an_earlier_time(service):
    job, other_job = service.request(BOARD), service.request(BOARD)
    ended_job = service.cancel(other_job.id, service.client)
    history = service.read.history(other_job.id)
    # Of a worker that read its clock before the end, and then waited for the database.
    improve(service, service.read_solve(job).id, [ended_job.finished_at - 0.1])
    assert service.read.history(job.id)[-1].upper_bound == LENGTH
    assert service.read.history(other_job.id) == history
