from __future__ import annotations

import os
import time
from pathlib import Path

from tilework.worker.heartbeat import STALE_AFTER_S, is_beating


def test_only_a_fresh_file_beats(tmp_path: Path) -> None:
    file = tmp_path / "beat"
    assert not is_beating(file)
    file.touch()
    assert is_beating(file)
    old = time.time() - STALE_AFTER_S - 1
    os.utime(file, (old, old))
    assert not is_beating(file)
