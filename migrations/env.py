"""Alembic's entry: migrates over the connection that ``tilework.core.storage.schema`` opened."""

from __future__ import annotations

from alembic import context

from tilework.core.storage.models import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    # SQLite cannot alter a column: Alembic then copies the table.
    render_as_batch=True,
    # The transaction is the caller's.
    transactional_ddl=False,
)
context.run_migrations()
