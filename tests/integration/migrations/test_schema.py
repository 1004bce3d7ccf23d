from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from tilework.core.messages import Message
from tilework.core.services.farm.course import Course
from tilework.core.services.states import Queue, SliceKind, SolveState
from tilework.core.storage.database import Database
from tilework.core.storage.models import metadata
from tilework.core.storage.schema import check, downgrade, upgrade


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite'}"
    url: str = request.getfixturevalue("empty_postgres_url")
    return url


def tables(url: str) -> set[str]:
    database = Database(url)
    try:
        return set(inspect(database.engine(writes=False)).get_table_names())
    finally:
        database.dispose()


def test_the_migrations_make_what_the_models_say(database_url: str) -> None:
    assert check(database_url) == []


def test_an_empty_database_is_told_apart(empty_url: str) -> None:
    database = Database(empty_url)
    try:
        assert not database.current()
        upgrade(empty_url)
        assert database.current()
    finally:
        database.dispose()


def test_up_down_and_up_again(empty_url: str) -> None:
    upgrade(empty_url)
    assert tables(empty_url) == set(metadata.tables) | {"alembic_version"}
    upgrade(empty_url)
    downgrade(empty_url, "base")
    assert tables(empty_url) == {"alembic_version"}
    upgrade(empty_url)
    assert check(empty_url) == []


