"""What every benchmark leaves behind: a JSON file of figures, and a table of them all.

A benchmark calls `run` once. ``python -m tools.benchmarks.harness.report`` writes
``docs/performance.md`` anew out of all the JSON files.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

RESULTS = Path(__file__).parents[1] / "results"
DATA = Path(__file__).parents[1] / "data"
"""What benchmarks keep for one another, beside their figures."""

TABLE = Path(__file__).parents[3] / "docs" / "performance.md"
HEAD = """\
# Performance

Written by `make bench`; each row is measured by the command above its table. Those of the
24-puzzle, of the farm and of large boards take hours; `python -m tools.benchmarks --long` has them.
What the service bears is measured by `make load`, in about 45 minutes.
Machines are shared and noisy: figures are medians unless a row says otherwise.
"""


@dataclass(frozen=True)
class Figure:
    """One measured number and the bar it is held against, if any: a ceiling or a floor."""

    what: str
    value: float
    unit: str
    bar: float | None = None
    at_most: bool = True

    def row(self) -> str:
        bar = verdict = ""
        if self.bar is not None:
            bar = f"{'≤' if self.at_most else '≥'} {self.bar:g} {self.unit}"
            met = self.value <= self.bar if self.at_most else self.value >= self.bar
            verdict = "met" if met else "missed"
        return f"| {self.what} | {self.value:.4g} {self.unit} | {bar} | {verdict} |"


def at_least(what: str, value: float, unit: str, bar: float | None) -> Figure:
    return Figure(what, value, unit, bar, at_most=False)


def quantiles(
    what: str,
    times: Sequence[float],
    p99_bar: float | None = None,
    worst_bar: float | None = None,
    median_bar: float | None = None,
) -> list[Figure]:
    """Return median, 99th percentile and worst of milliseconds; nothing where there are none."""
    if not times:
        return []
    return [
        Figure(f"{what}: median", median(times), "ms", median_bar),
        Figure(f"{what}: p99", float(np.percentile(times, 99)), "ms", p99_bar),
        Figure(f"{what}: worst", max(times), "ms", worst_bar),
    ]


Part = Callable[[argparse.Namespace], Iterable[Figure]]


def run(
    name: str, doc: str | None, parts: Mapping[str, Part], notes: str = "", **defaults: Any
) -> None:
    """Measure what the command line asks for, and record it; the only thing a benchmark calls.

    There is an option for each default: of its type; a switch where it is False; of many values
    where it is a tuple, which names their type alone where there are none by default. Several
    parts are an option too. The notes may name options in braces.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trial", action="store_true", help="print the figures, record nothing")
    if len(parts) > 1:
        parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    for option, default in defaults.items():
        flag = f"--{option.replace('_', '-')}"
        if default is False:
            parser.add_argument(flag, action="store_true")
        elif not isinstance(default, tuple):
            parser.add_argument(flag, type=type(default), default=default)
        elif isinstance(default[0], type):
            parser.add_argument(flag, type=default[0], nargs="+", default=())
        else:
            parser.add_argument(flag, type=type(default[0]), nargs="+", default=default)
    options = parser.parse_args()
    chosen = options.parts if len(parts) > 1 else parts
    figures = (figure for part in chosen for figure in parts[part](options))
    _record(name, figures, notes.format(**vars(options)), trial=options.trial)


def _record(name: str, figures: Iterable[Figure], notes: str, *, trial: bool) -> None:
    """Print figures as they come, and keep them with those of earlier runs that are not among them.

    The file is ``tools/benchmarks/results/<name>.json``; the table is written anew.
    """
    found: dict[str, dict[str, Any]] = {}
    for figure in figures:
        print(figure.row(), flush=True)
        found[figure.what] = asdict(figure)
    if trial:
        return
    path = RESULTS / f"{name}.json"
    before = json.loads(path.read_text("utf-8"))["figures"] if path.exists() else []
    kept = {figure["what"]: figure for figure in before}
    document = {
        "benchmark": name,
        "measured": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}",
        "notes": notes,
        "figures": list((kept | found).values()),
    }
    text = json.dumps(document, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    write_table()


def write_table() -> None:
    """Write ``docs/performance.md`` out of all the results there are."""
    lines = [HEAD.rstrip()]
    for path in sorted(RESULTS.glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
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
