"""What every benchmark leaves behind: a JSON file of figures, and a table of them all.

Each benchmark calls `record` once; `python -m tools.benchmarks` runs them all and writes
``docs/performance.md`` out of the JSON files; `python -m tools.benchmarks.report` does only that.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
DATA = Path(__file__).parent / "data"
"""What benchmarks keep for one another, beside their figures."""
TABLE = Path(__file__).parents[2] / "docs" / "performance.md"


@dataclass(frozen=True)
class Figure:
    """One measured number and the bar it is held against.

    Attributes
    ----------
    bar : float or None
        In the same unit; None where there is none, only a figure to watch.
    at_most : bool
        Whether the bar is a ceiling (seconds) or a floor (jobs a second).
    """

    what: str
    value: float
    unit: str
    bar: float | None = None
    at_most: bool = True

    @property
    def met(self) -> bool | None:
        if self.bar is None:
            return None
        return self.value <= self.bar if self.at_most else self.value >= self.bar

    def row(self) -> str:
        """Return the figure as a row of a Markdown table."""
        sign = "≤" if self.at_most else "≥"
        bar = "" if self.bar is None else f"{sign} {self.bar:g} {self.unit}"
        verdict = {None: "", True: "met", False: "missed"}[self.met]
        return f"| {self.what} | {self.value:.4g} {self.unit} | {bar} | {verdict} |"


def kept_figures(name: str, measured: Sequence[Figure]) -> list[Figure]:
    """Return what earlier runs of a benchmark measured and this one did not."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return []
    names = {figure.what for figure in measured}
    before = [Figure(**one) for one in json.loads(path.read_text(encoding="utf-8"))["figures"]]
    return [figure for figure in before if figure.what not in names]


def record(name: str, figures: Sequence[Figure], notes: str = "") -> None:
    """Print the figures and keep them in ``tools/benchmarks/results/<name>.json``."""
    RESULTS.mkdir(exist_ok=True)
    document = {
        "benchmark": name,
        "measured": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}",
        "notes": notes,
        "figures": [asdict(figure) for figure in figures],
    }
    text = json.dumps(document, indent=2, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    for figure in figures:
        print(figure.row())


def write_table() -> None:
    """Write ``docs/performance.md`` out of all the results there are."""
    lines = [
        "# Performance",
        "",
        "Written by `make bench`; each row is measured by the command above its table. Those of",
        "the 24-puzzle and of the farm take hours; `python -m tools.benchmarks --long` has them,",
        "too.",
        "What the service bears is measured by `make load`, in about 45 minutes.",
        "Machines are shared and noisy: figures are medians unless a row says otherwise.",
    ]
    for path in sorted(RESULTS.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        lines += [
            "",
            f"## `python -m tools.benchmarks.{document['benchmark']}`",
            "",
            f"{document['measured']}, {document['machine']}. {document['notes']}".rstrip(),
            "",
            "| what | measured | bar | |",
            "|---|---|---|---|",
            *(Figure(**figure).row() for figure in document["figures"]),
        ]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_table()
