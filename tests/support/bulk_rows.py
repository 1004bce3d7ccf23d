"""Finished rows, made by the database itself: a million take seconds, not minutes."""

from sqlalchemy import Connection

from tilework.core.storage.database import Database

CHUNK = 100_000
FILLER = "filler"

# As long as that of a run of 15 tiles; nothing reads it.
_SPEC = "-" * 250

# Runs of a comparison.
_RUNS_PER_COMPARISON = 10

_SOLVES = (
    "solve",
    """
    id={id}; key={id}; width=4; height=4; goal_blank=0; lower_bound=40; upper_bound=40;
    state='settled'; covered=1; epoch=1; nodes=1000; seconds=1; wall_s=1; recent_nodes=0;
    recent_s=0; version=3; created_at=i; updated_at=i; client_id='{filler}'; board={blob};
    goal={blob}; moves={blob}
    """,
)
_JOBS = (
    "job",
    """
    id={id}; client_id=CASE WHEN i % 2 = 0 THEN '{filler}' ELSE '{client}' END; solve_id={id};
    width=4; height=4; target='optimal'; gap=0; algorithm='auto'; heuristic='auto';
    time_limit_s=60; deadline=i; queue='interactive';
    state=CASE WHEN i % 9 = 0 THEN 'cancelled' ELSE 'optimal' END; cached={false}; version=2;
    lower_bound=40; upper_bound=40; created_at=i; started_at=i; finished_at=i; transform='';
    board={blob}; goal={blob}
    """,
)
# Half of them belong to one long search in progress.
_SLICES = (
    "slice",
    """
    id={id}; solve_id=CASE WHEN i % 2 = 0 THEN {id} ELSE '{solve}' END; epoch=1; kind='search';
    queue='search'; state='done'; turn=i; threshold=30 + 2 * (i % 7); algorithm='auto';
    heuristic='auto'; target='optimal'; gap=0; share=0.001; attempts=1; expiries=0; nodes=1000;
    next_threshold=42; created_at=i; updated_at=i; engine='4x4 6-6-3 r12'; seconds=1;
    cursor={blob}
    """,
)
_EVENTS = (
    "bound_event",
    """
    id={id}; solve_id={id}; time=i; lower_bound=40; upper_bound=40; nodes=1000
    """,
)
_RUNS = (
    "task",
    """
    id={id}; kind='run'; key={id}; queue='lab';
    state=CASE WHEN i % 9 = 0 THEN 'cancelled' ELSE 'done' END; turn=i; attempts=1; version=3;
    created_at=i; updated_at=i; started_at=i; finished_at=i; spec='{spec}';
    result={blob}; solutions={blob}
    """,
)
_PLACES = (
    "comparison_run",
    """
    comparison_id={comparison}; place=i % {many}; run_id={id}; board_index=0; shared={false}
    """,
)
_COMPARISONS = (
    "comparison",
    """
    id={comparison};
    client_id=CASE WHEN i % (2 * {many}) = 0 THEN '{filler}' ELSE '{client}' END;
    key={comparison}; time_limit_s=10; node_limit=1000000; memory_limit=1000000; total={many};
    created_at=i; methods='a-star:manhattan'; goal={blob}; board={blob}
    """,
)

_WORDS = {
    "sqlite": {
        "id": "printf('01900000-0000-7000-8000-%012d', i)",
        "comparison": "printf('01900000-0000-7000-8000-%012d', i / {many})",
        "blob": "zeroblob(24)",
        "false": "0",
        "series": "WITH RECURSIVE s(i) AS (SELECT {first} UNION ALL SELECT i + {step} FROM s"
        " WHERE i + {step} < {end}) SELECT {values} FROM s",
    },
    "postgresql": {
        "id": "'01900000-0000-7000-8000-' || lpad(i::text, 12, '0')",
        "comparison": "'01900000-0000-7000-8000-' || lpad((i / {many})::text, 12, '0')",
        "blob": "decode(repeat('01', 24), 'hex')",
        "false": "false",
        "series": "SELECT {values} FROM generate_series({first}, {end} - 1, {step}) AS s(i)",
    },
}


def insert_finished_rows(database: Database, rows: int, *, solve_id: str, client_id: str) -> None:
    """Insert finished solves, jobs, slices, events, and runs of the lab.

    Half of the slices belong to `solve_id`, and half of the jobs and comparisons to `client_id`.
    """
    with database.writing() as session:
        session.clients.add(FILLER, 0.0)
    for table, columns in (_SOLVES, _JOBS, _SLICES, _EVENTS, _RUNS):
        _insert(database, table, columns, rows, solve_id, client_id)
    _insert(database, *_COMPARISONS, rows, solve_id, client_id, step=_RUNS_PER_COMPARISON)
    _insert(database, *_PLACES, rows, solve_id, client_id)


def analyze(database: Database) -> None:
    """Update the planner's statistics."""
    with database.engine(writes=False).connect() as connection:
        connection.exec_driver_sql("ANALYZE")


def _insert(
    database: Database,
    table: str,
    columns: str,
    rows: int,
    solve_id: str,
    client_id: str,
    step: int = 1,
) -> None:
    words = _WORDS[database.dialect]
    names = {
        "filler": FILLER,
        "spec": _SPEC,
        "solve": solve_id,
        "client": client_id,
        "many": _RUNS_PER_COMPARISON,
    }
    terms = {word: words[word].format(**names) for word in ("id", "comparison", "blob", "false")}
    texts = dict(column.strip().split("=", 1) for column in columns.split(";"))
    values = ", ".join(text.format(**names, **terms) for text in texts.values())
    for start in range(0, rows, CHUNK):
        series = words["series"].format(
            first=start, end=min(start + CHUNK, rows), step=step, values=values
        )
        with database.engine(writes=True).begin() as connection:
            _run(connection, f"INSERT INTO {table} ({', '.join(texts)}) {series}")


def _run(connection: Connection, text: str) -> None:
    connection.exec_driver_sql(text.replace("%", "%%") if "::" in text else text)
