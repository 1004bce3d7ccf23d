import json
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from tests.support.cli.runner import Run
from tests.support.instances import KORF_15_100, KORF_24_1
from tilework.core.cli.console import interruptible
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

NEAR = "1 2 3 4 5 6 7 X 8"
ENDLESS = "--goal blank-first --node-limit 1000000000 --memory-limit 64000 --time-limit 600"


@pytest.fixture
def ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate Ctrl-C after a search has polled a few times."""

    @contextmanager
    def interrupted() -> Iterator[Callable[[], bool]]:
        checks = count()
        yield lambda: next(checks) > 20

    for module in ("solve.searches", "lab.compare", "lab.runs"):
        monkeypatch.setattr(f"tilework.core.cli.{module}.interruptible", interrupted)


def test_second_ctrl_c_raises() -> None:
    handler = signal.getsignal(signal.SIGINT)
    with interruptible() as cancelled:
        assert not cancelled()
        signal.raise_signal(signal.SIGINT)
        assert cancelled()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted_search_prints_solution_and_bounds(tilework: Run) -> None:
    result = tilework("solve", KORF_24_1, "--goal blank-first --no-build")
    assert result.code == 130
    assert re.search(r"interrupted after [\d.]+( [kMG])? nodes and [\d.e+-]+ s\n$", result.err)
    bound = re.search(r"optimal length: at least (\d+)", result.err)
    letters = result.out.strip()
    assert 71 <= int(bound[1]) <= 95 <= len(letters)
    board = Board(list(map(int, KORF_24_1.split())))
    replay(board, from_letters(letters), blank_first(board.size))


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted_lab_runs_keep_finished_ones(tilework: Run) -> None:
    result = tilework("solve", KORF_15_100, ENDLESS, "--algorithm breadth-first")
    assert result.code == 130
    assert "The run was cancelled. No solution: " in result.err
    methods = "--method greedy --method breadth-first --method a-star"
    result = tilework("compare", KORF_15_100, ENDLESS, methods, "--format json")
    assert result.code == 130
    assert json.loads(result.out)[-1]["state"] == "cancelled"
