"""Kernels as plain Python: the same source without the compiler."""

from __future__ import annotations

import json
import os
import subprocess
import sys


def printed_uncompiled(module: str) -> object:
    """Run a module with Numba switched off; return the JSON that it prints."""
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-m", module],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return json.loads(printed)
