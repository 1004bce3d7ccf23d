"""Short runs of ``make chaos`` on each database; docs/reliability.md has those of long ones."""

from pathlib import Path

import pytest

from tools.chaos.faults import faults_for_database
from tools.chaos.run import Plan, run


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_random_faults_cause_no_errors(kind: str, pattern_databases: Path) -> None:
    plan = Plan(kind, 15.0, 1, faults_for_database(kind), pattern_databases, every=1.0)
    history = run(plan)
    assert history.errors == []
    assert history.jobs
    assert history.faults
    assert history.kills
