from collections.abc import Iterator
from pathlib import Path

import pytest

from tilework.core.settings import get_settings


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data folder, which the settings use."""
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(tmp_path))
    get_settings.cache_clear()
    yield tmp_path
    get_settings.cache_clear()
