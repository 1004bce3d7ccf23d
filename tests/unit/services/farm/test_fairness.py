"""Who is served when several wait for long searches."""

from __future__ import annotations

from collections import Counter
from itertools import count
from types import SimpleNamespace

import pytest

from tests.support.services.staging import BOARD, GOAL, bounded
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.packing import pack_board
from tilework.core.services.jobs.intake import prepare
from tilework.core.services.states import JobState
from tilework.core.solver.piece import Piece, SliceOutcome

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
    return SliceOutcome(10, threshold + 2, None, (Piece(b"rest:%.9f" % share, share),), "scripted")


class Counting:
    """Runs endless slices and counts them by board."""

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
    counting.search(300)
    assert counting.slices_of(BOARD) == pytest.approx(150, abs=8)
    for board in BOARDS:
        assert counting.slices_of(board) == pytest.approx(30, abs=8)


def test_who_comes_late_gets_his_part_and_no_more(house, counting):
    counting.ask(BOARDS[0], house.client)
    counting.search(500)
    counting.ask(BOARD, house.clients.new())
    counting.slices.clear()
    counting.search(100)
    assert counting.slices_of(BOARD) == pytest.approx(50, abs=4)


def test_who_was_alone_goes_on_without_asking_for_a_turn(house, counting):
    counting.ask(BOARD, house.client)
    counting.search(50)
    assert counting.slices_of(BOARD) == 50
    with house.database.reading() as session:
        assert session.clients.turn(house.client) == 0.0


def test_a_search_that_two_ask_for_counts_once(house, counting):
    first, second, third = house.client, house.clients.new(), house.clients.new()
    counting.ask(BOARDS[0], first)
    house.ask(BOARDS[0], client=second)
    counting.ask(BOARD, third)
    counting.search(200)
    assert counting.slices_of(BOARDS[0]) == pytest.approx(100, abs=6)


def test_a_search_is_charged_to_whoever_still_waits(house, counting):
    job_id = counting.ask(BOARD, house.client)
    other = house.clients.new()
    later = house.ask(BOARD, client=other)
    assert house.solve_of(later).client_id == house.client
    house.cancel(job_id, house.client)
    assert house.solve_of(later).client_id == other
