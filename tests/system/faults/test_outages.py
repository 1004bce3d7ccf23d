"""Short outages; docs/reliability.md has what those of half a minute and more measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from chaos.outages.kinds import OUTAGES
from chaos.outages.run import Plan, run


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("database", list(OUTAGES))
def test_all_is_answered_cleanly_and_every_job_ends(database: str, pattern_databases: Path) -> None:
    courses = run(Plan(database, list(OUTAGES[database]), pattern_databases, shortened=0.2))
    assert [wrong for course in courses for wrong in course.wrongs] == []
    assert all(course.jobs and sum(course.refused.values()) for course in courses)
