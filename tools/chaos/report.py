"""Stores the results of runs, and writes them into ``docs/reliability.md``.

``python -m tools.chaos.report`` rewrites the tables of the page.
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

from tools.benchmarks.harness.report import Figure, at_least, write_document
from tools.chaos.fault_actions import faults_for_database
from tools.chaos.run import Outcome, Plan

RESULTS: Final = Path(__file__).parent / "results"
PAGE: Final = Path(__file__).parents[2] / "docs" / "reliability.md"
HEADING: Final = "## What was measured"

CALM_S: Final = 8.0
"""If faults are at least this far apart, work must continue soon after each of them."""

ERRORS: Final = "jobs lost, wrong, duplicated or changed after their end"
SMALL: Final = "new 3×3 boards, POST to optimal, p99"
SMALL_S: Final = 3.0
KILLS_EVERY_S: Final = 10.0
"""The targets of small boards and of repeated search are for a kill every ten seconds."""

_SHOWN_ERRORS: Final = 20


def compute_p99(seconds: Sequence[float]) -> float:
    return float(np.percentile(seconds or [0.0], 99, method="inverted_cdf"))


def make_figures(plan: Plan, outcome: Outcome) -> list[Figure]:
    # With shorter pauses, the next fault is injected before a program is up again.
    bar = plan.lease_s + 5.0 if plan.every >= CALM_S else None
    return [
        Figure("jobs accepted", len(outcome.history.jobs), ""),
        Figure("processes killed", len(outcome.history.kills), ""),
        Figure("faults in all", outcome.history.faults.total(), ""),
        Figure(ERRORS, len(outcome.history.errors), "", 0),
        Figure("jobs that ended early because their work was quarantined", outcome.quarantined, ""),
        Figure(
            "from a kill to the next stored work, p99", compute_p99(outcome.standstills_s), "s", bar
        ),
        Figure(
            SMALL,
            compute_p99(outcome.small_jobs_s),
            "s",
            SMALL_S if plan.every >= KILLS_EVERY_S else None,
        ),
        Figure("search repeated after kills, share of all search", outcome.lost_percent, "%"),
        Figure("from the last fault to the last end", outcome.recovery_s, "s"),
        Figure("programs that ended unexpectedly", outcome.restarts, ""),
    ]


def record_run(plan: Plan, outcome: Outcome) -> None:
    """Print a run's figures, store them in ``tools/chaos/results``, and update the page."""
    figures = make_figures(plan, outcome)
    fields = ("database", "seconds", "seed", "faults", "every", "lease_s")
    document: dict[str, Any] = {
        "plan": {name: getattr(plan, name) for name in fields},
        "measured": datetime.now(UTC).date().isoformat(),
        "states": outcome.states,
        "kills": Counter(kill.name for kill in outcome.history.kills),
        "faults": outcome.history.faults,
        "wrongs": outcome.history.errors,
        "standstills_s": [round(seconds, 2) for seconds in sorted(outcome.standstills_s)],
        "figures": [asdict(figure) for figure in figures],
    }
    write_document(RESULTS / f"{plan.database}-{plan.seed}.json", document)
    print("| what | value | target | |\n|---|---|---|---|")
    for figure in figures:
        print(figure.row())
    for name in ("states", "kills", "faults"):
        print(name, dict(document[name]))
    print("answers", dict(outcome.history.answers))
    if outcome.history.errors:
        print("timeline:", *outcome.history.timeline, sep="\n")
    for error in outcome.history.errors[:_SHOWN_ERRORS]:
        print("ERROR:", error)
    write_page()


def write_page() -> None:
    """Replace the last section of the page with tables of all stored results."""
    documents = [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    calm = [document for document in documents if document["plan"]["every"] >= CALM_S]
    standstills = [seconds for document in calm for seconds in document["standstills_s"]]
    lease_s = max((document["plan"]["lease_s"] for document in calm), default=0.0)
    jobs, kills = _sum_counts(documents, "states"), _sum_counts(documents, "kills")
    errors = sum(len(document["wrongs"]) for document in documents)
    label = (
        f"time from a kill to the next stored work, p99 ({len(standstills)} kills, faults at least "
        f"{CALM_S:g} s apart)"
    )
    rows = [
        at_least("jobs in all runs below", jobs, "", 5_000),
        at_least("processes killed in all runs below", kills, "", 300),
        Figure(ERRORS, errors, "", 0),
        Figure(label, compute_p99(standstills), "s", lease_s + 5.0),
        *(
            Figure(f"{SMALL} (`--seed {document['plan']['seed']}`)", figure["value"], "s", SMALL_S)
            for document in calm
            for figure in document["figures"]
            if figure["what"] == SMALL and figure["bar"] is not None
        ),
        *(
            Figure("search repeated, with a worker killed every 10 s", figure["value"], "%", 3)
            for document in calm
            if document["plan"]["every"] >= KILLS_EVERY_S
            and document["plan"]["faults"] == ["kill-worker"]
            for figure in document["figures"]
            if figure["unit"] == "%"
        ),
    ]
    lines = [HEADING, "", "| what | measured | target | |", "|---|---|---|---|"]
    lines += [row.row() for row in rows]
    lines += [
        "",
        "| `python -m tools.chaos` | jobs | faults | kills | errors | kill to stored work, p99 |",
        "|---|---|---|---|---|---|",
        *map(_format_row, documents),
    ]
    head = PAGE.read_text("utf-8").partition(HEADING)[0]
    PAGE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def _sum_counts(documents: list[dict[str, Any]], name: str) -> int:
    return sum(Counter[str](document[name]).total() for document in documents)


def _format_row(document: dict[str, Any]) -> str:
    plan = document["plan"]
    options = (
        f"--database {plan['database']} --seed {plan['seed']} --seconds {plan['seconds']:g} "
        f"--every {plan['every']:g}"
    )
    if sorted(plan["faults"]) != sorted(faults_for_database(plan["database"])):
        options += f" --faults {','.join(plan['faults'])}"
    sums = (_sum_counts([document], name) for name in ("states", "faults", "kills"))
    standstill = compute_p99(document["standstills_s"])
    cells = (f"`{options}`", *sums, len(document["wrongs"]), f"{standstill:.3g} s")
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    write_page()
