"""Store the webhook settings of clients and the deliveries of their calls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("salt", sa.String(64)),
        sa.Column("previous_salt", sa.String(64)),
        sa.Column("secret_created_at", sa.Double()),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("headers", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
        _cascade("webhook", "id", "client.id"),
    )
    op.create_table(
        "delivery",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("client_id", sa.String(36), nullable=False),
        sa.Column("job_id", sa.String(36), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("attempted_at", sa.Double(), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("error", sa.String(200)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery")),
        _cascade("delivery", "client_id", "client.id"),
        _cascade("delivery", "job_id", "job.id"),
    )
    op.create_index("ix_delivery_client", "delivery", ["client_id", "id"])
    op.create_index("ix_delivery_job", "delivery", ["job_id", "id"])


def downgrade() -> None:
    op.drop_table("delivery")
    op.drop_table("webhook")


def _cascade(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [target], name=name, ondelete="CASCADE")
