"""Who is served when several wait: for long searches, and for short work beside them."""

from collections import Counter
from itertools import count
from types import SimpleNamespace

import pytest

from tests.support import naive
from tests.support.services.staging import BOARD, DETOUR, GOAL, bounded
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack_board
from tilework.core.search.limits import Statistics
from tilework.core.services.jobs.intake import prepare
from tilework.core.solver.result import SearchResult
from tilework.core.solver.trial import TrialOutcome
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit

BOARDS = [
    Board(tiles, 3, 2)
    for tiles in (
        [5, 2, 3, 1, 4, 0],
        [5, 2, 3, 1, 0, 4],
        [0, 2, 4, 1, 5, 3],
        [5, 0, 3, 1, 2, 4],
        [4, 0, 3, 5, 2, 1],
    )
]


def endless(board, goal, threshold, cursor, stop):
    """A slice that leaves nearly all that it was given."""
    share = float(cursor.split(b":")[1]) * 0.9999
    return SliceOutcome(
        10, threshold + 2, None, (WorkUnit(b"rest:%.9f" % share, share),), "scripted"
    )


class Counting:
    def __init__(self, house):
        self.house = house
        self.slices = Counter()

    def ask(self, board, client):
        self.house.solver.openings.append(bounded)
        job = self.house.ask(board, client=client)
        self.house.work("interactive")
        assert self.house.read.view(job.id).state is JobState.RUNNING
        return job.id

    def search(self, slices):
        def counted(board, *rest):
            self.slices[pack_board(board)] += 1
            return endless(board, *rest)

        solver = self.house.solver
        solver.runnings.extend([counted] * slices)
        end = len(solver.searched) + slices
        self.house.worker().serve("search", "w", lambda: len(solver.searched) >= end)

    def slices_of(self, board):
        return self.slices[prepare(board, GOAL).puzzle.board_bytes]


@pytest.fixture
def counting(house, monkeypatch):
    # What is charged are seconds of search: here each slice takes as long as any other.
    ticking = SimpleNamespace(monotonic=count(step=0.01).__next__)
    monkeypatch.setattr("tilework.core.services.farm.searcher.time", ticking)
    return Counting(house)


def test_clients_share_the_farm_however_many_jobs_they_have(house, counting):
    many, one = house.client, house.clients.new()
    for board in BOARDS:
        counting.ask(board, many)
    counting.ask(BOARD, one)
    counting.search(100)
    assert counting.slices_of(BOARD) == pytest.approx(50, abs=6)
    for board in BOARDS:
        assert counting.slices_of(board) == pytest.approx(10, abs=4)


def test_a_search_that_two_ask_for_counts_once_and_who_comes_late_gets_no_more(house, counting):
    first, second, third = house.client, house.clients.new(), house.clients.new()
    job_id = counting.ask(BOARDS[0], first)
    counting.search(60)
    # Who was alone went on without asking for a turn.
    assert counting.slices_of(BOARDS[0]) == 60
    with house.database.reading() as session:
        assert session.clients.turn(house.client) == 0.0
    later = house.ask(BOARDS[0], client=second)
    counting.ask(BOARD, third)
    counting.slices.clear()
    counting.search(60)
    assert counting.slices_of(BOARDS[0]) == pytest.approx(30, abs=4)
    assert house.solve_of(later).client_id == first
    house.cancel(job_id, first)
    assert house.solve_of(later).client_id == second


def test_clients_take_turns_with_short_work_too(house):
    for board in BOARDS[:3]:
        house.ask(board)
    house.clock.turn(0.01)
    other = house.ask(BOARD, client=house.clients.new())
    claims = house.worker()._claims.take(Queue.INTERACTIVE, "w")
    assert [claim.slice.solve_id for claim in claims].index(house.solve_of(other).id) == 1


def there_and_back(board, goal):
    """A solution of three moves of a board that is one move from its goal."""
    tiles = tuple(board.cells.tolist())
    [letter] = [one for one in "LRUD" if naive.moved(tiles, board.width, one) == tuple(goal.cells)]
    return from_letters(DETOUR[letter] + letter)


def test_small_boards_are_solved_within_the_opening_of_a_large_one_and_within_a_try(house):
    large = house.ask(Board([*range(1, 41), 0, 41], 7, 6))
    other = house.clients.new()
    waiting = house.ask(Board([*range(1, 29), 0, 29], 6, 5), client=other)
    over = []

    def solve_another(limits):
        small = house.ask(BOARDS[len(over)], client=house.clients.new()).id
        while not house.read.view(small).finished:
            assert not limits.cancelled()
        assert house.read.view(small).state is JobState.OPTIMAL
        over.append(small)

    def slow_opening(board, goal, limits):
        solve_another(limits)
        return SearchResult(1, there_and_back(board, goal), "scripted", Statistics(1))

    def slow_try(start, end, limits):
        solve_another(limits)
        return TrialOutcome(None, 1, "beam", complete=True)

    house.solver.openings.append(slow_opening)
    house.solver.improvings.append(slow_try)
    house.worker().serve(Queue.INTERACTIVE, "w", lambda: len(over) == 1)
    # Another large one waits for the end of an opening.
    assert house.read.view(waiting.id).state is JobState.QUEUED
    house.cancel(waiting.id, other)
    house.worker().serve(Queue.SEARCH, "w", lambda: len(over) == 2)
    assert not house.read.view(large.id).finished
