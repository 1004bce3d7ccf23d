"""Every fault there is, and which kinds of database can have it."""

from __future__ import annotations

from typing import Final

WEIGHTS: Final = {
    "kill-worker": 8,
    "kill-web": 3,
    "kill-broker": 2,
    "forget-broker": 1,
    "flush-broker": 1,
    "stop-worker": 1,
    "delay": 1,
    "stall": 1,
    "cut": 1,
    "half-open": 1,
    "kill-backend": 2,
    "restart-database": 1,
    "damage-pdb": 1,
    "damage-row": 2,
    "poison": 1,
    "later-schema": 1,
    "later-work": 1,
    "read-only": 1,
    "full-disk": 1,
    "step-clock": 2,
}
"""Every fault there is, and how often it comes beside the others."""

_ON_POSTGRESQL: Final = ("kill-backend", "restart-database", "step-clock")
_ON_SQLITE: Final = ("full-disk", "read-only")
"""A disk that is full or read-only ends PostgreSQL's server, which is the fault before."""


def faults_of(database: str) -> list[str]:
    """Return the names of the faults that a kind of database can have."""
    others = _ON_SQLITE if database == "postgresql" else _ON_POSTGRESQL
    return [name for name in WEIGHTS if name not in others]
