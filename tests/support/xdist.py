"""The distribution of tests over the processes of pytest-xdist.

A process runs all tests of a file, so that a module's fixtures are created once.
"""

import os
import random
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

# The longest first: started last, they would leave other processes idle.
TIERS = ("system", "exhaustive", "integration", "unit")

LONG_TIMEOUT_S = 1800
"""After this time a test of a whole system or a whole state space counts as hung."""

_LANE = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


def worker_number() -> int:
    """Return the number of this process, from 0."""
    return int(_LANE.removeprefix("gw"))


def is_xdist_worker() -> bool:
    """Return whether this process is one of several that share the tests."""
    return "PYTEST_XDIST_WORKER" in os.environ


def sort_items(items: list[pytest.Item], seed: int | None) -> None:
    """Group tests by file, and put the slow folders first, or files in a random order."""
    files = sorted({_file(item) for item in items})
    if seed is None:
        files.sort(key=lambda file: TIERS.index(file.split("/")[0]))
    else:
        random.Random(seed).shuffle(files)
    rank = {file: worker_number for worker_number, file in enumerate(files)}
    items.sort(key=lambda item: rank[_file(item)])
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_file(item)))
        if _file(item).startswith(("system", "exhaustive")):
            item.add_marker(pytest.mark.timeout(LONG_TIMEOUT_S))


def _file(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).as_posix()
