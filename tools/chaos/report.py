"""What runs leave behind: a JSON file each, and ``docs/reliability.md`` out of all of them.

``python -m tools.chaos.report`` writes the page anew.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from tools.benchmarks.harness.report import Figure, at_least
from tools.chaos.faults.deeds import faults_of
from tools.chaos.run import Outcome, Plan

RESULTS: Final = Path(__file__).parent / "results"
PAGE: Final = Path(__file__).parents[2] / "docs" / "reliability.md"

CALM_S: Final = 8.0
"""From this pause between faults on, work is to go on soon after each."""

WRONGS: Final = "lost, wrong, doubled, changed after their end"

_HEAD: Final = Path(__file__).parent / "data" / "reliability.md"
_OF_HERE: Final = ("databases_dir", "keeps")
_SHOWN_WRONGS: Final = 20


def p99(seconds: Sequence[float]) -> float:
    return float(np.percentile(seconds or [0.0], 99, method="inverted_cdf"))


def figures(plan: Plan, outcome: Outcome) -> list[Figure]:
    # Where the next fault comes before a program is up again, the bar means nothing.
    bar = plan.lease_s + 5.0 if plan.every >= CALM_S else None
    return [
        Figure("jobs accepted", len(outcome.history.jobs), ""),
        Figure("processes killed", len(outcome.history.kills), ""),
        Figure("faults in all", outcome.history.faults.total(), ""),
        Figure(WRONGS, len(outcome.history.wrongs), "", 0),
        Figure("jobs that ended early, as their slice was killed too often", outcome.short, ""),
        Figure("work goes on after a kill, p99", p99(outcome.standstills_s), "s", bar),
        Figure("search under way at kills, of all search", outcome.lost_percent, "%"),
        Figure("from the last fault to the last end", outcome.rest_s, "s"),
        Figure("programs that ended by themselves", outcome.restarts, ""),
    ]


def record(plan: Plan, outcome: Outcome) -> None:
    """Print a run's figures, keep them in ``tools/chaos/results``, and write the page."""
    found = figures(plan, outcome)
    document: dict[str, Any] = {
        "plan": {name: value for name, value in asdict(plan).items() if name not in _OF_HERE},
        "measured": datetime.now(UTC).date().isoformat(),
        "states": outcome.states,
        "kills": Counter(kill.name for kill in outcome.history.kills),
        "faults": outcome.history.faults,
        "answers": outcome.history.answers,
        "timeline": outcome.history.timeline,
        "wrongs": outcome.history.wrongs,
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
    for wrong in outcome.history.wrongs[:_SHOWN_WRONGS]:
        print("WRONG:", wrong)
    write_page()


def write_page() -> None:
    documents = [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    calm = [document for document in documents if document["plan"]["every"] >= CALM_S]
    stood = [seconds for document in calm for seconds in document["standstills_s"]]
    lease_s = max((document["plan"]["lease_s"] for document in calm), default=0.0)
    jobs, kills = _sum(documents, "states"), _sum(documents, "kills")
    wrongs = sum(len(document["wrongs"]) for document in documents)
    what = f"work goes on after a kill, p99 of {len(stood)} at a fault every {CALM_S:g} s or more"
    rows = [
        at_least("jobs in all runs below", jobs / 1_000, "thousand", 5),
        at_least("processes killed in all runs below", kills, "", 300),
        Figure(WRONGS, wrongs, "", 0),
        Figure(what, p99(stood), "s", lease_s + 5.0),
        *(
            Figure("search done again, at a worker's kill every 10 s", figure["value"], "%", 3)
            for document in calm
            if document["plan"]["every"] >= 10.0 and document["plan"]["faults"] == ["kill-worker"]
            for figure in document["figures"]
            if figure["unit"] == "%"
        ),
    ]
    lines = ["## What was measured", "", "| what | measured | bar | |", "|---|---|---|---|"]
    lines += [row.row() for row in rows]
    lines += [
        "",
        "| `python -m tools.chaos` | jobs | faults | killed | wrong | work stood still, p99 |",
        "|---|---|---|---|---|---|",
        *map(_row, documents),
    ]
    PAGE.write_text(_HEAD.read_text("utf-8") + "\n".join(lines) + "\n", encoding="utf-8")


def _sum(documents: list[dict[str, Any]], name: str) -> int:
    return sum(Counter[str](document[name]).total() for document in documents)


def _row(document: dict[str, Any]) -> str:
    plan = document["plan"]
    words = (
        f"--database {plan['database']} --seed {plan['seed']} --seconds {plan['seconds']:g} "
        f"--every {plan['every']:g}"
    )
    if sorted(plan["faults"]) != sorted(faults_of(plan["database"])):
        words += f" --faults {','.join(plan['faults'])}"
    stood = p99(document["standstills_s"])
    sums = (_sum([document], name) for name in ("states", "faults", "kills"))
    cells = (f"`{words}`", *sums, len(document["wrongs"]), f"{stood:.3g} s")
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    write_page()
