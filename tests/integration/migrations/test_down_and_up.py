import zlib

import numpy as np
import pytest
from sqlalchemy import func, select, update

from tests.support.services.house import furnish
from tests.support.services.sliding import SlidingSolver
from tests.support.services.staging import BOARD, LENGTH
from tilework.core.errors import NotFoundError
from tilework.core.model.states import new_id
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.jobs.intake import prepare
from tilework.core.storage.models import job, solution_chunk, solve
from tilework.core.storage.schema import check, downgrade, upgrade

CHUNK = 1 << 18


def count(database, table):
    with database.engine(writes=False).connect() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def test_jobs_in_slides_are_gone_and_long_solutions_are_put_together(url, database, tmp_path):
    upgrade(url)
    house = furnish(database, tmp_path)
    house.solver = SlidingSolver()
    in_slides = house.ask(BOARD, metric=Metric.SLIDES, key="k")
    in_moves = house.ask(BOARD)
    house.work()
    waiting = house.ask(next(BOARD.neighbors()), metric=Metric.SLIDES)
    random = np.random.default_rng(1)
    found = {
        3: random.integers(4, size=40),
        20: random.integers(4, size=CHUNK),
        21: random.integers(4, size=CHUNK + 1),
        # So repetitive that its bytes are few.
        22: np.zeros(5 * CHUNK),
        30: random.integers(4, size=3 * CHUNK + 7),
    }
    moves = {side: one.astype(np.uint8) for side, one in found.items()}
    ids = {}
    for side in moves:
        goal = blank_last(Size(side, side))
        puzzle = prepare(scramble(goal.size, goal, seed=1), goal).puzzle
        with database.writing() as session:
            ids[side] = session.solves.obtain(new_id(), puzzle, 0, 0.0).id

    downgrade(url, "0009")
    for side, one in moves.items():
        with database.engine(writes=True).begin() as connection:
            row = update(solve).where(solve.c.id == ids[side])
            connection.execute(row.values(moves=pack(one)))
    upgrade(url)
    assert check(url) == []
    with database.reading() as session:
        for side, id_ in ids.items():
            assert np.array_equal(session.solves.moves(id_), moves[side])
    assert count(database, solution_chunk) == 2 + 5 + 4
    assert (count(database, job), count(database, solve)) == (1, 1 + len(ids))
    view = house.read.view(in_moves.id)
    assert (view.options.metric, view.upper_bound) == (Metric.MOVES, LENGTH)
    for gone in (in_slides, waiting):
        with pytest.raises(NotFoundError):
            house.read.view(gone.id)
    again = house.ask(BOARD, metric=Metric.SLIDES, key="k")
    house.work()
    assert house.read.view(again.id).finished

    downgrade(url, "0009")
    with database.engine(writes=False).connect() as connection:
        for side, id_ in ids.items():
            row = connection.execute(select(solve.c.moves).where(solve.c.id == id_))
            packed = bytes(row.scalar_one())
            assert int.from_bytes(packed[:8], "little") == len(moves[side])
            assert zlib.decompress(packed[8:]) == zlib.decompress(pack(moves[side])[8:])
