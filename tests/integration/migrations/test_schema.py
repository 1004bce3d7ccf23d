import pytest
from sqlalchemy import inspect, text

from tilework.core.messages import Message
from tilework.core.model.solves import Course
from tilework.core.model.states import Queue, SliceKind, SolveState
from tilework.core.storage.models import metadata
from tilework.core.storage.schema import check, downgrade, upgrade


def tables(database):
    return set(inspect(database.engine(writes=False)).get_table_names())


def test_up_down_and_up_again(url, database, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", fail)
        with pytest.raises(RuntimeError):
            upgrade(url)
    assert tables(database) <= {"alembic_version"}
    assert not database.current()
    upgrade(url)
    upgrade(url)
    assert database.current()
    assert tables(database) == set(metadata.tables) | {"alembic_version"}
    if database.dialect == "sqlite":  # which reads the short columns first
        for table in ("solve", "slice", "job", "search_run", "comparison"):
            columns = inspect(database.engine(writes=False)).get_columns(table)
            blobs = [str(column["type"]) == "BLOB" for column in columns]
            assert blobs == sorted(blobs)
    database.dispose()
    downgrade(url, "base")
    assert tables(database) == {"alembic_version"}
    upgrade(url)
    assert check(url) == []
    with database.engine(writes=True).begin() as connection:
        connection.exec_driver_sql("DROP INDEX ix_job_client")
    assert any("ix_job_client" in difference for difference in check(url))


# id, width, height, state
SOLVES = (
    ("busy", 4, 4, "active"),
    ("four", 4, 4, "exhausted"),
    ("large", 8, 7, "exhausted"),
    ("six", 6, 6, "idle"),
)
SOLVE_ROW = (
    "INSERT INTO solve (id, key, width, height, goal_blank, lower_bound, upper_bound, state,"
    " threshold, least_over, covered, epoch, nodes, seconds, version, created_at, updated_at,"
    " board, goal)"
    " VALUES (:id, :id, :width, :height, 0, 3, 9, :state, 5, 9, 0.5, 1, 77, 2.5, 1, 10, 20,"
    " :blob, :blob)"
)
JOB_ROW = (
    "INSERT INTO job (id, client_id, solve_id, width, height, target, gap, algorithm, heuristic,"
    " time_limit_s, deadline, queue, state, cached, version, lower_bound, created_at, message,"
    " transform, board, goal) VALUES (:id, 'someone', :solve, 4, 4, 'optimal', 0, :algorithm,"
    " 'auto', 1, 1, 'search', :state, :no, 1, 0, 7, :message, '', :blob, :blob)"
)
SLICE_ROW = (
    "INSERT INTO slice (id, solve_id, epoch, kind, queue, state, turn, threshold, least_over,"
    " algorithm, heuristic, target, gap, share, attempts, expiries, nodes, created_at, updated_at,"
    " cursor) VALUES (:id, 'busy', 1, 'search', 'search', :state, 5, 5, 7, 'auto', 'auto',"
    " 'optimal', 0, 0.5, 0, 0, 0, 1, 1, :blob)"
)
EVENT_ROW = (
    "INSERT INTO bound_event (id, solve_id, time, lower_bound, nodes)"
    " VALUES (:id, :solve, :time, 1, 0)"
)
EVENTS = (("a", "busy", 3), ("b", "six", 9), ("c", "busy", 1), ("d", "busy", 4))
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
    "apart": ("The search failed: MemoryError", "search-failed", None),
    "run": ("The limit of 0.5 s was reached.", "time-limit-reached", None),
}
ELSEWHERE = ("apart", "run")
RUN_ROW = (
    "INSERT INTO search_run (id, key, width, height, method, time_limit_s, node_limit,"
    " memory_limit, state, turn, attempts, version, created_at, updated_at, message, board, goal)"
    " VALUES (:id, :id, 4, 4, 'greedy:manhattan', 1, 1000, 1, 'done', 1, 1, 1, 1, 1, :message,"
    " :blob, :blob)"
)
MESSAGES = (
    "SELECT id, message FROM job WHERE state = 'failed'"
    " UNION SELECT id, message FROM slice WHERE message IS NOT NULL"
    " UNION SELECT id, message FROM search_run"
)


