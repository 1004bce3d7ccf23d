from __future__ import annotations

import pytest
from sqlalchemy import select, update

from tests.support.services.staging import best
from tests.unit.services.jobs.batches.staging import BOARDS, GOAL, send
from tilework.core.errors import NotFoundError
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.replay import replay
from tilework.core.services.states import JobState
from tilework.core.storage.models import job, set_aside, solve


def damage(house, table, row, **values):
    with house.database.engine(writes=True).begin() as connection:
        assert connection.execute(update(table).where(row).values(**values)).rowcount == 1


def set_aside_rows(house):
    with house.database.engine(writes=False).connect() as connection:
        return [
            tuple(row)
            for row in connection.execute(select(set_aside.c.of_table, set_aside.c.row_id))
        ]


def rows_of(house, batch, **options):
    return house.read_batch.rows(batch.id, -1, 100, **{"cells": 144} | options)


def test_every_board_is_answered_in_order(house):
    boards = [*BOARDS, BOARDS[0]]
    batch = send(house, boards)
    assert (batch.total, batch.finished, batch.progress) == (6, False, 0.0)
    house.work("batch")
    done = house.read_batch.view(batch.id)
    assert (done.finished, done.progress) == (True, 1.0)
    assert done.states == {JobState.OPTIMAL: 6}
    results = list(house.read_batch.results(batch.id))
    assert [result.index for result in results] == list(range(6))
    for board, result in zip(boards, results, strict=True):
        assert len(result.moves) == result.upper_bound == len(best(board, GOAL))
        assert result.optimal
        replay(board, result.moves, GOAL)


def test_results_can_be_read_before_the_end(house):
    send(house, BOARDS[:1])
    house.work()
    batch = send(house, BOARDS[:2])
    first, second = house.read_batch.results(batch.id)
    assert (first.state, second.state) == (JobState.OPTIMAL, JobState.QUEUED)
    assert second.moves is None
    assert house.read_batch.view(batch.id).progress == pytest.approx(0.5)


def test_a_batch_that_does_not_exist(house):
    with pytest.raises(NotFoundError, match="nowhere"):
        house.read_batch.view("nowhere")
    with pytest.raises(NotFoundError):
        house.read_batch.results("nowhere")


def test_rows_are_in_order_and_have_the_tiles_of_small_boards_alone(house):
    batch = send(house, BOARDS)
    house.work("batch")
    rows = rows_of(house, batch)
    assert [row.index for row in rows] == list(range(len(BOARDS)))
    assert [(row.board, row.goal) for row in rows] == [(board, GOAL) for board in BOARDS]
    assert [row.upper_bound for row in rows] == [len(best(board, GOAL)) for board in BOARDS]
    assert rows[2:4] == house.read_batch.rows(batch.id, 1, 2, cells=6)
    named = rows_of(house, batch, cells=5)
    assert {(row.width, row.height, row.board, row.goal) for row in named} == {(3, 2, None, None)}


@pytest.mark.parametrize(
    "values",
    [
        {"board": b""},
        {"goal": pack_board(GOAL)[:-1]},
        {"board": pack_board(BOARDS[0])},
        {"state": "lost"},
        {"transform": "xyz"},
    ],
    ids=["no board", "half a goal", "another board", "no state", "no transform"],
)
@pytest.mark.parametrize("ended", [False, True])
def test_a_damaged_board_costs_the_rows_of_no_other(house, values, ended):
    batch = send(house, BOARDS)
    if ended:
        house.work("batch")
    before = rows_of(house, batch)
    damaged = before[2].job_id
    damage(house, job, job.c.id == damaged, **values)
    rows = rows_of(house, batch)
    assert [row.job_id for row in rows] == [row.job_id for row in before]
    assert rows[:2] + rows[3:] == before[:2] + before[3:]
    lost = rows[2]
    assert (lost.state, lost.message.code) == (JobState.FAILED, "record-damaged")
    assert (lost.lower_bound, lost.upper_bound) == (0, None)
    assert set_aside_rows(house) == [("job", damaged)]
    # Mended: nothing is found wrong with it again.
    assert rows_of(house, batch) == rows
    results = list(house.read_batch.results(batch.id))
    assert [result.state for result in results] == [row.state for row in rows]
    assert len(set_aside_rows(house)) == 1


def test_a_damaged_solution_is_withdrawn_from_its_row_alone(house):
    batch = send(house, BOARDS[:3])
    house.work("batch")
    before = rows_of(house, batch)
    with house.database.writing() as session:
        solve_id = session.jobs.solve_of(before[1].job_id)
    damage(house, solve, solve.c.id == solve_id, upper_bound=0, lower_bound=0)
    rows = rows_of(house, batch)
    assert (rows[0], rows[2]) == (before[0], before[2])
    assert rows[1].message.code == "solution-withdrawn"
    assert set_aside_rows(house) == [("solve", solve_id)]