def test_a_failed_migration_leaves_nothing(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", fail)
        with pytest.raises(RuntimeError):
            upgrade(empty_url)
    assert tables(empty_url) <= {"alembic_version"}
    upgrade(empty_url)
    assert check(empty_url) == []


def test_a_difference_is_named(empty_url: str) -> None:
    upgrade(empty_url)
    database = Database(empty_url)
    try:
        with database.engine(writes=True).begin() as connection:
            connection.exec_driver_sql("DROP INDEX ix_job_client")
    finally:
        database.dispose()
    assert any("ix_job_client" in difference for difference in check(empty_url))


SOLVE_ROW = (
    "INSERT INTO solve (id, key, width, height, goal_blank, lower_bound, upper_bound, state,"
    " threshold, covered, epoch, nodes, seconds, version, created_at, updated_at, board, goal)"
    " VALUES ('{id}', '{id}', {width}, {height}, 0, 3, 9, '{state}', 5, 0.5, 1, 77, 2.5, 1,"
    " 10, 20, {blob}, {blob})"
)
OTHER_ROWS = (
    "INSERT INTO client (id, created_at) VALUES ('someone', 1)",
    "INSERT INTO job (id, client_id, solve_id, width, height, target, gap, algorithm, heuristic,"
    " time_limit_s, deadline, queue, state, cached, version, lower_bound, created_at, transform,"
    " board, goal) VALUES ('job', 'someone', 'busy', 4, 4, 'optimal', 0, 'auto', 'auto', 1, 1,"
    " 'search', 'running', {false}, 1, 0, 1, '', {blob}, {blob})",
    "INSERT INTO job (id, client_id, solve_id, width, height, target, gap, algorithm, heuristic,"
    " time_limit_s, deadline, queue, state, cached, version, lower_bound, created_at, transform,"
    " board, goal) VALUES ('beam', 'someone', 'busy', 4, 4, 'optimal', 0, 'beam', 'auto', 1, 1,"
    " 'search', 'running', {false}, 1, 0, 7, '', {blob}, {blob})",
    "INSERT INTO slice (id, solve_id, epoch, kind, queue, state, turn, threshold, algorithm,"
    " heuristic, target, gap, share, attempts, expiries, nodes, created_at, updated_at, cursor)"
    " VALUES ('slice', 'busy', 1, 'search', 'search', 'ready', 5, 5, 'auto', 'auto', 'optimal',"
    " 0, 0.5, 0, 0, 0, 1, 1, {blob})",
)


def test_rows_live_on_in_the_new_schema(empty_url: str) -> None:
    upgrade(empty_url, "0001")
    database = Database(empty_url)
    words = {"sqlite": {"blob": "x'0102'", "false": "0"}}.get(
        database.dialect, {"blob": "'\\x0102'::bytea", "false": "false"}
    )
    solves = (
        {"id": "busy", "width": 4, "height": 4, "state": "active"},
        {"id": "small", "width": 4, "height": 4, "state": "exhausted"},
        {"id": "large", "width": 8, "height": 7, "state": "exhausted"},
    )
    try:
        with database.engine(writes=True).begin() as connection:
            for row in solves:
                connection.exec_driver_sql(SOLVE_ROW.format(**row, **words))
            for row_text in OTHER_ROWS:
                connection.exec_driver_sql(row_text.format(**words))
        upgrade(empty_url)
        with database.reading() as session:
            busy, large = session.solves.find("busy"), session.solves.find("large")
            assert session.solves.find("small").state is SolveState.IDLE
            claim, opening = session.slices.next(Queue.SEARCH, 3)
        assert (busy.nodes, busy.wall_s, busy.client_id) == (77, 2.5, "someone")
        assert large.state is SolveState.IDLE
        assert (claim.slice.cursor, claim.slice.parent_id) == (b"\x01\x02", None)
        # Whoever asked for an algorithm that nobody had begun with has its opening now.
        assert (opening.slice.kind, opening.slice.course) == (
            SliceKind.OPEN,
            Course("beam", "auto"),
        )
        downgrade(empty_url, "0001")
        upgrade(empty_url)
        assert check(empty_url) == []
        with database.reading() as session:
            assert session.solves.find("busy").nodes == 77
    finally:
        database.dispose()


def test_quarantined_slices_live_on_under_their_new_name(empty_url: str) -> None:
    upgrade(empty_url, "0001")
    database = Database(empty_url)
    blob = {"sqlite": "x'0102'"}.get(database.dialect, "'\\x0102'::bytea")
    solve_row = SOLVE_ROW.format(id="busy", width=4, height=4, state="active", blob=blob)

    def stored(column: str) -> list[tuple[str, str, int | None]]:
        with database.engine(writes=False).connect() as connection:
            rows = connection.exec_driver_sql(
                f"SELECT id, state, {column} FROM slice"
                f" UNION ALL SELECT id, state, {column} FROM solve ORDER BY 1"
            )
            return [tuple(row) for row in rows]

    try:
        with database.engine(writes=True).begin() as connection:
            connection.exec_driver_sql(solve_row)
            connection.exec_driver_sql(OTHER_ROWS[-1].format(blob=blob))
            connection.exec_driver_sql("UPDATE slice SET state = 'aside', least_over = 7")
            connection.exec_driver_sql("UPDATE solve SET least_over = 9")
        upgrade(empty_url)
        after = [("busy", "active", 9), ("slice", "quarantined", 7)]
        assert stored("next_threshold") == after
        with database.reading() as session:
            assert session.solves.find("busy").next_threshold == 9
        downgrade(empty_url, "0005")
        assert stored("least_over") == [("busy", "active", 9), ("slice", "aside", 7)]
        upgrade(empty_url)
        assert stored("next_threshold") == after
    finally:
        database.dispose()


ENDED_JOB = (
    "INSERT INTO job (id, client_id, width, height, target, gap, algorithm, heuristic,"
    " time_limit_s, deadline, queue, state, cached, version, lower_bound, created_at, message,"
    " transform, board, goal) VALUES (%s, 'someone', 4, 4, 'optimal', 0, 'auto', 'auto', 1, 1,"
    " 'search', 'failed', {false}, 1, 0, 1, %s, '', {blob}, {blob})"
)
OLD_SENTENCES = {
    "a": ("The time limit of the job was reached.", "time-is-up", None),
    "b": (
        "Work on this board broke its workers and was set aside.",
        "quarantined",
        "The search crashed its workers repeatedly and is suspended for an hour.",
    ),
    "c": ("The search failed: KeyError: '{x}'", "search-failed", None),
    "d": ("The limit of 1000 nodes was reached.", "node-limit-reached", None),
    "e": ("A sentence that nobody knows, with {braces}.", "as-told", None),
}


def test_stored_sentences_become_messages_and_back(empty_url: str) -> None:
    upgrade(empty_url, "0005")
    database = Database(empty_url)
    words = {"sqlite": {"blob": "x'0102'", "false": "0"}}.get(
        database.dialect, {"blob": "'\\x0102'::bytea", "false": "false"}
    )
    statement = text(ENDED_JOB.format(**words) % (":id", ":message"))
    stored = text("SELECT id, message FROM job ORDER BY id")
    try:
        with database.engine(writes=True).begin() as connection:
            connection.execute(text(OTHER_ROWS[0]))
            for id_, (sentence, _, _) in OLD_SENTENCES.items():
                connection.execute(statement, {"id": id_, "message": sentence})
        upgrade(empty_url)
        with database.engine(writes=False).connect() as connection:
            found = {id_: Message.from_json(told) for id_, told in connection.execute(stored)}
        for id_, (sentence, code, new) in OLD_SENTENCES.items():
            assert (found[id_].code, str(found[id_])) == (code, new or sentence)
        downgrade(empty_url, "0005")
        with database.engine(writes=False).connect() as connection:
            back = {row.id: row.message for row in connection.execute(stored)}
        assert back == {id_: str(message) for id_, message in found.items()}
    finally:
        database.dispose()


def test_sqlite_reads_the_short_columns_first(sqlite_template: Path) -> None:
    database = Database(f"sqlite:///{sqlite_template}")
    try:
        found = inspect(database.engine(writes=False))
        for table in ("solve", "slice", "job", "search_run", "comparison"):
            blobs = [str(column["type"]) == "BLOB" for column in found.get_columns(table)]
            assert blobs == sorted(blobs)
    finally:
        database.dispose()


def test_boards_beyond_a_proof_are_tried_anew(empty_url: str) -> None:
    upgrade(empty_url, "0001")
    database = Database(empty_url)
    blob = {"sqlite": "x'0102'"}.get(database.dialect, "'\\x0102'::bytea")
    try:
        with database.engine(writes=True).begin() as connection:
            for id_, side in (("four", 4), ("six", 6), ("ten", 10)):
                row = SOLVE_ROW.format(id=id_, width=side, height=side, state="idle", blob=blob)
                connection.exec_driver_sql(row)
        upgrade(empty_url, "0007")
        with database.engine(writes=True).begin() as connection:
            connection.exec_driver_sql("UPDATE solve SET tried = 'auto:auto beam:auto'")
        upgrade(empty_url)
        with database.engine(writes=False).connect() as connection:
            rows = connection.exec_driver_sql("SELECT id, tried FROM solve ORDER BY id").all()
        assert list(map(tuple, rows)) == [
            ("four", "auto:auto beam:auto"),
            ("six", "beam:auto"),
            ("ten", "beam:auto"),
        ]
    finally:
        database.dispose()


def test_events_are_numbered_by_solve_and_time(empty_url: str) -> None:
    upgrade(empty_url, "0010")
    database = Database(empty_url)
    blob = "x'0102'" if database.dialect == "sqlite" else "'\\x0102'::bytea"
    event = "INSERT INTO bound_event (id, solve_id, time, lower_bound, nodes) VALUES "
    try:
        with database.engine(writes=True).begin() as connection:
            for name in ("one", "two"):
                connection.exec_driver_sql(
                    "INSERT INTO solve (id, key, width, height, goal_blank, lower_bound, state,"
                    " covered, epoch, nodes, seconds, version, created_at, updated_at, wall_s,"
                    f" recent_nodes, recent_s, board, goal) VALUES ('{name}', '{name}', 2, 2, 0, 1,"
                    f" 'idle', 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, {blob}, {blob})"
                )
            rows = "('a','one',3,1,0), ('b','two',9,1,0), ('c','one',1,1,0), ('d','one',3,2,0)"
            connection.exec_driver_sql(event + rows)
        upgrade(empty_url)
        with database.engine(writes=False).connect() as connection:
            found = connection.exec_driver_sql("SELECT id, number FROM bound_event ORDER BY id")
            assert [tuple(row) for row in found] == [("a", 2), ("b", 1), ("c", 1), ("d", 3)]
        downgrade(empty_url, "0010")
        upgrade(empty_url)
        assert check(empty_url) == []
    finally:
        database.dispose()
