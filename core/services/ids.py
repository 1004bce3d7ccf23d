"""Ids of rows: UUIDs of version 7, which sort by the time they were made."""

from __future__ import annotations

from uuid_utils import uuid7


def new_id() -> str:
    """Return a new id, 36 characters, greater than all that this process made before."""
    return str(uuid7())
