"""What a solve's life needs: courses that are done, what a job told at its end, skewed clocks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

JOB_COLUMNS = (
    ("nodes", sa.BigInteger()),
    ("wall_s", sa.Double()),
    ("threshold", sa.Integer()),
    ("covered", sa.Double()),
    ("engine", sa.String(length=60)),
)

# Until now the jobs of one solve shared one opening, whatever algorithm each of them asked for.
OPENINGS = """
INSERT INTO slice (
  id, solve_id, epoch, kind, queue, state, turn, threshold, algorithm, heuristic, target, gap,
  share, attempts, expiries, nodes, created_at, updated_at, seconds, cursor
)
SELECT
  min(job.id), solve.id, solve.epoch, 'open', 'search', 'ready', min(job.created_at), 0,
  job.algorithm, job.heuristic, 'optimal', 0, 1, 0, 0, 0, min(job.created_at),
  min(job.created_at), 0, {empty}
FROM job JOIN solve ON solve.id = job.solve_id
WHERE job.state IN ('queued', 'running')
  AND NOT EXISTS (
    SELECT 1 FROM slice AS opening
    WHERE opening.solve_id = solve.id AND opening.kind = 'open'
      AND opening.algorithm = job.algorithm AND opening.heuristic = job.heuristic
  )
  AND (
    job.algorithm IN ('beam', 'constructive')
    OR NOT EXISTS (
      SELECT 1 FROM slice AS part
      WHERE part.solve_id = solve.id AND part.kind = 'search' AND part.state <> 'done'
    )
  )
GROUP BY solve.id, solve.epoch, job.algorithm, job.heuristic
"""


def upgrade() -> None:
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    if on_sqlite:
        # Blobs and long texts stand last in a row; the tables are copied for that.
        with op.batch_alter_table("job", recreate="always") as batch:
            after = "finished_at"
            for name, kind in JOB_COLUMNS:
                batch.add_column(sa.Column(name, kind), insert_after=after)
                after = name
        with op.batch_alter_table("solve", recreate="always") as batch:
            batch.add_column(_tried(), insert_after="iterations")
    else:
        for name, kind in JOB_COLUMNS:
            op.add_column("job", sa.Column(name, kind))
        op.add_column("solve", _tried())
    op.add_column("worker", sa.Column("skew_s", sa.Double(), nullable=False, server_default="0"))
    # There is a method now that may better these bounds: let the next request have it tried.
    op.execute("UPDATE solve SET state = 'idle' WHERE state = 'exhausted'")
    op.execute(OPENINGS.format(empty="x''" if on_sqlite else "''::bytea"))


def downgrade() -> None:
    # The old schema knows one opening a solve.
    op.execute(
        "DELETE FROM slice WHERE kind = 'open' AND id > (SELECT min(other.id) FROM slice AS other"
        " WHERE other.solve_id = slice.solve_id AND other.kind = 'open')"
    )
    op.drop_column("worker", "skew_s")
    op.drop_column("solve", "tried")
    for name, _ in JOB_COLUMNS:
        op.drop_column("job", name)


def _tried() -> sa.Column:
    return sa.Column("tried", sa.Text(), nullable=False, server_default="")
