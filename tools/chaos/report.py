"""What a run leaves behind: a JSON file, and the table of all of them."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tools.benchmarks.report import Figure
from tools.chaos.run import Outcome, Plan

RESULTS: Final = Path(__file__).parent / "results"

CALM_S: Final = 8.0
"""From this pause between faults on, work is to go on soon after each."""

_OF_HERE: Final = ("databases_dir", "keeps")

_SHOWN_WRONGS: Final = 20


def figures(plan: Plan, outcome: Outcome) -> list[Figure]:
    """Return the figures of a run, and their bars."""
    # Where the next fault comes before a program is up again, the bar means nothing.
    bar = plan.lease_s + 5.0 if plan.every >= CALM_S else None
    return [
        Figure("jobs accepted", outcome.jobs, ""),
        Figure("processes killed", sum(outcome.kills.values()), ""),
        Figure("faults in all", sum(outcome.faults.values()), ""),
        Figure("lost, wrong, doubled, changed after their end", len(outcome.wrongs), "", 0),
        Figure("jobs that ended early, as their slice was killed too often", outcome.short, ""),
        Figure("work goes on after a kill, p99", outcome.standstill_s, "s", bar),
        Figure("search under way at kills, of all search", outcome.lost_percent, "%"),
        Figure("from the last fault to the last end", outcome.rest_s, "s"),
        Figure("programs that ended by themselves", outcome.restarts, ""),
    ]


def record(plan: Plan, outcome: Outcome) -> None:
    """Print a run's figures, and keep them in ``tools/chaos/results``."""
    RESULTS.mkdir(exist_ok=True)
    found = figures(plan, outcome)
    document: dict[str, Any] = {
        "plan": {name: value for name, value in asdict(plan).items() if name not in _OF_HERE},
        "measured": datetime.now(UTC).date().isoformat(),
        "states": outcome.states,
        "kills": outcome.kills,
        "faults": outcome.faults,
        "answers": outcome.answers,
        "timeline": outcome.timeline,
        "wrongs": outcome.wrongs,
        "standstills_s": [round(seconds, 2) for seconds in sorted(outcome.standstills_s)],
        "figures": [asdict(figure) for figure in found],
    }
    path = RESULTS / f"{plan.database}-{plan.seed}.json"
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print("| what | value | bar | |\n|---|---|---|---|")
    for figure in found:
        print(figure.row())
    for name in ("states", "kills", "faults", "answers"):
        print(name, dict(document[name]))
    for wrong in outcome.wrongs[:_SHOWN_WRONGS]:
        print("WRONG:", wrong)
