"""Move runs of the lab, questions and callbacks into one table of tasks."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

# Rows in memory at a time; a row may contain a large trace.
PAGE = 50

# Columns of all these tables except that of callbacks.
SHARED = (
    *("id", "key", "state", "turn", "owner", "lease_until", "attempts", "version"),
    *("created_at", "updated_at", "started_at", "finished_at", "message"),
)
CALL = ("id", "owner", "lease_until", "attempts", "created_at")
ANALYSIS = ("client_id", "kind", "queue", "seal", "result")
PROGRESS = ("settled", "total", "lower_bound", "upper_bound")
CALL_STATES = {"waiting": "queued", "calling": "running"}

Row = Mapping[str, Any]
Values = dict[str, Any]


def upgrade() -> None:
    op.create_table(
        "task",
        _column("id", 36, nullable=False),
        _column("kind", 24, nullable=False),
        _column("client_id", 36),
        _column("key", 110, nullable=False),
        _column("queue", 24, nullable=False),
        *_lease(),
        *_times(),
        _column("progress", 120),
        sa.Column("message", sa.Text()),
        _column("seal", 32),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("result", sa.LargeBinary()),
        sa.Column("solutions", sa.LargeBinary()),
        sa.Column("detail", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_task_client_id")),
        sa.UniqueConstraint("key", name=op.f("uq_task_key")),
    )
    op.create_index("ix_task_turn", "task", ["state", "queue", "turn"])
    _index_unfinished("task")
    op.create_index("ix_task_kind", "task", ["kind", "id"])
    op.create_index("ix_task_client", "task", ["client_id", "id"], **_only("client_id IS NOT NULL"))
    _lock("search_run", "analysis", "callback", "comparison_run", "job_run")
    called: set[str] = set()
    _copy("search_run", "task", _task_of_run)
    _copy("analysis", "task", _task_of_analysis)
    _copy("callback", "task", lambda row: _task_of_callback(row, called))
    _refer("search_run", "task")
    for table in ("callback", "analysis", "search_run"):
        op.drop_table(table)


def downgrade() -> None:
    op.create_table(
        "search_run",
        _column("id", 36, nullable=False),
        _column("key", 64, nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        _column("method", 120, nullable=False),
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        sa.Column("node_limit", sa.BigInteger(), nullable=False),
        sa.Column("memory_limit", sa.BigInteger(), nullable=False),
        _column("window", 24),
        *_lease(),
        sa.Column("length", sa.Integer()),
        _column("stopped_by", 24),
        *_times(),
        sa.Column("statistics", sa.Text()),
        sa.Column("message", sa.Text()),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.LargeBinary()),
        sa.Column("trace", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_run")),
        sa.UniqueConstraint("key", name=op.f("uq_search_run_key")),
    )
    op.create_index("ix_search_run_turn", "search_run", ["state", "turn"])
    _index_unfinished("search_run")
    op.create_table(
        "analysis",
        _column("id", 36, nullable=False),
        _column("client_id", 36, nullable=False),
        _column("key", 64, nullable=False),
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        *_lease(),
        *(sa.Column(name, sa.Integer()) for name in PROGRESS),
        *_times(),
        sa.Column("message", sa.Text()),
        _column("kind", 24, nullable=False, server_default="game"),
        _column("queue", 24, nullable=False, server_default="analysis"),
        sa.Column("memory_limit", sa.BigInteger()),
        _column("seal", 32),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        *(sa.Column(name, sa.LargeBinary()) for name in ("moves", "times", "result")),
        *(sa.Column(name, sa.LargeBinary()) for name in ("solutions", "onward")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analysis")),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_analysis_client_id")),
        sa.UniqueConstraint("client_id", "key", name=op.f("uq_analysis_client_id")),
    )
    op.create_index("ix_analysis_turn", "analysis", ["queue", "state", "turn"])
    op.create_index("ix_analysis_client", "analysis", ["client_id", "id"])
    _index_unfinished("analysis")
    op.create_table(
        "callback",
        _column("id", 36, nullable=False),
        _column("job_id", 36, nullable=False),
        _column("state", 24, nullable=False),
        sa.Column("due_at", sa.Double(), nullable=False),
        _column("owner", 200),
        sa.Column("lease_until", sa.Double()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_callback")),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_callback_job_id")),
    )
    op.create_index("ix_callback_due", "callback", ["state", "due_at"])
    op.create_index("ix_callback_job", "callback", ["job_id"])
    _lock("task", "comparison_run", "job_run")
    _copy("task", "search_run", _run_of_task, "kind = 'run'")
    _copy("task", "analysis", _analysis_of_task, "kind IN ('game', 'ways')")
    _copy("task", "callback", _callback_of_task, "kind = 'call'")
    _refer("task", "search_run")
    op.drop_table("task")


def _lock(*tables: str) -> None:
    """Prevent running programs from writing rows that would not be copied."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")


def _task_of_run(row: Row) -> Values:
    spec = {
        "board": _base64(row["board"]),
        "goal": _base64(row["goal"]),
        **{name: row[name] for name in ("method", "time_limit_s", "node_limit", "memory_limit")},
        "window": row["window"],
    }
    values = _shared(row) | {"kind": "run", "queue": "lab", "spec": _json(spec)}
    if row["state"] != "done":
        return values
    try:
        statistics = None if row["statistics"] is None else json.loads(row["statistics"])
    except (ValueError, TypeError):  # damaged; queued again, as when a damaged row is read
        return values | {"state": "queued", "finished_at": None, "attempts": 0}
    result = {name: row[name] for name in ("length", "stopped_by")} | {"statistics": statistics}
    packed = zlib.compress(_json(result).encode())
    return values | {
        "seal": _checksum(row["id"], packed),
        "result": packed,
        "solutions": row["moves"],
        "detail": row["trace"],
    }