def run(database, statement, **values):
    with database.engine(writes=True).begin() as connection:
        connection.execute(text(statement), values)


def rows(database, statement):
    with database.engine(writes=False).connect() as connection:
        return sorted(tuple(row) for row in connection.execute(text(statement)))


def fill(database):
    """Insert rows of the first schema."""
    blob, no = b"\x01\x02", False
    for id_, width, height, state in SOLVES:
        run(database, SOLVE_ROW, id=id_, width=width, height=height, state=state, blob=blob)
    run(database, "INSERT INTO client (id, created_at) VALUES ('someone', 1)")
    jobs = [("job", "auto", "running", None), ("beam", "beam", "running", None)]
    ended = [
        (id_, "auto", "failed", told)
        for id_, (told, _, _) in OLD_SENTENCES.items()
        if id_ not in ELSEWHERE
    ]
    for id_, algorithm, state, told in jobs + ended:
        solve = "busy" if state == "running" else None
        values = {"id": id_, "solve": solve, "algorithm": algorithm, "state": state}
        run(database, JOB_ROW, **values, message=told, blob=blob, no=no)
    for id_, state in (("slice", "ready"), ("apart", "aside")):
        run(database, SLICE_ROW, id=id_, state=state, blob=blob)
    told = OLD_SENTENCES["apart"][0]
    run(database, "UPDATE slice SET message = :told WHERE id = 'apart'", told=told)
    for id_, solve, time in EVENTS:
        run(database, EVENT_ROW, id=id_, solve=solve, time=time)


def test_rows_live_on_in_the_new_schema_and_back(url, database):
    upgrade(url, "0001")
    fill(database)
    upgrade(url, "0003")
    run(database, RUN_ROW, id="run", message=OLD_SENTENCES["run"][0], blob=b"")
    upgrade(url, "0007")
    run(database, "UPDATE solve SET tried = 'auto:auto beam:auto' WHERE id IN ('four', 'six')")
    upgrade(url)
    assert check(url) == []
    with database.reading() as session:
        busy, large, four = map(session.solves.find, ("busy", "large", "four"))
        claim, opening = session.slices.next(Queue.SEARCH, 9)
    assert (busy.nodes, busy.wall_s, busy.client_id) == (77, 2.5, "someone")
    assert (busy.state, busy.next_threshold) == (SolveState.ACTIVE, 9)
    assert (large.state, four.state) == (SolveState.IDLE, SolveState.IDLE)
    assert (claim.slice.cursor, claim.slice.parent_id) == (b"\x01\x02", None)
    # Whoever asked for an algorithm that nobody had begun with has its opening now.
    assert opening.slice.kind is SliceKind.OPEN
    assert opening.slice.course == Course("beam", "auto")
    apart = "SELECT state, {} FROM slice WHERE id = 'apart'"
    assert rows(database, apart.format("next_threshold")) == [("quarantined", 7)]
    # Boards beyond a proof are tried anew.
    tried = rows(database, "SELECT id, tried FROM solve WHERE id IN ('four', 'six')")
    assert tried == [("four", "auto:auto beam:auto"), ("six", "beam:auto")]
    numbers = rows(database, "SELECT id, number FROM bound_event")
    assert numbers == [("a", 2), ("b", 1), ("c", 1), ("d", 3)]
    found = {id_: Message.from_json(told) for id_, told in rows(database, MESSAGES)}
    for id_, (sentence, code, new) in OLD_SENTENCES.items():
        assert (found[id_].code, str(found[id_])) == (code, new or sentence)
    run(database, "UPDATE job SET message = '{bad' WHERE id = 'a'")
    downgrade(url, "0005")
    told = {id_: str(told) for id_, told in found.items()} | {"a": "{bad"}
    assert dict(rows(database, MESSAGES)) == told
    assert rows(database, apart.format("least_over")) == [("aside", 7)]
    downgrade(url, "0001")
    upgrade(url)
    assert check(url) == []
    assert rows(database, apart.format("next_threshold")) == [("quarantined", 7)]
    with database.reading() as session:
        assert session.solves.find("busy").nodes == 77
