"""Long solutions that were stored whole are cut, and put together again on the way back."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select, update

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import pack
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.ids import new_id
from tilework.core.services.jobs.intake import prepare
from tilework.core.storage.database import Database
from tilework.core.storage.models import solution_chunk, solve
from tilework.core.storage.schema import downgrade, upgrade

CHUNK = 1 << 18


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite'}"
    url: str = request.getfixturevalue("empty_postgres_url")
    return url


def test_long_solutions_are_cut_and_put_together(empty_url: str) -> None:
    upgrade(empty_url)
    database = Database(empty_url)
    random = np.random.default_rng(1)
    found = {
        (3, 40): random.integers(4, size=40),
        (20, 100): random.integers(4, size=100),
        (20, CHUNK): random.integers(4, size=CHUNK),
        (20, CHUNK + 1): random.integers(4, size=CHUNK + 1),
        # So repetitive that its bytes are few.
        (21, 5 * CHUNK): np.zeros(5 * CHUNK),
        (30, 3 * CHUNK + 7): random.integers(4, size=3 * CHUNK + 7),
    }
    moves = {key: one.astype(np.uint8) for key, one in found.items()}
    ids = {}
    try:
        for seed, (side, count) in enumerate(moves):
            goal = blank_last(Size(side, side))
            puzzle = prepare(scramble(goal.size, goal, seed=seed), goal).puzzle
            with database.writing() as session:
                ids[side, count] = session.solves.obtain(new_id(), puzzle, 0, 0.0).id
        downgrade(empty_url, "0009")
        for key, one in moves.items():
            with database.engine(writes=True).begin() as connection:
                row = update(solve).where(solve.c.id == ids[key])
                connection.execute(row.values(moves=pack(one)))

        upgrade(empty_url)
        with database.reading() as session:
            for key, id_ in ids.items():
                assert np.array_equal(session.solves.moves(id_), moves[key])
        with database.engine(writes=False).connect() as connection:
            chunks = connection.execute(select(func.count()).select_from(solution_chunk))
            assert chunks.scalar_one() == 2 + 5 + 4

        downgrade(empty_url, "0009")
        with database.engine(writes=False).connect() as connection:
            for key, id_ in ids.items():
                row = connection.execute(select(solve.c.moves).where(solve.c.id == id_))
                packed = bytes(row.scalar_one())
                assert int.from_bytes(packed[:8], "little") == len(moves[key])
                assert zlib.decompress(packed[8:]) == zlib.decompress(pack(moves[key])[8:])
    finally:
        database.dispose()
