"""A role of several hosts says what is in its way before it becomes the process of that role."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tilework.core.settings import get_settings

Run = Callable[..., Any]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder in whose place there is a file."""
    path = tmp_path / "data"
    path.write_text("")
    for name in ("DATABASE_URL", "SECRET_KEY"):
        monkeypatch.delenv(f"TILEWORK_{name}", raising=False)
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(path))
    get_settings.cache_clear()
    yield path
    get_settings.cache_clear()


@pytest.fixture
def become(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the process became."""
    became: list[str] = []
    monkeypatch.setattr(
        "tilework.core.cli.system.roles.os.execv", lambda _, words: became.extend(words)
    )
    return became


@pytest.mark.parametrize("role", ["web", "worker"])
def test_a_folder_that_cannot_be_written_in(
    tilework: Run, data: Path, become: list[str], role: str
) -> None:
    done = tilework(role)
    assert done.code == 2
    [line] = done.err.splitlines()
    assert line.startswith(f"tilework: nothing can be written in the folder '{data}' (File exists)")
    assert not become


def test_a_worker_of_a_cluster_needs_no_data_folder(
    tilework: Run, data: Path, become: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWORK_DATABASE_URL", "postgresql://tilework@127.0.0.1:1/tilework")
    get_settings.cache_clear()
    assert tilework("worker", "--queues", "lab").code == 0
    assert become[-4:] == ["--queues", "lab", "--name", "worker"]
