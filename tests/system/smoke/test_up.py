from collections.abc import Callable
from signal import SIGINT

import psutil

from tests.support.running_system import RunningSystem
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

BOARD = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])


def test_job_is_solved_and_ctrl_c_ends_everything(
    start: Callable[..., RunningSystem], long_shutdown: dict[str, str], site: str
) -> None:
    system = start(**long_shutdown)  # after the site, which has compiled the kernels
    job = system.wait_until_optimal(system.submit(" ".join(map(str, BOARD.cells.tolist()))))
    assert (job["lower_bound"], job["upper_bound"]) == (31, 31)
    solution = system.call(f"{job['links']['solution']}?format=json")
    replay(BOARD, from_letters(solution["moves"]), blank_last(Size(3, 3)))
    processes = system.find_descendants()
    assert len(processes) >= 5
    system.process.send_signal(SIGINT)
    assert system.process.wait() == 0
    assert not any(map(psutil.Process.is_running, processes))
    assert "did not stop" not in system.read_log()
    assert "Traceback" not in system.read_log()
