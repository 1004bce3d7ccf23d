"""The tables of the first version.

Until that is released, they are those of the models. Its release writes them out here, because
later migrations start from them.
"""

from __future__ import annotations

from alembic import op

from tilework.core.storage.models import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    metadata.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    metadata.drop_all(op.get_bind(), checkfirst=False)
