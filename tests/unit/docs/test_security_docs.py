"""Every limit is documented in ``docs/security.md`` with its value."""

import re
from pathlib import Path

from tilework.core.settings import Settings

PAGE = (Path(__file__).parents[3] / "docs" / "security.md").read_text()
LIMIT = re.compile(r"max_|_per_|_cap$|limit|_bytes$|budget|connections|secret")
UNITS = {"MiB": 2**20, "GiB": 2**30, "million": 10**6, "GB": 10**9, "MB": 10**6, "h": 3600}
UNITS |= {"days": 86_400, "s": 1}


def test_every_limit_is_documented_with_its_value() -> None:
    limits = [name for name in Settings.model_fields if LIMIT.search(name)]
    assert len(limits) > 10
    assert [name for name in limits if f"TILEWORK_{name.upper()}" not in PAGE] == []
    table = PAGE.partition("## Limits")[2].partition("## What is left")[0]
    compared = 0
    for line in table.splitlines():
        for name in re.findall(r"TILEWORK_([A-Z_]+)", line):
            default = Settings.model_fields[name.lower()].default
            if line.startswith("| ") and isinstance(default, int | float):
                assert float(default) in parse_numbers(line.split("|")[2]), name
                compared += 1
    assert compared > 10


def parse_numbers(text: str) -> list[float]:
    amounts = re.findall(r"(\d[\d,]*)(?: (MiB|GiB|million|GB|MB|h|days|s)\b)?", text)
    amounts += [("1", "days")] if "for a day" in text else []
    return [float(digits.replace(",", "")) * UNITS.get(unit, 1) for digits, unit in amounts]
