from __future__ import annotations

from itertools import islice

import pytest
from sqlalchemy import update

from tilework.core.errors import (
    MoveError,
    NotFoundError,
    OptionError,
    ReplayError,
    UnsolvableError,
)
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.puzzle.slides import slides_in
from tilework.core.services.analyses.records import AnalysisStanding, Answer
from tilework.core.services.states import Queue, RunState
from tilework.core.solver.slides.find import find_slides
from tilework.core.solver.ways import document, kept
from tilework.core.solver.ways.find import find_ways
from tilework.core.storage.analyses.rows import write_answer
from tilework.core.storage.models import analysis

MANY = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
"""31 moves, as many as any 8-puzzle has, with the goal 1 2 3 … and 40 solutions."""
EIGHT = blank_last(Size(3, 3))


def overwrite(house, **values):
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(update(analysis).values(**values))


def test_all_shortest_solutions_are_found_and_stay(house):
    view = house.ask_ways(MANY)
    assert (view.state, view.result) == (RunState.QUEUED, None)
    assert house.tickets.sent == {Queue.QUICK_ANALYSIS: 1}
    assert house.work() == 1
    result = house.ways.view(view.id).result
    found = find_ways(MANY, EIGHT).ways
    assert (result["length"], result["count"]) == (31, 40)
    assert (result["boards"], result["moves"]) == (found.boards, found.moves)
    assert (result["listed"], result["drawn"], result["stopped_by"]) == (40, True, None)
    assert result["fewest_turns"] == {
        "moves": to_letters(found.fewest_slides()),
        "slides": slides_in(found.fewest_slides()),
    }
    assert result["fewest_slides"]["slides"] == find_slides(MANY, EIGHT).slides
    assert result["fewest_slides"]["optimal"]
    listed = [to_letters(one) for one in house.ways.solutions(view.id)]
    assert listed == [to_letters(one) for one in found.solutions()]
    assert [to_letters(one) for one in house.ways.solutions(view.id, 38, 10)] == listed[38:]


def test_the_graph_is_that_of_all_solutions(house):
    view = house.ask_ways(MANY)
    house.work()
    drawn, found = house.ways.graph(view.id), find_ways(MANY, EIGHT).ways.graph()
    assert (drawn.boards[0], drawn.boards[-1]) == (MANY, EIGHT)
    assert drawn.depths == found.depths
    assert dict(zip(drawn.boards, drawn.ways, strict=True)) == dict(
        zip(found.boards, found.ways, strict=True)
    )
    steps = [
        {(one.boards[a], one.boards[b], letter) for a, b, letter in one.moves}
        for one in (drawn, found)
    ]
    assert steps[0] == steps[1]


def test_of_very_many_the_first_are_kept(house, monkeypatch):
    for module in (kept, document):
        monkeypatch.setattr(module, "MOST_LISTED", 30)
    view = house.ask_ways(MANY)
    house.work()
    result = house.ways.view(view.id).result
    assert (result["count"], result["listed"]) == (40, 30)
    listed = [to_letters(one) for one in house.ways.solutions(view.id)]
    found = find_ways(MANY, EIGHT).ways
    assert listed == [to_letters(one) for one in islice(found.solutions(), 30)]


@pytest.mark.parametrize("start", [EIGHT, Board([1, 0, 2, 3], 4, 1)])
def test_boards_with_one_way(house, start):
    view = house.ask_ways(start, goal=EIGHT if start is EIGHT else Board([1, 2, 3, 0], 4, 1))
    house.work()
    result = house.ways.view(view.id).result
    assert (result["count"], result["listed"]) == (1, 1)
    assert len(house.ways.solutions(view.id)) == 1
    assert len(house.ways.graph(view.id).boards) == result["length"] + 1


def test_larger_boards_wait_with_those_that_take_long(house):
    house.ask_ways(blank_last(Size(4, 4)))
    assert house.tickets.sent == {Queue.ANALYSIS: 1}


