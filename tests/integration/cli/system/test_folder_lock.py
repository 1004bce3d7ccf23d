from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tilework.core.cli.system.folder_lock import lock_folder
from tilework.core.errors import OptionError

HOLD = """
import sys
from pathlib import Path
from tilework.core.cli.system.folder_lock import lock_folder
lock_folder(Path(sys.argv[1]), 0.0)
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_second_claim_names_folder_and_process(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(OptionError, match=rf"{tmp_path}.*process {holder.pid}\).*--data-dir"):
            lock_folder(tmp_path, patience_s=30.0)
        holder.kill()
    os.close(lock_folder(tmp_path, patience_s=1.0))


def test_a_claim_waits_for_what_a_killed_owner_left(tmp_path: Path) -> None:
    # The descriptor outlives its owner in another process, as in the guardian.
    descriptor = lock_folder(tmp_path / "new", patience_s=0.0)
    keeper = subprocess.Popen(["sleep", "0.5"], pass_fds=(descriptor,))
    os.pwrite(descriptor, b"999999999       ", 0)
    os.close(descriptor)
    os.close(lock_folder(tmp_path / "new", patience_s=10.0))
    assert keeper.wait(timeout=5) == 0


def test_a_folder_that_cannot_be_written_in(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OptionError, match="nothing can be written in the folder"):
        lock_folder(tmp_path / "file" / "data", patience_s=0.1)
