"""Writes the tables of the documents from the stored results, and draws the pictures.

``python -m tools.benchmarks page``. In a document, a table stands between ``<!-- table: NAME -->``
and ``<!-- end -->``; the pictures are in ``docs/pictures``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools.benchmarks.boards import read_korf50
from tools.benchmarks.charts import Bar, Points, draw_bars, draw_series, horizontal, vertical
from tools.benchmarks.record import BARS, Row, format_value, is_met, read_rows

DOCS = Path(__file__).parents[2] / "docs"
PUBLISHED = {"6-6-6-6": "kf2002_6666_nodes", "8-8-8": "8-8-8", "zero-aware": "zpdb_small_fsm"}
"""The published node counts of Korf's fifty boards, as they are called in the file of boards."""

PEERS = {
    "tilework": "Tilework",
    "mwong": "mwong510ca",
    "puzzle": "domsleee",
    "parsearch": "clausecker",
}
LIMITS = (0.5, 10, 60)
SIDES = (5, 6, 7, 8, 10, 12, 16, 20, 32, 50, 100, 256)
SHOWN_SIDES = (5, 6, 8, 10, 16, 20, 32, 50, 100, 256)
CLIENTS = (1, 4, 16, 64, 256)
ACTIONS = {
    "cached posts": "a stored solution",
    "polls of an ended job": "a poll",
    "single 3×3": "a new 3×3",
    "single 4×4": "a new 4×4",
}

Table = Iterator[Sequence[str]]
"""The cells of a table, row by row; the first row has the headings."""


def list_rows(name: str, *whats: str) -> Table:
    """Yield some rows of a benchmark."""
    rows = read_rows(name)
    yield "what", "measured", "bar", "on"
    for what in whats:
        row = rows[what]
        bars = [f"{sign} {row[bar]:,.4g}" for sign, bar in BARS.items() if bar in row]
        missed = "" if is_met(row) else ", missed"
        yield what, format_value(row), f"{bars[0]}{missed}" if bars else "", row["measured"]


def format_seconds(row: Row) -> str:
    if row.get("gave_up"):
        return f"> {row['value']:g}" if row["value"] else "gave up"
    return f"{row['least']:g}–{row['most']:g}" if "least" in row else f"{row['value']:g}"


def list_peers() -> Table:
    rows = read_rows("peers")
    yield "processor seconds", *PEERS.values()
    for boards in dict.fromkeys(what.partition(": ")[0] for what in rows):
        found = (rows.get(f"{boards}: {program}") for program in PEERS)
        yield boards, *(format_seconds(row) if row else "" for row in found)


def list_ratios() -> Table:
    rows = read_rows("large")
    yield "ratio after", *(f"{limit:g} s" for limit in LIMITS)
    for side in SHOWN_SIDES:
        found = (rows.get(f"{side}×{side}, {limit:g} s: ratio") for limit in LIMITS)
        yield f"{side}×{side}", *(f"{row['value']:.2f}" if row else "" for row in found)


def list_korf24() -> Table:
    """Yield every fifth board, from easy to hard, and all together."""
    instances = read_korf50()
    rows = sorted(read_rows("korf24").values(), key=lambda row: row["value"])
    yield "board", "length", "nodes", "seconds", "at a time", "on", *PUBLISHED
    for row in rows[4::5]:
        published = instances[int(row["what"].removeprefix("#"))].published
        yield (
            *(row["what"], f"{row['length']}", f"{row['nodes']:,}", f"{row['value']:,.2f}"),
            *(f"{row['at_a_time']}", row["measured"]),
            *(f"{published[key] / 1e6:,.0f}" for key in PUBLISHED.values()),
        )
    totals = (sum(one.published[key] for one in instances.values()) for key in PUBLISHED.values())
    nodes, seconds = sum(row["nodes"] for row in rows), sum(row["value"] for row in rows)
    millions = (f"{total / 1e6:,.0f}" for total in totals)
    yield "all", "", f"{nodes:,}", f"{seconds:,.0f}", "", "", *millions


def list_chaos() -> Table:
    rows = list(read_rows("chaos").values())
    columns = ("jobs", "faults", "kills", "value")
    yield "`make chaos` with", *columns[:3], "errors", "kill to stored work, p99", "on"
    for row in rows:
        counts = (f"{row[key]:,}" for key in columns)
        yield f"`{row['what']}`", *counts, f"{row['standstill_p99_s']:.3g} s", row["measured"]
    yield "all", *(f"{sum(row[key] for row in rows):,}" for key in columns), "", ""


