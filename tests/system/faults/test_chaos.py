"""A short run of ``make chaos``; docs/reliability.md has the results of long runs."""

from pathlib import Path

import pytest

from tools.chaos.faults import faults_for_database
from tools.chaos.run import Plan, run


@pytest.mark.timeout(900)
def test_random_faults_cause_no_errors(pattern_databases: Path) -> None:
    kind = "postgresql"
    plan = Plan(kind, 10.0, 1, faults_for_database(kind), pattern_databases, every=1.0)
    result = run(plan)
    assert result.history.errors == []
    assert result.history.jobs
    assert result.history.faults
