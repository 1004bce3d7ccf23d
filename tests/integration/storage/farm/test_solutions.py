"""Best solutions in the database: short ones in their row, long ones in chunks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import event, func, select

from tilework.core.errors import ReplacedError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.ids import new_id
from tilework.core.services.jobs.intake import prepare
from tilework.core.storage.database import Database
from tilework.core.storage.farm.solutions import head_of
from tilework.core.storage.models import solution_chunk, solve

LARGE = Size(20, 20)
CHUNK = 1 << 18


def moves_of(count: int, seed: int = 1) -> Moves:
    return np.random.default_rng(seed).integers(4, size=count).astype(np.uint8)


@pytest.fixture
def solve_id(database: Database) -> str:
    board = scramble(LARGE, blank_last(LARGE), seed=1)
    return new_solve(database, board)


def new_solve(database: Database, board: Board) -> str:
    with database.writing() as session:
        puzzle = prepare(board, blank_last(board.size)).puzzle
        return session.solves.obtain(new_id(), puzzle, 0, 0.0).id


def save(database: Database, solve_id: str, moves: Moves | None) -> None:
    with database.writing() as session:
        record = session.solves.lock(solve_id)
        bound = None if moves is None else len(moves)
        session.solves.save_with_moves(replace(record, upper_bound=bound), 1.0, moves, "test")


def chunks(database: Database) -> int:
    with database.engine(writes=False).connect() as connection:
        return connection.execute(select(func.count()).select_from(solution_chunk)).scalar_one()


@pytest.mark.parametrize("count", [0, 5, CHUNK, CHUNK + 1, 3 * CHUNK, 17 * CHUNK + 77])
def test_moves_come_back(database: Database, solve_id: str, count: int) -> None:
    moves = moves_of(count)
    save(database, solve_id, moves)
    with database.reading() as session:
        assert np.array_equal(session.solves.moves(solve_id), moves)
        best = session.solutions.best(solve_id)
    assert len(best) == count
    for first, end in ((0, 10), (CHUNK - 5, CHUNK + 5), (2, 2 * CHUNK + 9), (count - 3, count)):
        assert np.array_equal(best[first:end], moves[max(0, first) : end])
    assert chunks(database) == (0 if count <= CHUNK else -(-count // CHUNK))


def test_an_old_solution_is_not_kept(database: Database, solve_id: str) -> None:
    save(database, solve_id, moves_of(4 * CHUNK))
    save(database, solve_id, moves_of(2 * CHUNK, seed=2))
    assert chunks(database) == 2
    save(database, solve_id, moves_of(100))
    assert chunks(database) == 0
    save(database, solve_id, moves_of(2 * CHUNK))
    save(database, solve_id, None)
    assert chunks(database) == 0
    with database.reading() as session:
        assert session.solves.moves(solve_id) is None


def test_a_failed_save_leaves_the_old_solution(database: Database, solve_id: str) -> None:
    old = moves_of(3 * CHUNK)
    save(database, solve_id, old)

    def fail() -> None:
        with database.writing() as session:
            record = session.solves.lock(solve_id)
            session.solves.save_with_moves(record, 1.0, moves_of(2 * CHUNK, seed=2), "test")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as session:
        assert np.array_equal(session.solves.moves(solve_id), old)


def test_a_replaced_solution_is_never_mixed_with_the_new_one(
    database: Database, solve_id: str
) -> None:
    save(database, solve_id, moves_of(3 * CHUNK))
    with database.engine(writes=False).connect() as connection:
        row = connection.execute(select(solve.c.moves)).one()
    head = head_of(solve_id, row.moves)
    save(database, solve_id, moves_of(3 * CHUNK, seed=2))
    with database.reading() as session, pytest.raises(ReplacedError):
        session.solutions.read(head)
    with database.reading() as session, pytest.raises(ReplacedError):
        session.solutions.read(head, 5, 10)


def test_a_reader_between_two_solutions_gets_the_new_one(database: Database, solve_id: str) -> None:
    new = moves_of(2 * CHUNK, seed=2)
    save(database, solve_id, moves_of(3 * CHUNK))
    engine = database.engine(writes=False)
    done = []

    def replace_once(*_: object) -> None:
        if not done:
            done.append(True)
            save(database, solve_id, new)

    event.listen(engine, "after_cursor_execute", replace_once)
    with database.reading() as session:
        found = session.solutions.best(solve_id)
    assert np.array_equal(found[:], new)


def test_a_small_board_needs_no_statement_more(database: Database) -> None:
    solve_id = new_solve(database, Board([8, 6, 7, 2, 5, 4, 3, 0, 1]))
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    for writes in (True, False):
        event.listen(database.engine(writes), "before_cursor_execute", note)
    save(database, solve_id, moves_of(31))
    with database.reading() as session:
        session.solves.moves(solve_id)
    texts = [text.split()[0] for text in statements if not text.startswith("BEGIN")]
    assert texts == ["SELECT", "UPDATE", "SELECT"]
