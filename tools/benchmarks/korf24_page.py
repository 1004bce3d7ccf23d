"""``docs/korf24.md``: every board that was solved, and what that says of the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.benchmarks.instances import Instance
from tools.benchmarks.korf24_projection import Projection

PAGE = Path(__file__).parents[2] / "docs" / "korf24.md"


def write_page(
    instances: Sequence[Instance], rows: Sequence[dict[str, Any]], projection: Projection
) -> None:
    """Write the page out of the boards solved so far."""
    known = {one.number: one.length for one in instances}
    by_seconds = sorted(rows, key=lambda row: row["seconds"])
    nodes = sum(row["nodes"] for row in rows)
    seconds = sum(row["seconds"] for row in rows)
    lines = [
        "# Korf's fifty 24-puzzles",
        "",
        "Written by `python -m tools.benchmarks.korf24`. Each board was solved by",
        "`tilework.core.solver.solve` in one process on one core; “at a time” is how many such",
        "searches shared the machine. Every solution was replayed, and every length agrees with",
        "the published one.",
        "",
        "| board | length | nodes | seconds | M nodes/s | at a time | measured |",
        "|---|---|---|---|---|---|---|",
        *(_row(row, known) for row in by_seconds),
        f"| {len(rows)} boards | | {nodes:,} | {seconds:,.1f} | {nodes / seconds / 1e6:.1f} | | |",
        "",
        "## All fifty",
        "",
        *_words(projection, len(rows)),
    ]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _row(row: dict[str, Any], known: dict[int, int]) -> str:
    assert row["length"] == known[row["board"]]
    return (
        f"| #{row['board']:02} | {row['length']} | {row['nodes']:,} | {row['seconds']:,.2f} "
        f"| {row['nodes_per_s'] / 1e6:.1f} | {row['cores']} | {row['measured']} |"
    )


def _words(projection: Projection, count: int) -> list[str]:
    words = [
        f"Two cores search {projection.nodes_per_s / 1e6:.0f} million nodes a second.",
        f"Of the searches with published node counts (`tests/data/korf50_24puzzle.txt`), "
        f"`{projection.reference}` is the one that ours follows most closely: over the {count}",
        f"boards solved, our nodes are {projection.ratio:.3g} times its, within a factor of "
        f"{projection.spread:.2f} (one standard deviation).",
    ]
    if projection.held_out is not None:
        words.append(
            "From the easier half of these boards, the harder half would have been predicted to "
            f"take {projection.held_out:.2f} times what it took."
        )
    if projection.nodes is None or projection.hours is None:
        return [*words, "That is too few boards to judge the others by."]
    low, middle, high = projection.hours
    return [
        *words,
        f"With these ratios all fifty take {projection.nodes[1]:.3g} nodes: "
        f"**{middle:.1f} hours on two cores** (80% of the draws lie from {low:.1f} to {high:.1f}).",
    ]