TABLES: dict[str, Callable[[], Table]] = {
    "peers": list_peers,
    "ratios": list_ratios,
    "korf24": list_korf24,
    "chaos": list_chaos,
}


def draw_fifteen() -> str:
    rows = read_rows("peers")
    bars: list[Bar] = []
    for boards in ("Korf's 100", "17 boards at 80 moves"):
        for colour, (program, title) in enumerate(list(PEERS.items())[:3]):
            row = rows[f"{boards}: {program}"]
            bars.append((f"{boards}, {title}", row["value"] or 1, format_seconds(row), colour))
    ticks = {1.0: "1 s", 10: "10 s", 100: "100 s"}
    return draw_bars(
        "15-puzzles solved optimally", "processor seconds of the whole program", ticks, bars
    )


def draw_korf24() -> str:
    instances, rows = read_korf50(), read_rows("korf24")
    numbers = sorted(instances, key=lambda number: rows[f"#{number:02}"]["nodes"])
    series: dict[str, Points] = {
        "Tilework": [(rank, rows[f"#{n:02}"]["nodes"]) for rank, n in enumerate(numbers, 1)]
    }
    for name, key in PUBLISHED.items():
        series[name] = [(rank, instances[n].published[key]) for rank, n in enumerate(numbers, 1)]
    axes = (
        horizontal({1: "easiest", 25: "", 50: "hardest"}, logarithmic=False),
        vertical(
            {10**n: f"10{'⁶⁷⁸⁹'[n - 6] if n < 10 else '¹' + '⁰¹²³'[n - 10]}" for n in range(6, 14)}
        ),
    )
    return draw_series(
        "Nodes of Korf's fifty 24-puzzles",
        "each board's nodes to the proof; the others as published",
        axes,
        series,
        lines=False,
    )


def draw_ratios() -> str:
    rows = read_rows("large")
    series = {
        f"after {limit:g} s": [
            (side, rows[what]["value"])
            for side in SIDES
            if (what := f"{side}×{side}, {limit:g} s: ratio") in rows
        ]
        for limit in LIMITS
    }
    ratios = (1.2, 1.3, 1.4, 1.6, 2.0, 2.5, 3.0)
    axes = (
        horizontal({side: f"{side}×{side}" for side in (5, 7, 10, 16, 32, 50, 100, 256)}),
        vertical({ratio: f"{ratio:.1f}" for ratio in ratios}),
    )
    return draw_series(
        "Solutions of random boards", "moves divided by the Manhattan distance", axes, series
    )


def draw_load() -> str:
    rows = read_rows("load")
    series = {
        title: [
            (count, rows[what]["value"])
            for count in CLIENTS
            if (what := f"throughput: {action}, {count} at a time: p99") in rows
        ]
        for action, title in ACTIONS.items()
    }
    axes = (
        horizontal({count: str(count) for count in CLIENTS}),
        vertical({1: "1 ms", 10: "10 ms", 100: "100 ms", 1_000: "1 s"}),
    )
    return draw_series(
        "Answers under load",
        "99th percentile by the number of clients at a time; the line is the bar of 250 ms",
        axes,
        series,
        bar=250,
    )


PICTURES = {
    "fifteen": draw_fifteen,
    "korf24": draw_korf24,
    "ratios": draw_ratios,
    "load": draw_load,
}


def fill_tables(text: str) -> str:
    """Replace the tables of a document by those of the results."""

    def fill(match: re.Match[str]) -> str:
        name = match["name"]
        rows = TABLES[name]() if name in TABLES else list_rows(name, *list_whats(match["table"]))
        headings, *lines = (f"| {' | '.join(row)} |" for row in rows)
        lines = [headings, "|---" * (headings.count("|") - 1) + "|", *lines]
        return "\n".join([match["start"], "", *lines, "", "<!-- end -->"])

    pattern = r"(?P<start><!-- table: (?P<name>\w+) -->)(?P<table>.*?)<!-- end -->"
    return re.sub(pattern, fill, text, flags=re.DOTALL)


def list_whats(table: str) -> list[str]:
    """Return the first cells of a table, which name the rows to show."""
    cells = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    return [cell for cell in cells if cell != "what"]


def make_documents() -> dict[Path, str]:
    """Return the documents with tables, and the pictures, as they should be."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
    documents = {path: fill_tables(text) for path, text in pages.items() if "<!-- table:" in text}
    return documents | {
        DOCS / "pictures" / f"{name}.svg": draw() for name, draw in PICTURES.items()
    }


def write_documents() -> None:
    for path, text in make_documents().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
