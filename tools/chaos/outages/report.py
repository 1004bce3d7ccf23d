"""What runs leave behind: a JSON file for each kind of database, and a table of them all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tools.chaos.outages.kinds import OUTAGES
from tools.chaos.outages.probes import LONG_POLL_S
from tools.chaos.outages.run import LONGEST_S, Course, Plan

RESULTS: Final = Path(__file__).parent.parent / "results" / "outages"

_SHOWN_WRONGS: Final = 20


def record(plan: Plan, courses: Sequence[Course]) -> None:
    """Print how a run went, and keep it in ``tools/chaos/results/outages``."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{plan.database}.json"
    kept = _read(path)
    kept |= {course.name: asdict(course) for course in courses}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    for course in courses:
        print(f"{course.name}: {course.seconds:g} s, {course.answers} answers, {course.jobs} jobs,")
        print(f"  the last of which ended {course.ended_s:.1f} s after the outage")
        for kind, seconds in course.slowest_s.items():
            print(f"  {kind}: slowest {seconds:.3f} s, {course.refused.get(kind, 0)} refused")
        for wrong in course.wrongs[:_SHOWN_WRONGS]:
            print("  WRONG:", wrong)


def table() -> list[str]:
    """Return the lines of a table of what was measured, all outages in their order."""
    lines = [
        "| outage | lasts | answers | refused | slowest answer | jobs | last of them ended after "
        "| wrong |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for database, outages in OUTAGES.items():
        kept = _read(RESULTS / f"{database}.json")
        lines += [
            _row(f"{database}: {outage.words}", kept[name])
            for name, outage in outages.items()
            if name in kept
        ]
    return lines


def slowest(course: dict[str, Any]) -> float:
    """Return the longest answer, less what a long-poll asked to wait."""
    waits = {"long-poll": LONG_POLL_S}
    return max(
        float(seconds) - waits.get(kind, 0.0) for kind, seconds in course["slowest_s"].items()
    )


def _row(words: str, course: dict[str, Any]) -> str:
    seconds = slowest(course)
    cells = (
        words,
        f"{course['seconds']:g} s",
        course["answers"],
        sum(course["refused"].values()),
        f"{seconds:.2f} s ({'met' if seconds <= LONGEST_S else 'missed'})",
        course["jobs"],
        f"{course['ended_s']:.1f} s",
        len(course["wrongs"]),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found
