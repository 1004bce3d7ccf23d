"""A short run of ``make chaos``; docs/reliability.md has what long ones measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from chaos.faults.names import faults_of
from chaos.run import Plan, run


@pytest.mark.timeout(600)
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
@pytest.mark.parametrize(
    "seconds", [6.0, pytest.param(120.0, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_random_faults_make_nothing_wrong(
    database: str, seconds: float, pattern_databases: Path
) -> None:
    plan = Plan(database, seconds, 1, faults_of(database), pattern_databases, every=1.0)
    outcome = run(plan)
    assert outcome.wrongs == []
    assert outcome.jobs >= seconds
    assert sum(outcome.faults.values()) >= seconds / 3
