"""The distribution of tests over the processes of pytest-xdist.

One process runs all tests of a file, so that module fixtures are created only once.
"""

import os
import random
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

# The slowest first: started last, they would leave other processes idle.
TIERS = ("system", "exhaustive", "integration", "unit")

LONG_TIMEOUT_S = 1800
"""Timeout of tests of a whole system or a whole state space."""

_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


def worker_number() -> int:
    """Return the number of this process, from 0."""
    return int(_WORKER.removeprefix("gw"))


def is_xdist_worker() -> bool:
    """Return whether this process is one of several that run the tests."""
    return "PYTEST_XDIST_WORKER" in os.environ


def sort_items(items: list[pytest.Item], seed: int | None) -> None:
    """Group tests by file, and put the slow folders first, or files in a random order."""
    files = sorted({_file(item) for item in items})
    if seed is None:
        files.sort(key=lambda file: TIERS.index(file.split("/")[0]))
    else:
        random.Random(seed).shuffle(files)
    rank = {file: index for index, file in enumerate(files)}
    items.sort(key=lambda item: rank[_file(item)])
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_file(item)))
        if _file(item).startswith(("system", "exhaustive")):
            item.add_marker(pytest.mark.timeout(LONG_TIMEOUT_S))


def _file(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).as_posix()
