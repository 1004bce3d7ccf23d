"""Kernels as plain Python: the same results without the compiler, and no warning of an overflow."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.integration.solver.search_program import summary


def test_the_same_without_the_compiler() -> None:
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.integration.solver.search_program"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    assert json.loads(printed) == summary()
