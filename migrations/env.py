"""Alembic: migrates over the connection opened by ``tilework.core.storage.schema``."""

from __future__ import annotations

from alembic import context

from tilework.core.storage.models import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    # SQLite cannot alter a column, so Alembic copies the table.
    render_as_batch=True,
    # The caller has opened the transaction.
    transactional_ddl=False,
)
context.run_migrations()
