"""Query plans of recorded statements, which should not scan tables that only grow."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, event

from tilework.core.storage.database import Database

LARGE = frozenset({"solve", "job", "slice", "bound_event", "task", "comparison_run"})
"""Tables that grow with every request."""

_FEW_ROWS = 500
"""PostgreSQL prefers a scan to an index for fewer rows."""

_SQLITE_PLAN = "EXPLAIN QUERY PLAN "
_POSTGRESQL_PLAN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "


@contextmanager
def record_statements(database: Database) -> Iterator[dict[str, Any]]:
    """Collect the statements that a database executes, each with its last parameters."""
    statements: dict[str, Any] = {}

    def record(
        _connection: Any, _cursor: Any, text: str, parameters: Any, _context: Any, executemany: bool
    ) -> None:
        if text.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE")):
            statements[text] = parameters[-1] if executemany else parameters

    engines = [database.engine(writes) for writes in (False, True)]
    for engine in engines:
        event.listen(engine, "before_cursor_execute", record)
    try:
        yield statements
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", record)


def find_full_scans(database: Database, statements: Mapping[str, Any]) -> list[str]:
    """Return the statements that scan a large table, each after the step of its plan."""
    find_scans = _sqlite_scans if database.dialect == "sqlite" else _postgresql_scans
    return [
        f"{step}: {text}"
        for text, plan in _run_each(database, statements, _plan)
        for step in find_scans(plan)
    ]


def measure_costs(database: Database, statements: Mapping[str, Any]) -> dict[str, int]:
    """Run each statement and roll it back; return its cost.

    Returns
    -------
    dict of int
    By statement, steps of SQLite's virtual machine, or pages that PostgreSQL read.
    """
    count = _sqlite_steps if database.dialect == "sqlite" else _postgresql_pages
    return dict(_run_each(database, statements, count))


def _run_each(database: Database, statements: Mapping[str, Any], inspect: Any) -> Iterator[Any]:
    with database.engine(writes=True).connect() as connection:
        # Read new table statistics now, not during the first statement.
        connection.exec_driver_sql("SELECT count(*) FROM worker")
        connection.rollback()
        for text, parameters in statements.items():
            yield text, inspect(connection, text, parameters)
            connection.rollback()


def _plan(connection: Connection, text: str, parameters: Any) -> Any:
    if connection.dialect.name == "sqlite":
        return [row[-1] for row in connection.exec_driver_sql(_SQLITE_PLAN + text, parameters)]
    plan = connection.exec_driver_sql(_POSTGRESQL_PLAN + text, parameters).scalar_one()
    return (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]


def _sqlite_scans(steps: list[str]) -> Iterator[str]:
    for step in steps:
        table = re.match(r"SCAN (\w+)", step)
        if "AUTOMATIC" in step or (table is not None and table[1] in LARGE):
            yield step


def _postgresql_scans(node: dict[str, Any]) -> Iterator[str]:
    # Index scans may stop early; the cost in pages shows whether they do. Tables that are almost
    # empty need no index.
    if node["Node Type"] == "Seq Scan" and node["Relation Name"] in LARGE:
        read = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        if read * node["Actual Loops"] > _FEW_ROWS:
            yield f"Seq Scan of {node['Relation Name']}"
    for inner in node.get("Plans", ()):
        yield from _postgresql_scans(inner)


def _sqlite_steps(connection: Connection, text: str, parameters: Any) -> int:
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    driver = connection.connection.driver_connection
    assert driver is not None
    connection.begin()
    driver.set_progress_handler(count, 1)
    try:
        driver.execute(text, parameters).fetchall()
    finally:
        driver.set_progress_handler(None, 1)
    return steps


def _postgresql_pages(connection: Connection, text: str, parameters: Any) -> int:
    plan = _plan(connection, text, parameters)
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
