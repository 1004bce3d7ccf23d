from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run_worker(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tilework.worker", *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("queues", ["urgent", "interactive,urgent", ""])
def test_a_queue_that_does_not_exist(queues: str) -> None:
    outcome = run_worker("--queues", queues, TILEWORK_BROKER_URL="redis://127.0.0.1:1/0")
    assert outcome.returncode == 2
    assert "choose from interactive, quick-analysis, batch, analysis, lab, search" in outcome.stderr


def test_no_broker() -> None:
    outcome = run_worker(TILEWORK_BROKER_URL="")
    assert outcome.returncode == 2
    assert "set TILEWORK_BROKER_URL" in outcome.stderr


def test_a_folder_that_kernels_cannot_be_kept_in(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = run_worker(
        "--queues",
        "interactive",
        TILEWORK_BROKER_URL="redis://127.0.0.1:1/0",
        NUMBA_CACHE_DIR=str(tmp_path / "file"),
    )
    assert outcome.returncode == 2
    [line] = outcome.stderr.splitlines()
    assert line.startswith(
        f"tilework worker: compiled kernels cannot be kept in the folder '{tmp_path / 'file'}/"
    )
    assert line.endswith("name one that you may write in, with NUMBA_CACHE_DIR")


def test_publishing_loads_no_solver() -> None:
    script = (
        "import sys, tilework.worker.tickets; "
        "print('numba' in sys.modules, 'tilework.core.solver.solve' in sys.modules)"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert outcome.stdout == "False False\n"
