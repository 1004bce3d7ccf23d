"""Verifying a certificate that is kept in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def verify(tilework: Run, tmp_path: Path) -> Run:
    def run(text: str, *options: str) -> Any:
        path = tmp_path / "certificate.json"
        path.write_text(text)
        return tilework("verify", str(path), *options)

    return run
