"""Events of a solve are numbered, so that those in between can be left out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NUMBER = """
UPDATE bound_event SET number = (
  SELECT count(*) FROM bound_event AS other
  WHERE other.solve_id = bound_event.solve_id
    AND (other.time < bound_event.time
         OR other.time = bound_event.time AND other.id <= bound_event.id)
)
"""


def upgrade() -> None:
    op.add_column(
        "bound_event", sa.Column("number", sa.Integer(), nullable=False, server_default="0")
    )
    op.execute(NUMBER)
    op.create_index("ix_bound_event_number", "bound_event", ["solve_id", "number"])
    op.drop_index("ix_bound_event_solve_id", "bound_event")


def downgrade() -> None:
    op.create_index("ix_bound_event_solve_id", "bound_event", ["solve_id"])
    op.drop_index("ix_bound_event_number", "bound_event")
    op.drop_column("bound_event", "number")
