"""Messages as codes and values: sentences that were stored become JSON.

A sentence of a known kind becomes the message that says the same now; any other keeps its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TABLES = ("job", "slice", "search_run")
PAGE = 1_000

HOUR = {"code": "hours", "template": "an hour", "plural": "{count} hours", "values": {"count": 1}}

# What the version before stored, as patterns; each with the message that says it now. Groups are
# values; what a template says in two ways has its plural.
KNOWN = (
    (
        r"No method here brings the bounds of this board closer\.",
        "bounds-final",
        "No method here improves the bounds of this board any further.",
    ),
    (
        r"The algorithm that was asked for has done all it can\.",
        "algorithm-exhausted",
        "The requested algorithm cannot improve the result any further.",
    ),
    (
        r"No method here found a solution of this board\.",
        "no-solution-found",
        "No method here found a solution of this board.",
    ),
    (
        r"The time limit of the job was reached\.",
        "time-is-up",
        "The time limit of the job was reached.",
    ),
    (
        r"Work on this board broke its workers and was set aside\.",
        "quarantined",
        "The search crashed its workers repeatedly and is suspended for {time}.",
        {"time": HOUR},
    ),
    (r"The search failed: (?P<error>.*)", "search-failed", "The search failed: {error}"),
    (
        r"this board of (?P<size>\d+×\d+) cannot reach its goal",
        "unsolvable",
        "this board of {size} cannot reach its goal",
    ),
    (
        r"Nothing is left to search, and the goal was not met\.",
        "exhausted",
        "Search space exhausted; goal not reached.",
    ),
    (
        r"The limit of (?P<count>\d+) nodes was reached\.",
        "node-limit-reached",
        "The limit of {count} node was reached.",
        {"plural": "The limit of {count} nodes was reached."},
    ),
    (
        r"The limit of (?P<limit>\S+) MiB was reached\.",
        "memory-limit-reached",
        "The limit of {limit:g} MiB was reached.",
    ),
    (
        r"The limit of (?P<limit>\S+) s was reached\.",
        "time-limit-reached",
        "The limit of {limit:g} s was reached.",
    ),
    (r"The run was cancelled\.", "run-cancelled", "The run was cancelled."),
    (
        r"The recursion went (?P<calls>\d+) calls deep, .*",
        "recursion-depth",
        "The recursion reached its limit of {calls} calls; a search with a stack of its own, such "
        "as backtracking-stack or depth-first, has no such limit.",
    ),
    (
        r"The run broke its worker (?P<count>\d+) times, .*",
        "run-crashed",
        "The run crashed its worker once, most likely by running out of memory; a lower memory "
        "limit may help.",
        {
            "plural": "The run crashed its workers {count} times, most likely by running out of "
            "memory; a lower memory limit may help."
        },
    ),
    (r"The run failed: (?P<error>.*)", "run-failed", "The run failed: {error}"),
    (
        r"walking distance needs tables of .* at (?P<size>\d+×\d+); .*",
        "walking-distance-size",
        "the tables of walking-distance are too large for a board of {size}; they are available "
        "up to 4×4 and 5×2; choose linear-conflict for larger boards",
    ),
)


def upgrade() -> None:
    _rewrite(_to_message)


def downgrade() -> None:
    _rewrite(_to_sentence)


def _to_message(words: str) -> str:
    return json.dumps(_message(words), ensure_ascii=False, separators=(",", ":"))


def _message(words: str) -> dict[str, Any]:
    for pattern, code, template, *more in KNOWN:
        match = re.fullmatch(pattern, words, re.DOTALL)
        if match is None:
            continue
        values = {name: _value(name, text) for name, text in match.groupdict().items()}
        message = {"code": code, "template": template, "values": values}
        for name, value in (more[0] if more else {}).items():
            if name == "plural":
                message[name] = value
            else:
                values[name] = value
        return message
    return {"code": "as-told", "template": "{words}", "values": {"words": words}}


def _value(name: str, text: str) -> object:
    return float(text) if name == "limit" else int(text) if text.isdecimal() else text


def _to_sentence(stored: str) -> str:
    try:
        return _said(json.loads(stored))
    except (ValueError, LookupError, TypeError, AttributeError):
        return stored  # damaged


def _said(message: dict[str, Any]) -> str:
    values = message.get("values", {})
    several = "plural" in message and values["count"] != 1
    template = message["plural"] if several else message["template"]
    return template.format_map(
        {name: _said(value) if isinstance(value, dict) else value for name, value in values.items()}
    )


def _rewrite(rewritten: Callable[[str], str]) -> None:
    for name in TABLES:
        table = sa.table(name, sa.column("id"), sa.column("message"))
        change = (
            sa.update(table)
            .where(table.c.id == sa.bindparam("row_id"))
            .values(message=sa.bindparam("words"))
        )
        for page in _pages(table):
            rows = [{"row_id": row.id, "words": rewritten(row.message)} for row in page]
            op.get_bind().execute(change, rows)


def _pages(table: sa.TableClause) -> Iterator[list[sa.Row[Any]]]:
    after = ""
    while True:
        page = list(
            op.get_bind().execute(
                sa.select(table.c.id, table.c.message)
                .where(table.c.message.is_not(None), table.c.id > after)
                .order_by(table.c.id)
                .limit(PAGE)
            )
        )
        if not page:
            return
        yield page
        after = page[-1].id