def test_a_limit_that_comes_first_is_told(house):
    start = scramble(Size(4, 4), blank_last(Size(4, 4)), seed=3)
    view = house.ask_ways(start, memory_bytes=1 << 20)
    house.work()
    result = house.ways.view(view.id).result
    assert result["stopped_by"] == "memory"
    assert (result["count"], result["listed"], result["drawn"]) == (None, 0, False)
    assert result["length"] == result["lower_bound"] == len(result["solution"])
    assert result["fewest_slides"]["slides"] is not None
    for read in (house.ways.solutions, house.ways.graph):
        with pytest.raises(NotFoundError, match="not all known"):
            read(view.id)


@pytest.mark.parametrize(
    ("asked", "error", "sentence"),
    [
        ({"start": blank_last(Size(5, 4))}, OptionError, "up to 16 cells; one of 5×4 has 20"),
        ({"start": Board([2, 1, 3, 4, 5, 6, 7, 8, 0])}, UnsolvableError, "cannot reach"),
        ({"seconds": 61}, OptionError, "give more than 0 and at most 60 s"),
        ({"memory_bytes": 1 << 40}, OptionError, "invalid memory limit 1048576 MiB"),
    ],
)
def test_what_is_not_searched_is_refused(house, asked, error, sentence):
    with pytest.raises(error, match=sentence):
        house.ask_ways(**asked)
    assert house.ways.of_client(house.client) == []


def test_ways_and_games_are_read_apart(house):
    ways, game = house.ask_ways(), house.ask("LL")
    assert [one.id for one in house.ways.of_client(house.client)] == [ways.id]
    assert [one.id for one in house.read.of_client(house.client)] == [game.id]
    with pytest.raises(NotFoundError, match="no search for ways"):
        house.ways.view(game.id)
    with pytest.raises(NotFoundError, match="no analysis"):
        house.read.view(ways.id)
    with pytest.raises(NotFoundError):
        house.cancel(ways.id, house.client)


def test_progress_is_stored_while_it_lasts(house):
    view = house.ask_ways(MANY)
    seen = []

    def telling(spec, limits, tell):
        answer = house.analyst.solver.answer(spec, limits, seen.append)
        tell(AnalysisStanding(3, 31, 31, 31))
        before = house.ways.version(view.id)
        seen.append(house.ways.wait(view.id, before, 5.0).standing)
        return answer

    house.analyst.scripts.append(telling)
    house.work()
    assert seen[-1] == AnalysisStanding(3, 31, 31, 31)
    assert [one.settled for one in seen if one.total == 31][:-1] == list(range(1, 32))


def test_a_wrong_answer_is_never_stored(house):
    def astray(spec, limits, tell):
        answer = house.analyst.solver.answer(spec, limits, tell)
        return Answer(answer.document | {"count": 41}, answer.solutions, answer.onward)

    house.analyst.scripts.extend([astray, astray])
    view = house.ask_ways(MANY)
    house.work()
    view = house.ways.view(view.id)
    assert view.state is RunState.FAILED
    assert "contradicts their count" in str(view.message)


def test_a_damaged_count_is_found_again(house):
    view = house.ask_ways(MANY)
    house.work()
    wrong = write_answer("another", Answer(house.ways.view(view.id).result | {"count": 41}))
    overwrite(house, result=wrong["result"])
    assert house.ways.view(view.id).state is RunState.QUEUED
    house.work()
    assert house.ways.view(view.id).result["count"] == 40


def test_stored_solutions_that_do_not_solve_are_never_shown(house):
    view = house.ask_ways(MANY)
    house.work()
    other = house.ask_ways(Board([6, 4, 7, 8, 5, 0, 3, 2, 1]))
    house.work()
    with house.database.reading() as session:
        answer = session.analyses.answer(other.id)
    overwrite(house, solutions=answer.solutions, onward=answer.onward)
    for read in (house.ways.solutions, house.ways.graph):
        with pytest.raises(ReplayError):
            read(view.id)
    overwrite(house, solutions=b"damaged", onward=b"damaged")
    with pytest.raises(MoveError):
        house.ways.solutions(view.id)
    with pytest.raises(ReplayError):
        house.ways.graph(view.id)
