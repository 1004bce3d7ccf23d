"""Processes that build databases or recheck slices, and modules that processes do not import."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.waiting import wait_until
from tests.unit.solver.optimal.test_proof import (
    BOARD,
    GOAL,
    LENGTH,
    find_record_error,
    last_tree,
    remove_a_node,
)
from tilework.core.errors import TileworkError, UnavailableError
from tilework.core.puzzle.board import Size
from tilework.core.search.limits import Limits
from tilework.core.solver.optimal import proof
from tilework.core.solver.optimal.proof import derive_claims
from tilework.core.solver.pdb.builder import BuilderProcess, claim_builder_lock
from tilework.core.solver.pdb.builds import read_build_progress
from tilework.core.solver.pdb.partitions import Partition, find_partition

LARGE_PARTITION = find_partition(Size(5, 5), "6-6-6-6")

OPEN_OR_BUILD = """
import logging, sys
from pathlib import Path
from tilework.core.solver.pdb.partitions import Partition
from tilework.core.solver.pdb.files import open_or_build
from tilework.core.puzzle.board import Size
logging.basicConfig(level=logging.INFO, stream=sys.stdout)
sys.stdin.readline()
open_or_build(Partition("5-3", Size(3, 3), ((1, 2, 4, 5, 7), (3, 6, 8))), Path(sys.argv[1]))
"""


def test_only_one_of_two_processes_builds(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPEN_OR_BUILD, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    processes = [subprocess.Popen(command, text=True, **pipes) for _ in range(2)]
    outputs = [process.communicate("\n")[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert "".join(outputs).count("built 3x3-5-3.pdb") == 1


def start_builder(folder: Path, partition: Partition) -> BuilderProcess:
    claim = claim_builder_lock(folder, wait=False)
    assert claim is not None
    return BuilderProcess(claim, folder, [partition], quiet=True)


def test_stopped_builder_process_leaves_no_files(tmp_path: Path) -> None:
    oom_score = Path("/proc/self/oom_score_adj")
    previous_score = oom_score.read_text()
    oom_score.write_text("750")  # as in a pod of Kubernetes, whose processes may not lower it
    try:
        builder = start_builder(tmp_path, LARGE_PARTITION)
    finally:
        oom_score.write_text(previous_score)
    wait_until(lambda: read_build_progress(tmp_path))
    assert claim_builder_lock(tmp_path, wait=False) is None
    (process,) = (
        child
        for child in psutil.Process().children()
        if "tilework.core.solver.pdb.builder" in child.cmdline()
    )
    assert Path(f"/proc/{process.pid}/oom_score_adj").read_text() == "750\n"
    # Ctrl-C in a terminal does not reach it, and only its parent may stop it.
    assert os.getsid(process.pid) != os.getsid(0)
    process.send_signal(signal.SIGINT)
    assert builder.exit_code() is None
    builder.stop()
    assert not process.is_running()
    claim = claim_builder_lock(tmp_path, wait=False)
    os.close(claim)
    assert {path.name for path in tmp_path.iterdir() if path.suffix != ".lock"} <= {"building.json"}


def test_slices_are_checked_in_subprocess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "SUBPROCESS_NODES", 0)
    counts: list[int] = []
    assert find_record_error(last_tree(), tmp_path, limits=Limits(report=counts.append)) is None
    assert max(counts) > 0
    assert "it needs" in str(find_record_error(remove_a_node(), tmp_path))
    assert find_record_error(last_tree(), tmp_path, limits=Limits(cancelled=lambda: True)) is None
    # If the process fails, nothing is proved.
    monkeypatch.setattr(proof.sys, "executable", "/bin/false")
    with pytest.raises(TileworkError, match="ended with code 1"):
        find_record_error(last_tree(), tmp_path)
    # A shutdown is not a failure of the check.
    program = tmp_path / "stopped"
    program.write_text("#!/bin/sh\nkill $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(proof.sys, "executable", str(program))
    with pytest.raises(UnavailableError, match="ended with code -15"):
        find_record_error(last_tree(), tmp_path)


def test_subprocess_gets_requests_larger_than_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "_POLL_S", 0.01)  # before the process reads its request
    claims = derive_claims(BOARD, GOAL, LENGTH, [last_tree()])
    claim = next(claim for claim in claims if 0 < claim.record.nodes < 1_000)
    checked: list[int] = []
    limits = Limits(report=checked.append)
    skipped = proof.recheck_claims_in_subprocess(BOARD, GOAL, 2_000 * [claim], tmp_path, limits)
    assert (skipped, checked[-1]) == (0, 2_000 * claim.record.nodes)


def test_unneeded_modules_are_not_imported(pattern_databases: Path) -> None:
    program = """
import sys
from pathlib import Path
import tilework.core.solver.pdb.builds
from tilework.core import compiling
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.solve import solve
compiling.LOADING_S = 1e9  # a busy machine would load what is compiled
result = solve(Board([8, 6, 7, 2, 5, 4, 3, 0, 1], 3, 3), blank_last(Size(3, 3)))
assert result.optimal and result.upper_bound == 31
assert "numba" not in sys.modules
goal = blank_last(Size(4, 4))
assert solve(next(goal.neighbors()), goal, pdb_folder=Path(sys.argv[1])).optimal
assert "tilework.core.solver.kernels.beam" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program, str(pattern_databases)], check=True)
