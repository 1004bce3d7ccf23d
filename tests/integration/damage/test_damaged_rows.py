"""Rows damaged at random: no wrong answer is served, nothing fails for ever, all is solved anew."""

from __future__ import annotations

from pathlib import Path

from tests.integration.damage.stage import damage_and_read


def test_no_damage_is_served(sqlite_url: str, tmp_path: Path) -> None:
    damage_and_read(sqlite_url, tmp_path, trials=16, seed=1)
