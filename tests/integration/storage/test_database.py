from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from sqlalchemy import event

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.ids import new_id
from tilework.core.services.jobs.intake import prepare
from tilework.core.services.states import SolveState
from tilework.core.storage.database import Database

PUZZLE = prepare(Board([4, 1, 2, 5, 0, 3], 3, 2), blank_last(Size(3, 2))).puzzle


def test_a_transaction_that_fails_leaves_nothing(database):
    def fail() -> None:
        with database.writing() as session:
            session.clients.add("someone", 1.0)
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as session:
        assert not session.clients.exists("someone")


def test_there_is_no_engine_before_the_first_use(database_url):
    database = Database(database_url)
    assert database._engines == {}
    assert database.current()
    assert list(database._engines) == [False]
    database.dispose()
    assert database._engines == {}


def test_plain_postgresql_urls_mean_psycopg():
    assert Database("postgresql://h/d").engine(writes=False).driver == "psycopg"


def test_sqlite_is_set_up_for_many_processes(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'new' / 'folder' / 'db.sqlite'}")
    try:
        for writes in (False, True):
            with database.engine(writes).connect() as connection:
                found = [
                    connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous", "foreign_keys")
                ]
            assert found == ["wal", 1, 1]
    finally:
        database.dispose()


def test_writers_take_turns(database):
    count, rounds = 6, 10
    with database.writing() as session:
        solve_id = session.solves.obtain(new_id(), PUZZLE, 4, 0.0).id

    def add() -> None:
        for _ in range(rounds):
            with database.writing() as session:
                solve = session.solves.lock(solve_id)
                session.solves.save(replace(solve, nodes=solve.nodes + 1), 1.0)

    threads = [threading.Thread(target=add) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.reading() as session:
        assert session.solves.find(PUZZLE.key).nodes == count * rounds


def test_one_puzzle_has_one_solve(database):
    ids = []
    barrier = threading.Barrier(6)

    def obtain() -> None:
        barrier.wait()
        with database.writing() as session:
            ids.append(session.solves.obtain(new_id(), PUZZLE, 4, 0.0).id)

    threads = [threading.Thread(target=obtain) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 6
    assert len(set(ids)) == 1


def test_a_new_solve_knows_no_more_than_its_bound(database):
    with database.writing() as session:
        solve = session.solves.obtain(new_id(), PUZZLE, 4, 7.0)
        assert session.solves.puzzle(solve.id) == PUZZLE
        assert session.solves.moves(solve.id) is None
    assert (solve.lower_bound, solve.upper_bound, solve.state) == (4, None, SolveState.IDLE)
    assert (solve.cells, solve.epoch, solve.nodes, solve.threshold) == (6, 0, 0, None)


def test_a_job_is_read_in_one_statement(database):
    statements = []
    engine = database.engine(writes=False)
    event.listen(engine, "before_cursor_execute", lambda *facts: statements.append(facts[2]))
    with database.reading() as session:
        assert session.jobs.view("nowhere", 0.0) is None
    assert len(statements) == 1
