"""``tilework up`` from its start to Ctrl-C: real processes, which all end."""

import os
import signal
import subprocess
from pathlib import Path

import httpx2
import psutil

from tests.support.site import site_databases
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

HARDEST = [8, 6, 7, 2, 5, 4, 3, 0, 1]
PATIENCE_S = 240


def test_job_is_solved_and_ctrl_c_ends_everything(
    executable: Path, tmp_path: Path, site: str
) -> None:
    with (tmp_path / "log").open("w") as log:
        up = subprocess.Popen(
            [executable, "up", "--data-dir", tmp_path / "data", "--workers", "1"],
            env=os.environ | {"TILEWORK_DATABASES_DIR": str(site_databases())},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        ready = up.stdout.readline()
        assert ready.startswith("Tilework is ready at http://127.0.0.1:")
        with httpx2.Client(base_url=ready.split()[4], timeout=60) as client:
            board = " ".join(map(str, HARDEST))
            job = client.post("/api/v1/jobs", json={"board": board}).json()["links"]["self"]
            while (view := client.get(f"{job}?wait=20").json())["finished_at"] is None:
                assert up.poll() is None
            assert (view["state"], view["lower_bound"], view["upper_bound"]) == ("optimal", 31, 31)
            letters = client.get(f"{job}/solution?format=udlr").text.strip()
        replay(Board(HARDEST), from_letters(letters), blank_last(Size(3, 3)))
        family = psutil.Process(up.pid).children(recursive=True)
        assert len(family) >= 5
        up.send_signal(signal.SIGINT)
        assert up.wait(PATIENCE_S) == 0
        assert psutil.wait_procs(family, PATIENCE_S)[1] == []
    finally:
        if up.poll() is None:
            for process in [
                *psutil.Process(up.pid).children(recursive=True),
                psutil.Process(up.pid),
            ]:
                process.kill()
        up.communicate()
    said = (tmp_path / "log").read_text()
    assert "did not stop" not in said
    assert "Traceback" not in said
