"""The query plans of recorded statements: do they scan tables that only grow?"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, event

from tilework.core.storage.database import Database

LARGE = frozenset({"solve", "job", "slice", "bound_event", "task", "comparison_run"})
"""Tables that grow with all requests."""

_NEXT_TO_NONE = 500
"""Rows: PostgreSQL prefers a scan to an index for fewer."""

_STATEMENTS = ("SELECT", "UPDATE", "DELETE")
_SQLITE_PLAN = "EXPLAIN QUERY PLAN "
_POSTGRESQL_PLAN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "


@contextmanager
def record_statements(database: Database) -> Iterator[dict[str, Any]]:
    """Collect the statements that a database executes, each with its last parameters."""
    found: dict[str, Any] = {}

    def note(
        _connection: Any, _cursor: Any, text: str, parameters: Any, _context: Any, executemany: bool
    ) -> None:
        if text.lstrip().upper().startswith(_STATEMENTS):
            found[text] = parameters[-1] if executemany else parameters

    engines = [database.engine(writes) for writes in (False, True)]
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


def find_full_scans(database: Database, statements: Mapping[str, Any]) -> list[str]:
    """Return the statements that scan a large table, with the step of the plan."""
    of_plan = _sqlite_walks if database.dialect == "sqlite" else _postgresql_walks
    return [
        f"{step}: {text}"
        for text, plan in _run_each(database, statements, _plan)
        for step in of_plan(plan)
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
        # New statistics of the tables are read now, and not with the first statement.
        connection.exec_driver_sql("SELECT count(*) FROM worker")
        connection.rollback()
        for text, parameters in statements.items():
            yield text, inspect(connection, text, parameters)
            connection.rollback()


def _plan(connection: Connection, text: str, parameters: Any) -> Any:
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(_SQLITE_PLAN + text, parameters)
        return [row[-1] for row in rows]
    plan = connection.exec_driver_sql(_POSTGRESQL_PLAN + text, parameters).scalar_one()
    return (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]


def _sqlite_walks(steps: list[str]) -> Iterator[str]:
    for step in steps:
        table = re.match(r"SCAN (\w+)", step)
        if "AUTOMATIC" in step or (table is not None and table[1] in LARGE):
            yield step


def _postgresql_walks(node: dict[str, Any]) -> Iterator[str]:
    # An index scan in order can stop after the first rows: the pages show how far it went. Tables
    # that are almost empty need no index.
    if node["Node Type"] == "Seq Scan" and node["Relation Name"] in LARGE:
        read = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        if read * node["Actual Loops"] > _NEXT_TO_NONE:
            yield f"Seq Scan of {node['Relation Name']}"
    for inner in node.get("Plans", ()):
        yield from _postgresql_walks(inner)


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
