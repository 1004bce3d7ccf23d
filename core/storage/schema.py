"""Bringing a database to a revision of the schema, by Alembic."""

from __future__ import annotations


def upgrade(url: str, revision: str = "head") -> None:
    """Run the migrations up to a revision."""
    raise NotImplementedError


def downgrade(url: str, revision: str) -> None:
    """Run the migrations down to a revision; ``base`` is an empty database."""
    raise NotImplementedError


def check(url: str) -> list[str]:
    """Return the differences between the database and the models, in words; empty is none."""
    raise NotImplementedError
