"""What is said of an outage: which answers were wrong or late, and the table of all."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from chaos.outages import report
from chaos.outages.kinds import OUTAGES
from chaos.outages.probes import Heard
from chaos.outages.run import Course, Plan, wrong_answers

FULL = OUTAGES["sqlite"]["disk-full"]
BEGAN, ENDED = 100.0, 130.0

REFUSED = Heard("post", 110.0, 0.2, 503, True)


def wrongs(*heard: Heard) -> list[str]:
    return list(wrong_answers(FULL, [REFUSED, *heard], BEGAN, ENDED))


@pytest.mark.parametrize(
    "heard",
    [
        Heard("post", 110.0, 0.2, 202, False),
        Heard("poll", 110.0, 0.99, 200, False),
        Heard("readyz", 110.0, 0.2, 503, False),
        # It asked to wait itself.
        Heard("long-poll", 110.0, 1.2, 200, False),
        # It was slow before.
        Heard("post", 99.0, 1.5, 202, False),
    ],
)
def test_answers_that_are_right(heard: Heard) -> None:
    assert wrongs(heard) == []


@pytest.mark.parametrize(
    ("heard", "words"),
    [
        (Heard("post", 110.0, 0.5, 500, False), "post was answered 500 10.50 s after"),
        (Heard("post", 110.0, 0.5, 0, False), "post was answered 0 10.50 s after"),
        (Heard("poll", 110.0, 0.5, 503, True), "poll was answered 503 10.50 s after"),
        (Heard("post", 110.0, 0.5, 503, False), "post was answered 503 without Retry-After"),
        (Heard("post", 110.0, 1.5, 503, True), "post took 1.50 s, until 11.50 s after"),
        (Heard("long-poll", 110.0, 1.5, 200, False), "long-poll took 1.50 s"),
        (Heard("post", 99.0, 2.5, 202, False), "post took 1.50 s, until 1.50 s after"),
    ],
)
def test_answers_that_are_wrong(heard: Heard, words: str) -> None:
    [wrong] = wrongs(heard)
    assert wrong.startswith(words)


def test_an_outage_that_nobody_felt_is_none() -> None:
    heard = [Heard("post", 110.0, 0.2, 202, False), REFUSED._replace(at=131.0)]
    assert list(wrong_answers(FULL, heard, BEGAN, ENDED)) == ["nobody noticed the outage"]


def test_later_runs_replace_what_they_measure_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "RESULTS", tmp_path / "outages")
    plan = Plan("sqlite", ["disk-full"], tmp_path)
    slow = Course("disk-full", 30.0, 7, 90, {"post": 1.5, "long-poll": 0.4}, {"post": 3}, 2.0)
    gone = Course("broker-gone", 60.0, 5, 80, {"post": 0.25, "long-poll": 0.4}, {"readyz": 9}, 1.5)
    report.record(plan, [slow, gone])
    report.record(plan, [Course(**asdict(slow) | {"slowest_s": {"post": 0.5, "long-poll": 0.9}})])
    assert set(json.loads((tmp_path / "outages" / "sqlite.json").read_text())) == {
        "disk-full",
        "broker-gone",
    }
    rows = report.table()[2:]
    assert rows == [
        "| sqlite: the broker is killed | 60 s | 80 | 9 | 0.25 s (met) | 5 | 1.5 s | 0 |",
        "| sqlite: no file can grow | 30 s | 90 | 3 | 0.60 s (met) | 7 | 2.0 s | 0 |",
    ]
