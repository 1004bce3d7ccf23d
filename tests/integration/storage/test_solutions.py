from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from sqlalchemy import event, func, select, update

from tests.support.services.scripted_solver import BOARD
from tests.support.services.service_fixture import make_service_fixture
from tilework.core.errors import ReplacedError
from tilework.core.model.farm.solves import BoundEventView, Bounds
from tilework.core.model.ids import new_id
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.jobs.submit import prepare
from tilework.core.storage import solutions
from tilework.core.storage.events import MAX_EVENTS
from tilework.core.storage.models import bound_event, solution_chunk, solve
from tilework.core.storage.models import job as jobs
from tilework.core.storage.solutions import read_head

CHUNK = 1 << 18


def random_moves(count, seed=1):
    return np.random.default_rng(seed).integers(4, size=count).astype(np.uint8)


@pytest.fixture
def solve_id(database):
    goal = blank_last(Size(20, 20))
    puzzle = prepare(scramble(goal.size, goal, seed=1), goal).puzzle
    with database.writing() as session:
        return session.solves.get_or_create(new_id(), puzzle, 0, 0.0).id


def save(database, solve_id, moves):
    with database.writing() as session:
        record = session.solves.lock(solve_id)
        bound = None if moves is None else len(moves)
        session.solves.save_with_moves(
            replace(record, bounds=Bounds(record.lower_bound, bound)), 1.0, moves, "test"
        )


def count_chunks(database):
    with database.engine(writes=False).connect() as connection:
        return connection.execute(select(func.count()).select_from(solution_chunk)).scalar_one()


def test_moves_are_stored_and_replaced(database, solve_id):
    for count in (0, 4 * CHUNK + 77, CHUNK, CHUNK + 1, 3 * CHUNK, 5):
        moves = random_moves(count)
        save(database, solve_id, moves)
        with database.reading() as session:
            assert np.array_equal(session.solves.moves(solve_id), moves)
            best = session.solutions.best(solve_id)
        assert len(best) == count
        for first, end in ((0, 10), (CHUNK - 5, CHUNK + 5), (2, 2 * CHUNK + 9), (count - 3, count)):
            assert np.array_equal(best[first:end], moves[max(0, first) : end])
        assert count_chunks(database) == (0 if count <= CHUNK else -(-count // CHUNK))
    save(database, solve_id, random_moves(2 * CHUNK))
    save(database, solve_id, None)
    assert count_chunks(database) == 0
    with database.reading() as session:
        assert session.solves.moves(solve_id) is None


def test_replaced_solution_is_never_mixed_with_the_new_one(database, solve_id):
    new_moves = random_moves(2 * CHUNK, seed=2)
    save(database, solve_id, random_moves(3 * CHUNK))
    engine = database.engine(writes=False)
    with engine.connect() as connection:
        head = read_head(solve_id, connection.execute(select(solve.c.moves)).scalar_one())
    calls = []

    def replace_once(*_):
        if not calls:
            calls.append(True)
            save(database, solve_id, new_moves)

    # A reader that loads its moves after the replacement gets the new ones.
    event.listen(engine, "after_cursor_execute", replace_once)
    with database.reading() as session:
        moves = session.solutions.best(solve_id)
        assert np.array_equal(moves[:], new_moves)
        for bounds in ((), (5, 10)):
            with pytest.raises(ReplacedError):
                session.solutions.read(head, *bounds)


def test_very_long_solution_is_read_in_groups_until_it_is_replaced(database, solve_id, monkeypatch):
    monkeypatch.setattr(solutions, "MAX_LOADED_CHUNKS", 2)
    monkeypatch.setattr(solutions, "_GROUP", 2)
    moves = random_moves(5 * CHUNK - 9)
    save(database, solve_id, moves)
    with database.reading() as session:
        head = read_head(solve_id, session.connection.execute(select(solve.c.moves)).scalar_one())
        stored = session.solutions.read(head, reading=database.reading)
    assert np.array_equal(stored[:], moves)
    assert np.array_equal(stored[CHUNK - 2 : CHUNK + 2], moves[CHUNK - 2 : CHUNK + 2])
    save(database, solve_id, random_moves(4 * CHUNK))
    with pytest.raises(ReplacedError):
        stored[4 * CHUNK :]


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
