"""The table of transitions, as docs/life.md has it."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[5] / "docs" / "life.md"


def documented() -> dict[tuple[str, str], set[str]]:
    """Read the table of docs/life.md."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        (event, before): set(re.findall(r"\w+", cell))
        for event, cells in rows
        for before, cell in zip(("idle", "active", "settled"), cells.split("|"), strict=True)
        if cell.strip() != "–"
    }
