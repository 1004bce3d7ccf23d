"""The figures that benchmarks yield, and their rows in ``results/NAME.json``.

A figure is stored as soon as it is measured, and replaces the row of the same name. So a benchmark
that takes hours can be interrupted, and a run of one part leaves the others' rows.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

RESULTS = Path(__file__).with_name("results")

Row = dict[str, Any]

NONE: Final[list[Any]] = []
"""The default of an option that can be repeated."""


@dataclass(frozen=True)
class Figure:
    """A measured value, and bars for it, if any; `details` add columns to its row."""

    what: str
    value: float
    unit: str = ""
    at_most: float | None = None
    at_least: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def row(self) -> Row:
        row: Row = {"what": self.what, "value": round_value(self.value), "unit": self.unit}
        bars = {"at_most": self.at_most, "at_least": self.at_least}
        row |= {name: bar for name, bar in bars.items() if bar is not None}
        return row | dict(self.details) | {"measured": datetime.now(UTC).date().isoformat()}


def round_value(value: float) -> float:
    """Keep four digits; a measured figure has no more."""
    return value if isinstance(value, int) else float(f"{value:.4g}")


def format_row(row: Row) -> str:
    """Return a row as text: what, the value, and its bar."""
    bars = [f"{sign} {row[bar]:,.4g}" for sign, bar in BARS.items() if bar in row]
    verdict = f" ({', '.join(bars)}: {'met' if is_met(row) else 'missed'})" if bars else ""
    return f"{row['what']}: {format_value(row)}{verdict}"


BARS = {"≤": "at_most", "≥": "at_least"}


def is_met(row: Row) -> bool:
    value = row["value"]
    return bool(row.get("at_least", value) <= value <= row.get("at_most", value))


def format_value(row: Row) -> str:
    value = row["value"]
    return f"{value:,.0f} {row['unit']}".strip() if value >= 1_000 else f"{value:g} {row['unit']}"


def list_quantiles(
    what: str,
    times_ms: Sequence[float],
    median_bar: float | None = None,
    p99_bar: float | None = None,
) -> list[Figure]:
    """Return the median and the 99th percentile of times in milliseconds, if any."""
    if not times_ms:
        return []
    p99 = float(np.percentile(times_ms, 99))
    return [
        Figure(f"{what}: median", median(times_ms), "ms", median_bar),
        Figure(f"{what}: p99", p99, "ms", p99_bar),
    ]


def record(name: str, figure: Figure) -> None:
    """Store a figure beside those of earlier runs."""
    rows = read_rows(name)
    rows[figure.what] = figure.row()
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    write_rows(name, machine, rows.values())


def read_rows(name: str) -> dict[str, Row]:
    """Return the rows of a benchmark by name; none if it was never run."""
    path = RESULTS / f"{name}.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []
    return {row["what"]: row for row in rows}


def write_rows(name: str, machine: str, rows: Iterable[Row]) -> None:
    """Write rows atomically, one per line."""
    lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    path = RESULTS / f"{name}.json"
    new_file = path.with_suffix(".new")
    new_file.write_text(
        f'{{\n  "machine": {json.dumps(machine)},\n  "rows": [\n{lines}\n  ]\n}}\n',
        encoding="utf-8",
    )
    new_file.replace(path)
