"""Tests on several processes of pytest-xdist, each of which is a lane.

A lane takes the tests of a file together, so that a module's fixtures are made once.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

# The longest begin first: begun last, one lane would wait for the other.
FIRST = ("system/", "integration/")

_LANE = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


def number() -> int:
    """Return this lane's number, from 0."""
    return int(_LANE.removeprefix("gw"))


def is_lane() -> bool:
    """Tell whether this process is one of several that share the tests."""
    return "PYTEST_XDIST_WORKER" in os.environ


def arrange(items: list[pytest.Item]) -> None:
    """Group tests by file, and put the slow tiers first."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_file(item)))
    items.sort(key=lambda item: not _file(item).startswith(FIRST[0]))


def _file(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).as_posix()
