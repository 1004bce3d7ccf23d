import re
from pathlib import Path

import numpy as np

from tests.support.cli.runner import Run

# The example in the Princeton assignment.
BOARD = "8 1 3 4 0 2 7 6 5"


def test_solvable_board(tilework: Run) -> None:
    result = tilework("check", BOARD)
    assert result.code == 0
    facts = dict(re.split(r" {2,}", line, maxsplit=1) for line in result.out.splitlines())
    assert facts["hamming"] == "5"
    assert facts["manhattan"] == "10"
    assert facts["hamming by tile"] == "1 1 0 0 1 1 0 1"
    assert facts["manhattan by tile"] == "1 2 0 0 2 2 0 3"
    assert facts["inverted pairs"].startswith("8-1 8-3 8-4 8-2")
    assert facts["solvable"] == "yes"
    assert facts["explanation"].startswith("Inversions")


def test_board_with_over_a_million_cells(tilework: Run, tmp_path: Path) -> None:
    side = 1001
    cells = np.arange(1, side * side + 1, dtype=np.int32)
    cells[-1] = 0
    cells[[0, 1, 2]] = cells[[1, 2, 0]]  # an even permutation
    np.save(tmp_path / "large.npy", cells.reshape(side, side))
    result = tilework("check --json", str(tmp_path / "large.npy"))
    assert result.code == 0
    fields = {name: value for name, value in result.json.items() if value is not None}
    assert fields == {"width": side, "height": side, "solvable": True, "hamming": 3, "manhattan": 4}