def _run_of_task(row: Row) -> Values:
    spec = json.loads(row["spec"])
    board = b64decode(spec["board"])
    result = {"length": None, "stopped_by": None, "statistics": None}
    if row["result"] is not None:
        result = json.loads(zlib.decompress(row["result"]))
    statistics = result["statistics"]
    return {
        **_shared(row),
        **spec,
        "width": int.from_bytes(board[:2], "little"),
        "height": int.from_bytes(board[2:4], "little"),
        "board": board,
        "goal": b64decode(spec["goal"]),
        **result,
        "statistics": None if statistics is None else json.dumps(statistics),
        "moves": row["solutions"],
        "trace": row["detail"],
    }


def _task_of_analysis(row: Row) -> Values:
    spec = {
        "board": _base64(row["board"]),
        "goal": _base64(row["goal"]),
        "time_limit_s": row["time_limit_s"],
    }
    if row["kind"] == "ways":
        spec["memory_limit"] = row["memory_limit"]
    else:
        spec["moves"] = _base64(row["moves"])
        spec["times_ms"] = None if row["times"] is None else _read_times(row["times"])
    progress = [row[name] for name in PROGRESS]
    return {
        **_shared(row),
        **{name: row[name] for name in ANALYSIS},
        "key": f"{row['client_id']}:{row['key']}",
        "progress": None if progress[0] is None else _json(progress),
        "spec": _json(spec),
        "solutions": row["solutions"],
        "detail": row["onward"],
    }


def _analysis_of_task(row: Row) -> Values:
    spec = json.loads(row["spec"])
    progress = [None] * 4 if row["progress"] is None else json.loads(row["progress"])
    times = spec.get("times_ms")
    return {
        **_shared(row),
        **{name: row[name] for name in ANALYSIS},
        **dict(zip(PROGRESS, progress, strict=True)),
        "key": row["key"].rpartition(":")[2],
        "time_limit_s": spec["time_limit_s"],
        "memory_limit": spec.get("memory_limit"),
        "board": b64decode(spec["board"]),
        "goal": b64decode(spec["goal"]),
        "moves": b64decode(spec["moves"]) if "moves" in spec else None,
        "times": None if times is None else zlib.compress(struct.pack(f"<{len(times)}I", *times)),
        "solutions": row["solutions"],
        "onward": row["detail"],
    }


def _task_of_callback(row: Row, called: set[str]) -> Values:
    # A job ends once; if it has two callbacks, both are kept.
    key = row["id"] if row["job_id"] in called else row["job_id"]
    called.add(row["job_id"])
    return {
        **{name: row[name] for name in CALL},
        "kind": "call",
        "key": key,
        "queue": "calls",
        "state": CALL_STATES.get(row["state"], row["state"]),
        "turn": row["due_at"],
        "version": 1,
        "updated_at": row["created_at"],
        "spec": _json({"job_id": row["job_id"], "url": row["url"]}),
    }


def _callback_of_task(row: Row) -> Values:
    states = {task: call for call, task in CALL_STATES.items()}
    return {
        **{name: row[name] for name in CALL},
        **json.loads(row["spec"]),
        "state": states.get(row["state"], row["state"]),
        "due_at": row["turn"],
    }


def _shared(row: Row) -> Values:
    return {name: row[name] for name in SHARED}


def _copy(
    source: str, target: str, values: Callable[[Row], Values], condition: str = "1 = 1"
) -> None:
    """Copy the rows of a table into another, page by page; missing columns stay empty."""
    connection = op.get_bind()
    # Without types, so that damaged values are copied unchanged.
    table = sa.table(source, sa.column("id"))
    page = sa.select(sa.text("*")).select_from(table).where(sa.text(condition))
    page = page.order_by(table.c.id).limit(PAGE)
    empty = {column["name"]: None for column in sa.inspect(connection).get_columns(target)}
    insert = sa.table(target, *map(sa.column, empty)).insert()
    after = ""
    while found := connection.execute(page.where(table.c.id > after)).mappings().all():
        rows = [empty | values(row) for row in found]
        connection.execute(insert, [{name: row[name] for name in empty} for row in rows])
        after = found[-1]["id"]


def _refer(old: str, new: str) -> None:
    """Change the foreign keys of runs to another table."""
    for table in ("comparison_run", "job_run"):
        name = op.f(f"fk_{table}_run_id")
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(name, type_="foreignkey")
            batch.create_foreign_key(name, new, ["run_id"], ["id"])


def _checksum(row_id: str, packed: bytes) -> str:
    digest = hashlib.blake2b(repr((row_id, len(packed))).encode(), digest_size=16)
    digest.update(packed)
    return digest.hexdigest()


def _base64(packed: Any) -> str:
    # Damaged values remain damaged, and are found when they are read.
    return b64encode(packed).decode() if isinstance(packed, bytes) else str(packed)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), default=str)


def _read_times(packed: bytes) -> list[int] | str:
    try:
        return [time for (time,) in struct.iter_unpack("<I", zlib.decompress(packed))]
    except (zlib.error, struct.error, TypeError):
        return "damaged"


def _column(name: str, length: int, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.String(length=length), **options)


def _lease() -> tuple[sa.Column[Any], ...]:
    return (
        _column("state", 24, nullable=False),
        sa.Column("turn", sa.Double(), nullable=False),
        _column("owner", 200),
        sa.Column("lease_until", sa.Double()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
    )


def _times() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
    )


def _index_unfinished(table: str) -> None:
    condition = "state IN ('queued', 'running')"
    op.create_index(f"ix_{table}_unfinished", table, ["state"], **_only(condition))


def _only(condition: str) -> dict[str, Any]:
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}
