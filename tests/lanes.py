"""Which tests run one after the other, and in which order, when pytest has several lanes.

A lane is a process of pytest-xdist (``pytest --numprocesses 2 --dist loadgroup``). Each has its
own PostgreSQL and Valkey; the folder of pattern databases is one for all of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from tilework.core.compiling import kernel_sources

TESTS = Path(__file__).parent

# Systems that look for a free port by themselves, all from the same one up.
SYSTEMS = ("test_docs.py", "core/cli/system/test_up.py")

# These take longest, most of the time by waiting: begun last, one lane would wait for another.
FIRST: tuple[str, ...] = ("systems", "faults", "e2e", "core/cli", "worker")

_LANE = os.environ.get("PYTEST_XDIST_WORKER", "")


def is_lane() -> bool:
    """Whether this process is one of several that share the tests."""
    return bool(_LANE)


def compile_kernels() -> None:
    """Have two lanes of a new checkout compile half of the kernels each.

    They do it in opposite orders, and Numba keeps what it compiled on disk: where they meet, each
    finds the rest already there. In one order both would compile everything.
    """
    if is_lane():
        files = [path.relative_to(TESTS.parent) for path in kernel_sources()]
        names = [".".join(path.with_suffix("").parts) for path in files]
        for name in names if _LANE.endswith(tuple("02468")) else reversed(names):
            import_module(name.removesuffix(".__init__"))


def group_of(path: Path) -> str:
    """What shares a lane: the tests of a file, with what they remember of each other."""
    file = path.relative_to(TESTS).as_posix()
    return "systems" if file in SYSTEMS else file


def arrange(items: list[pytest.Item]) -> None:
    """Give each test its group, and put first those that take longest."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of(item.path)))
    items.sort(key=lambda item: _rank(group_of(item.path), FIRST))


def _rank(group: str, first: Sequence[str]) -> int:
    return next((rank for rank, name in enumerate(first) if group.startswith(name)), len(first))
