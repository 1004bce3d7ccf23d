"""Running a program that must succeed."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def run(
    command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] = os.environ
) -> str:
    """Run a command in a folder; return its output."""
    result = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout
