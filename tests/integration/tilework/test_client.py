from collections.abc import Iterator

import pytest

from tests.support.app_server import LiveServer, module_server
from tests.support.waiting import TIMEOUT_S
from tilework import (
    Board,
    Client,
    TileworkError,
    UnfinishedError,
    UnsolvableError,
    scramble,
    solve,
)

__all__ = ["module_server"]

FARTHEST_BOARD = "8 6 7 / 2 5 4 / 3 0 1"
START = "1 2 3 / 4 5 6 / 0 7 8"


@pytest.fixture
def server(module_server: LiveServer) -> LiveServer:
    module_server.work_enabled.set()
    return module_server


@pytest.fixture
def client(server: LiveServer) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client


def test_board_is_solved_by_the_server(client: Client) -> None:
    states: list[str] = []
    other_job = client.submit(START)
    job = client.submit(FARTHEST_BOARD).wait(TIMEOUT_S, lambda job: states.append(job.state))
    assert (job.state, job.is_over, job.lower_bound, job.upper_bound) == ("optimal", True, 31, 31)
    assert (states[-1], other_job.wait(TIMEOUT_S).upper_bound) == ("optimal", 2)
    solution = job.solution()
    assert solution.is_optimal
    assert solution.board == Board(FARTHEST_BOARD)
    assert list(solution.boards())[-1].is_goal()
    assert '"optimal":true' in job.certificate().replace(" ", "")
    assert client.job(job.id).state == "optimal"
    job = client.submit(FARTHEST_BOARD, metric="slides").wait(TIMEOUT_S)
    assert (job.state, job.metric, job.upper_bound) == ("optimal", "slides", 20)
    slides = job.solution()
    assert (slides.metric, len(slides), slides.is_optimal) == ("slides", 20, True)
    solved = client.solve(FARTHEST_BOARD, timeout=TIMEOUT_S, metric="slides", priority="high")
    assert solved.moves == slides.moves


def test_hints_lead_to_the_goal(client: Client, server: LiveServer) -> None:
    board = Board([0, 1, 2, 3, 4, 5], 3, 2)
    goal = Board([2, 3, 1, 4, 5, 0], 3, 2)
    remaining = len(solve(board, goal))
    client.submit(board, goal).wait(TIMEOUT_S)
    while not (hint := client.hint(board, goal)).is_solved:
        assert hint.is_optimal
        assert len(hint.moves or "") == remaining
        previous, board = board, board.moved((hint.moves or "")[0])
        assert board.blank == previous.cells.tolist().index(hint.tile)
        remaining -= 1
    assert (board, remaining) == (goal, 0)
    with pytest.raises(UnsolvableError):
        client.hint(goal.twin(), goal)
    server.pause()
    hint = client.hint(scramble(3, seed=77), wait=0)
    assert (hint.tile, hint.direction, hint.moves, hint.is_solved) == (None, None, None, False)
    assert hint.lower_bound > 0


def test_only_its_client_can_cancel_a_running_job(client: Client, server: LiveServer) -> None:
    server.pause()
    job = client.submit(scramble(6, seed=4), time_limit=600)
    with pytest.raises(UnfinishedError, match=r"after 0\.01 s"):
        job.wait(0.01)
    with pytest.raises(UnfinishedError):
        client.solve(scramble(6, seed=4), timeout=0.01)
    assert not job.is_over
    with pytest.raises(TileworkError), Client(server.url) as stranger:
        stranger.job(job.id).cancel()
    assert job.cancel().state == "cancelled"
    assert job.refresh().is_over


def test_several_boards_form_a_batch(client: Client) -> None:
    boards = [scramble(3, seed=seed) for seed in range(5)]
    shares: list[float] = []
    batch = client.submit_all(boards).wait(TIMEOUT_S, lambda batch: shares.append(batch.progress))
    assert (batch.is_over, batch.total, batch.states) == (True, 5, {"optimal": 5})
    assert shares[-1] == 1.0
    results = list(client.batch(batch.id).results())
    assert [result.index for result in results] == list(range(1, 6))
    assert all(result.is_optimal for result in results)
    for board, result in zip(boards, results, strict=True):
        assert board.moved(result.moves or "").is_goal()
    batch = client.submit_all([FARTHEST_BOARD], metric="slides").wait(TIMEOUT_S)
    assert [result.upper_bound for result in batch.results()] == [20]


def test_server_errors_are_raised(client: Client) -> None:
    with pytest.raises(UnsolvableError):
        client.submit("1 2 3 / 4 5 6 / 8 7 0")
    with pytest.raises(TileworkError, match=r"'algoritm' .*did you mean algorithm"):
        client.solve(FARTHEST_BOARD, algoritm="beam")  # type: ignore[call-arg]
    with pytest.raises(TileworkError, match="'guess'"):
        client.submit(FARTHEST_BOARD, algorithm="guess")
    with pytest.raises(TileworkError):
        client.job("00000000-0000-7000-8000-000000000000")
    with pytest.raises(TypeError, match="expected a board"):
        client.submit(None)  # type: ignore[arg-type]
    with pytest.raises(TileworkError, match="'nowhere' is not the address"):
        Client("nowhere")
