"""``docs/security.md`` names every limit, with the value that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tilework.core.settings import Settings

PAGE = (Path(__file__).parents[3] / "docs" / "security.md").read_text()
LIMIT = re.compile(r"max_|_per_|_cap$|limit|_bytes$|budget|connections|secret")
UNITS = {"MiB": 2**20, "GiB": 2**30, "million": 10**6, "GB": 10**9, "MB": 10**6, "h": 3600}
UNITS |= {"days": 86_400, "s": 1}


def test_every_limit_is_named() -> None:
    limits = [name for name in Settings.model_fields if LIMIT.search(name)]
    assert len(limits) > 20
    assert [name for name in limits if f"TILEWORK_{name.upper()}" not in PAGE] == []


def test_every_setting_that_is_named_exists() -> None:
    named = set(re.findall(r"TILEWORK_([A-Z_]+)", PAGE))
    assert {name.lower() for name in named} <= set(Settings.model_fields)


ROWS = [
    (cells, re.findall(r"TILEWORK_([A-Z_]+)", line))
    for line in PAGE.partition("## Every limit")[2].partition("## What is left")[0].splitlines()
    if line.startswith("| ") and (cells := [cell.strip() for cell in line.split("|")[1:-1]])
]


def numbers(text: str) -> list[float]:
    found = re.findall(r"(\d[\d,]*)(?: (MiB|GiB|million|GB|MB|h|days|s)\b)?", text)
    found += [("1", "days")] if "for a day" in text else []
    return [float(digits.replace(",", "")) * UNITS.get(unit, 1) for digits, unit in found]


@pytest.mark.parametrize(
    ("told", "setting"),
    [
        (numbers(cells[1]), name.lower())
        for cells, names in ROWS
        for name in names
        if isinstance(Settings.model_fields[name.lower()].default, int | float)
    ],
)
def test_the_values_are_those_of_the_settings(told: list[float], setting: str) -> None:
    assert float(Settings.model_fields[setting].default) in told
