import json
import os
import subprocess
import sys

from tests.core.solver.kernels.depth_first_program import summary


def test_the_same_without_the_compiler():
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.core.solver.kernels.depth_first_program"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert json.loads(printed) == summary()
