"""What a worker sees of the farm, and what it makes of that."""

from __future__ import annotations

import pytest

from tests.support.services.staging import BOARD, ScriptedSolver, searching_job
from tilework.core.lab.method import Method
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.farm.cutting import LEAST_PIECE_S, cut, worth
from tilework.core.services.farm.keeper import Hold
from tilework.core.services.farm.presence import KEPT_S, Presence
from tilework.core.services.farm.workload import SEEN_FOR_S, TELL_EVERY_S, Farm
from tilework.core.services.lab.requests import ComparisonRequest
from tilework.core.services.lab.submit import SubmitComparison
from tilework.core.services.leases import Holder
from tilework.core.services.ports import Piece
from tilework.core.services.states import Queue
from tilework.core.settings import Settings

OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)
SHORT = (Queue.INTERACTIVE, Queue.BATCH)


def look(house, job=None, since=None):
    solve_id = house.solve_of(job).id if job else "none"
    since = house.clock() - SEEN_FOR_S if since is None else since
    with house.database.reading() as session:
        return session.workers.look(solve_id, SHORT, since)


def test_a_worker_is_there_from_its_word_on_and_for_a_while(house):
    first, second = (Presence(house.database, name, house.clock) for name in ("first", "second"))
    assert look(house) == Farm()
    first.tell()
    second.tell()
    assert look(house).workers == 2
    second.leave()
    # A word is not repeated at once.
    second.tell()
    assert look(house).workers == 1
    house.clock.turn(TELL_EVERY_S)
    second.tell()
    assert look(house).workers == 2
    house.clock.turn(SEEN_FOR_S - 1)
    assert look(house).workers == 1
    # In the end those that are gone are forgotten.
    house.clock.turn(KEPT_S + 1)
    Presence(house.database, "new", house.clock).tell()
    assert look(house, since=0.0).workers == 1


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
    request = ComparisonRequest(
        client_id=house.client,
        start=BOARD,
        goal=blank_last(BOARD.size),
        methods=[Method.of("breadth-first"), Method.of("depth-first")],
    )
    SubmitComparison(house.database, house.tickets, house.settings)(request)
    Presence(house.database, "everything", house.clock).tell()
    with house.database.writing() as session:
        for owner in ("everything", "the lab alone"):
            assert session.runs.claim(Holder(owner, house.clock() + 10), house.clock())
    assert look(house) == Farm(workers=1, busy=1)


def test_slices_grow_with_the_farm():
    settings = Settings(search_slice_s=1, search_slice_most_s=5)
    for workers, seconds in ((0, 1), (1, 1), (50, 1), (128, 2.56), (512, 5)):
        assert Farm(workers=workers).slice_s(settings) == pytest.approx(seconds)
    # Until its first look a claim has slices as long as the last one.
    hold = Hold([], "worker", before=Farm(workers=512))
    assert hold.slice_s(settings) == 5
    hold.note(Farm(workers=8, busy=8))
    assert hold.slice_s(settings) == 1


def test_pieces_are_put_by_while_few_wait_for_the_farm_and_for_each_client():
    for farm, short in (
        # Who works alone cuts nothing.
        (Farm(workers=1, busy=1, held=1, clients=1), 0),
        (Farm(workers=2, busy=2, held=2, clients=1, ready=4), 0),
        (Farm(workers=2, busy=2, held=2, clients=1, ready=1), 2),
        (Farm(workers=0), 4),
        # The first slice of a search feeds the whole farm.
        (Farm(workers=64, busy=1, held=1, clients=1), 63),
        # A client cuts until he has his part.
        (Farm(workers=64, busy=64, held=1, clients=2, ready=20), 31),
        (Farm(workers=64, busy=64, held=32, clients=2, ready=20), 0),
    ):
        assert farm.pieces_short(4) == short, farm


def test_slices_end_early_for_the_idle_and_for_short_work():
    assert Farm(workers=64, busy=1).chance_to_share() == 1.0
    assert 0 < Farm(workers=64, busy=63).chance_to_share() < 0.1
    assert Farm(workers=8, busy=4, ready=4).chance_to_share() == 0.0
    assert Farm(workers=8, busy=8).chance_to_share() == 0.0
    assert Farm(workers=2, busy=2, pressing=1).chance_to_yield() == 1.0
    assert 0 < Farm(workers=100, busy=100, pressing=1).chance_to_yield() < 0.1
    # Who is idle does the short work.
    assert Farm(workers=2, busy=1, pressing=1).chance_to_yield() == 0.0
    assert Farm(workers=2, busy=2).chance_to_yield() == 0.0


def test_workers_look_often_and_all_together_some_hundred_times_a_second_at_most():
    for busy in (1, 8, 64, 512, 4096):
        assert busy / Farm(workers=busy, busy=busy).look_s() <= 250
    assert Farm(workers=512, busy=5).look_s() == Farm(workers=8, busy=5).look_s() <= 0.25


def test_the_largest_piece_is_cut_as_long_as_its_parts_are_worth_it():
    split = ScriptedSolver().split
    pieces = cut(split, BOARD, [Piece(b"a:0.2", 0.2), Piece(b"b:0.6", 0.6)], 4)
    assert [piece.cursor.split(b":")[0] for piece in pieces] == [b"a", b"baa", b"bb", b"bab"]
    assert sum(piece.share for piece in pieces) == pytest.approx(0.8)
    assert len(cut(split, BOARD, [Piece(b"a:0.015", 0.015)], 5)) == 1
    assert cut(split, BOARD, [], 5) == ()
    assert [worth(LEAST_PIECE_S * many) for many in (0.5, 5.5)] == [1, 6]
    assert worth(float("inf")) > 1_000
    # It is worth more where many share one lock.
    assert worth(1.05, workers=8) == worth(1.05) == worth(10.5, workers=512) == 11
    assert worth(1.05, workers=512) == 2
