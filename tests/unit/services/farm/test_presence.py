from __future__ import annotations

from tests.support.services.staging import searching_job
from tilework.core.lab.method import Method
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.farm.presence import KEPT_S, Presence
from tilework.core.services.farm.workload import SEEN_FOR_S, TELL_EVERY_S, Farm
from tilework.core.services.lab.requests import ComparisonRequest
from tilework.core.services.lab.submit import SubmitComparison
from tilework.core.services.leases import Holder
from tilework.core.services.states import Queue

OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)
SHORT = (Queue.INTERACTIVE, Queue.BATCH)


def look(house, job=None):
    solve_id = house.solve_of(job).id if job else "none"
    with house.database.reading() as session:
        return session.workers.look(solve_id, SHORT, house.clock() - SEEN_FOR_S)


def test_a_worker_is_there_from_its_word_on_and_for_a_while(house):
    first = Presence(house.database, "first", house.clock)
    second = Presence(house.database, "second", house.clock)
    assert look(house) == Farm()
    first.tell()
    second.tell()
    assert look(house).workers == 2
    house.clock.turn(TELL_EVERY_S)
    first.tell()
    house.clock.turn(SEEN_FOR_S - 1)
    assert look(house).workers == 1
    first.leave()
    assert look(house).workers == 0


def test_a_word_is_not_repeated_at_once(house):
    presence = Presence(house.database, "name", house.clock)
    presence.tell()
    presence.leave()
    presence.tell()
    assert look(house).workers == 0
    house.clock.turn(TELL_EVERY_S)
    presence.tell()
    assert look(house).workers == 1


def test_workers_that_are_gone_are_forgotten(house):
    Presence(house.database, "old", house.clock).tell()
    house.clock.turn(KEPT_S + 1)
    Presence(house.database, "new", house.clock).tell()
    with house.database.reading() as session:
        assert session.workers.look("none", SHORT, 0.0).workers == 1


def test_a_slice_sees_what_goes_on_around_it(house):
    job = searching_job(house)
    assert look(house, job) == Farm(ready=1, own=1, rivals=1)
    assert house.claim("search", "one") == 1
    house.ask(OTHER)
    farm = look(house, job)
    assert farm == Farm(busy=1, clients=1, held=1, pressing=1, rivals=1)
    assert house.claim("interactive", "two") == 1
    assert look(house, job).busy == 2
    assert look(house).held == 0


def test_a_worker_that_runs_something_of_the_lab_is_busy(house):
    board = Board([4, 2, 3, 5, 0, 1], 3, 2)
    request = ComparisonRequest(
        client_id=house.client,
        start=board,
        goal=blank_last(board.size),
        methods=[Method.of("breadth-first"), Method.of("depth-first")],
    )
    SubmitComparison(house.database, house.tickets, house.settings)(request)
    Presence(house.database, "everything", house.clock).tell()
    with house.database.writing() as session:
        for owner in ("everything", "the lab alone"):
            assert session.runs.claim(Holder(owner, house.clock() + 10), house.clock())
    assert look(house) == Farm(workers=1, busy=1)
