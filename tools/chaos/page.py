"""``docs/reliability.md``, written out of all results there are."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tools.benchmarks.report import Figure
from tools.chaos.checking.recovery import percentile
from tools.chaos.faults.names import faults_of
from tools.chaos.outages.report import table
from tools.chaos.report import CALM_S, RESULTS

PAGE: Final = Path(__file__).parents[2] / "docs" / "reliability.md"

_TEXTS: Final = Path(__file__).parent / "data"

LEAST_JOBS: Final = 5_000
LEAST_KILLS: Final = 300


def main() -> None:
    """Write the page."""
    documents = [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    parts = [
        (_TEXTS / "reliability.md").read_text("utf-8"),
        *(f"{line}\n" for line in _tables(documents)),
        (_TEXTS / "outages.md").read_text("utf-8"),
        *(f"{line}\n" for line in table()),
    ]
    PAGE.write_text("".join(parts), encoding="utf-8")


def _tables(documents: list[dict[str, Any]]) -> list[str]:
    jobs = sum(sum(document["states"].values()) for document in documents)
    kills = Counter[str]()
    for document in documents:
        kills.update(document["kills"])
    wrongs = sum(len(document["wrongs"]) for document in documents)
    calm = [document for document in documents if document["plan"]["every"] >= CALM_S]
    stood = [seconds for document in calm for seconds in document["standstills_s"]]
    lease_s = max((document["plan"]["lease_s"] for document in calm), default=0.0)
    figures = [
        Figure("lost, wrong, doubled, changed after their end", wrongs, "", 0),
        Figure(
            f"work goes on after a kill, p99 of {len(stood)} at a fault every {CALM_S:g} s or more",
            percentile(stood, 99),
            "s",
            lease_s + 5.0,
        ),
        *(
            Figure("search done again, at a worker's kill every 10 s", lost, "%", 3)
            for lost in _lost(calm)
        ),
    ]
    lines = ["## What was measured", "", "| what | measured | bar | |", "|---|---|---|---|"]
    lines += [
        _count("jobs in all runs below", jobs, LEAST_JOBS),
        _count("processes killed in all runs below", sum(kills.values()), LEAST_KILLS),
        *(figure.row() for figure in figures),
    ]
    lines += [
        "",
        "| `python -m tools.chaos` | jobs | faults | killed | wrong | work stood still, p99 |",
    ]
    lines += ["|---|---|---|---|---|---|"]
    return lines + [_run_row(document) for document in documents]


def _count(what: str, value: int, least: int) -> str:
    verdict = "met" if value >= least else "missed"
    return f"| {what} | {value:,} | ≥ {least:,} | {verdict} |"


def _lost(documents: list[dict[str, Any]]) -> list[float]:
    return [
        figure["value"]
        for document in documents
        if document["plan"]["every"] >= 10.0 and document["plan"]["faults"] == ["kill-worker"]
        for figure in document["figures"]
        if figure["unit"] == "%"
    ]


def _run_row(document: dict[str, Any]) -> str:
    plan = document["plan"]
    words = (
        f"--database {plan['database']} --seed {plan['seed']} --seconds {plan['seconds']:g} "
        f"--every {plan['every']:g}"
    )
    if sorted(plan["faults"]) != sorted(faults_of(plan["database"])):
        words += f" --faults {','.join(plan['faults'])}"
    cells = (
        f"`{words}`",
        sum(document["states"].values()),
        sum(document["faults"].values()),
        sum(document["kills"].values()),
        len(document["wrongs"]),
        f"{percentile(document['standstills_s'], 99):.3g} s",
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
