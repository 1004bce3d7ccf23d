"""Store the figures of benchmarks as JSON, and write all of them into tables.

A benchmark calls `run` once. ``python -m tools.benchmarks.harness.report`` rewrites
``docs/performance.md`` from all the JSON files.
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
TABLE = Path(__file__).parents[3] / "docs" / "performance.md"
HEAD = """\
# Performance

Written by `make bench`; the command above each table measures its rows. Those of the 24-puzzle,
the farm and large boards take hours; `python -m tools.benchmarks --long` includes them.
`make load` measures the service under load in about 45 minutes.
Machines are shared and noisy: figures are medians unless a row says otherwise. The date above a
table is that of the last run, which may have measured only some of its rows.
"""


@dataclass(frozen=True)
class Figure:
    """A measured value and its target: a maximum or, if not `at_most`, a minimum."""

    what: str
    value: float
    unit: str
    bar: float | None = None
    at_most: bool = True

    def row(self) -> str:
        bar = verdict = ""
        if self.bar is not None:
            sign = ("≤ " if self.bar else "") if self.at_most else "≥ "
            bar = f"{sign}{self.bar:,g} {self.unit}"
            met = self.value <= self.bar if self.at_most else self.value >= self.bar
            verdict = "met" if met else "missed"
        value = f"{self.value:,.0f}" if self.value >= 1_000 else f"{self.value:.4g}"
        return f"| {self.what} | {value} {self.unit} | {bar} | {verdict} |"


def at_least(what: str, value: float, unit: str, bar: float | None) -> Figure:
    return Figure(what, value, unit, bar, at_most=False)


def quantiles(
    what: str,
    times: Sequence[float],
    p99_bar: float | None = None,
    worst_bar: float | None = None,
    median_bar: float | None = None,
) -> list[Figure]:
    """Return the median, 99th percentile and maximum of times in milliseconds, if any."""
    if not times:
        return []
    return [
        Figure(f"{what}: median", median(times), "ms", median_bar),
        Figure(f"{what}: p99", float(np.percentile(times, 99)), "ms", p99_bar),
        Figure(f"{what}: worst", max(times), "ms", worst_bar),
    ]


Part = Callable[[argparse.Namespace], Iterable[Figure]]
Row = dict[str, Any]


def run(
    name: str, doc: str | None, parts: Mapping[str, Part], notes: str = "", **defaults: Any
) -> None:
    """Measure the parts that the command line selects, and record their figures.

    There is an option for each default: a switch if the default is False, an option with several
    values if it is a tuple, otherwise one with a value of the same type. A tuple that contains a
    type stands for no values. If there are several parts, ``--parts`` selects some of them. The
    notes can contain options in braces.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trial", action="store_true", help="record nothing")
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
    names = options.parts if len(parts) > 1 else parts
    figures = (figure for part in names for figure in parts[part](options))
    _record(name, figures, notes.format(**vars(options)), trial=options.trial)


def _record(name: str, figures: Iterable[Figure], notes: str, *, trial: bool) -> None:
    """Print figures, and store them along with other figures of earlier runs.

    The file is ``tools/benchmarks/results/<name>.json``; the table is rewritten.
    """
    new_figures: dict[str, dict[str, Any]] = {}
    for figure in figures:
        print(figure.row(), flush=True)
        new_figures[figure.what] = asdict(figure)
    if trial:
        return
    path = RESULTS / f"{name}.json"
    stored_figures = json.loads(path.read_text("utf-8"))["figures"] if path.exists() else []
    old_figures = {figure["what"]: figure for figure in stored_figures}
    document = {
        "benchmark": name,
        "measured": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}",
        "notes": notes,
        "figures": list((old_figures | new_figures).values()),
    }
    write_document(path, document)
    write_table()


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document as JSON with one entry, or one of its figures, per line."""

    def dump(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    entries = {name: dump(value) for name, value in document.items()}
    figures = ",\n".join(f"    {dump(figure)}" for figure in document["figures"])
    entries["figures"] = f"[\n{figures}\n  ]"
    lines = ",\n".join(f"  {dump(name)}: {text}" for name, text in entries.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def read_rows(path: Path, key: str) -> dict[int, Row]:
    """Return the rows of a long benchmark by the number under a key; none if there is no file."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return {row[key]: row for row in rows}


def write_rows(path: Path, rows: Mapping[int, Row]) -> None:
    """Write rows atomically, one per line."""
    lines = ",\n".join(json.dumps(rows[number]) for number in sorted(rows))
    new_file = path.with_suffix(".new")
    new_file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    new_file.replace(path)


def write_table() -> None:
    """Write ``docs/performance.md`` from all results."""
    lines = [HEAD.rstrip()]
    for path in sorted(RESULTS.glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        lines += [
            "",
            f"## `python -m tools.benchmarks.{document['benchmark']}`",
            "",
            f"{document['measured']}, {document['machine']}. {document['notes']}".rstrip(),
            "",
            "| what | measured | target | |",
            "|---|---|---|---|",
            *(Figure(**figure).row() for figure in document["figures"]),
        ]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_table()
