from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import event, func, select

from tilework.core.errors import ReplacedError
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.ids import new_id
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.jobs.submit import prepare
from tilework.core.storage import solutions
from tilework.core.storage.models import solution_chunk, solve
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
