"""The page of reliability sums up what runs have left behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chaos import page
from chaos.outages import report


def run_of(seed: int, **changes: object) -> dict[str, object]:
    plan = {"database": "sqlite", "seed": seed, "seconds": 60.0, "every": 10.0, "lease_s": 3.0}
    return {
        "plan": plan | {"faults": ["kill-worker"]},
        "states": {"optimal": 3_000},
        "faults": {"kill-worker": 200},
        "kills": {"search-1": 200},
        "wrongs": [],
        "standstills_s": [0.5, 7.5],
        "figures": [],
    } | changes


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(page, "RESULTS", tmp_path)
    monkeypatch.setattr(report, "RESULTS", tmp_path / "outages")
    monkeypatch.setattr(page, "PAGE", tmp_path / "reliability.md")
    return tmp_path


def test_sums_over_all_runs(written: Path) -> None:
    for seed in (1, 2):
        (written / f"{seed}.json").write_text(json.dumps(run_of(seed)))
    page.main()
    text = (written / "reliability.md").read_text()
    assert "| jobs in all runs below | 6,000 | ≥ 5,000 | met |" in text
    assert "| processes killed in all runs below | 400 | ≥ 300 | met |" in text
    assert "| lost, wrong, doubled, changed after their end | 0  | ≤ 0  | met |" in text
    assert "| 7.5 s | ≤ 8 s | met |" in text
    assert "`--database sqlite --seed 2 --seconds 60 --every 10 --faults kill-worker`" in text


def test_what_was_wrong_is_told(written: Path) -> None:
    (written / "1.json").write_text(json.dumps(run_of(1, wrongs=["a job was lost"])))
    page.main()
    text = (written / "reliability.md").read_text()
    assert "| lost, wrong, doubled, changed after their end | 1  | ≤ 0  | missed |" in text


def test_outages_have_a_table_of_their_own(written: Path) -> None:
    course = {"seconds": 30.0, "answers": 90, "jobs": 7, "ended_s": 2.0, "wrongs": []}
    course |= {"slowest_s": {"post": 0.5, "long-poll": 1.0}, "refused": {"post": 3}}
    (written / "outages").mkdir()
    (written / "outages" / "sqlite.json").write_text(json.dumps({"disk-full": course}))
    page.main()
    row = "| sqlite: no file can grow | 30 s | 90 | 3 | 0.70 s (met) | 7 | 2.0 s | 0 |\n"
    assert (written / "reliability.md").read_text().endswith(row)
