"""Programs that have a farm solve their boards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.here import Here
from tests.support.servers import free_port
from tilework import Board, Client, Job, TileworkError, UnsolvableError, scramble, solve, ways
from tilework.core.services.states import JobState
from tilework.slide_solving import Slides

HARDEST = "8 6 7 / 2 5 4 / 3 0 1"


@pytest.fixture
def here(running: Here) -> Here:
    running.may_work.set()
    return running


@pytest.fixture
def client(here: Here) -> Iterator[Client]:
    with Client(here.url) as client:
        yield client


def test_slides_are_counted_where_they_are_asked_for(client: Client) -> None:
    job = client.submit(HARDEST, metric="slides").wait(60)
    assert (job.state, job.metric, job.upper_bound) == ("optimal", "slides", 20)
    found = job.solution()
    assert isinstance(found, Slides)
    assert (len(found), found.is_optimal) == (20, True)
    batch = client.submit_all([HARDEST], metric="slides").wait(60)
    assert [one.upper_bound for one in batch.results()] == [20]


def test_a_board_goes_there_and_its_solution_comes_back(client: Client) -> None:
    seen: list[str] = []
    job = client.submit(HARDEST).wait(60, lambda job: seen.append(job.state))
    assert (job.state, job.is_over, job.lower_bound, job.upper_bound) == ("optimal", True, 31, 31)
    assert seen[-1] == "optimal"
    found = job.solution()
    assert found.is_optimal
    assert found.board == Board.from_text(HARDEST)
    assert list(found.boards())[-1].is_goal()
    assert '"optimal":true' in job.certificate().replace(" ", "")
    assert client.job(job.id).state == "optimal"


def test_other_goals_and_targets(client: Client) -> None:
    goal = Board.goal(2, 3, "blank-first")
    board = scramble(2, 3, seed=3, goal=goal)
    for named in (goal, "blank-first", str(goal)):
        found = client.submit(board, named, target="any").wait(60).solution()
        assert list(found.boards())[-1] == goal
    assert client.submit(scramble(5, seed=2), target=0.9).wait(60).state in {"bounded", "optimal"}


def test_hints_lead_to_the_goal(client: Client) -> None:
    board = Board([0, 1, 2, 3, 4, 5], 3, 2)
    goal = Board([2, 3, 1, 4, 5, 0], 3, 2)
    left = len(solve(board, goal))
    found = client.hint(board, goal, wait=20)
    while not found.is_solved:
        assert found.is_optimal
        assert len(found.moves or "") == left
        before, board = board, board.moved((found.moves or "")[0])
        assert board.blank == before.cells.tolist().index(found.tile)
        found, left = client.hint(board, goal), left - 1
    assert (board, left) == (goal, 0)
    with pytest.raises(UnsolvableError):
        client.hint(goal.twin(), goal)


def test_a_hint_that_nobody_knows_yet(client: Client, here: Here) -> None:
    here.pause()
    found = client.hint(scramble(3, seed=77), wait=0)
    assert (found.tile, found.direction, found.moves, found.is_solved) == (None, None, None, False)
    assert found.lower_bound > 0


def test_a_job_that_goes_on_is_watched_and_cancelled(client: Client, here: Here) -> None:
    job = client.submit(scramble(6, seed=4), seconds=600)
    with pytest.raises(TimeoutError, match=r"after 0\.1 s"):
        job.wait(0.1)
    assert not job.is_over
    with pytest.raises(TileworkError), Client(here.url) as another:
        another.job(job.id).cancel()
    assert job.cancel().state == "cancelled"
    assert job.refresh().is_over


def test_an_api_key_is_the_same_client_later(client: Client, here: Here) -> None:
    _, key = here.services.clients.create_key("a program")
    with Client(here.url, key) as one:
        job = one.submit(scramble(6, seed=5), seconds=600)
    with Client(here.url, key) as other:
        assert other.job(job.id).cancel().state == "cancelled"


def test_many_boards_are_a_batch(client: Client) -> None:
    boards = [scramble(3, seed=seed) for seed in range(5)]
    shares: list[float] = []
    batch = client.submit_all(boards).wait(60, lambda batch: shares.append(batch.progress))
    assert (batch.is_over, batch.total, batch.states) == (True, 5, {"optimal": 5})
    assert shares[-1] == 1.0
    results = list(client.batch(batch.id).results())
    assert [one.index for one in results] == list(range(5))
    assert all(one.is_optimal for one in results)
    for board, one in zip(boards, results, strict=True):
        assert board.moved(one.moves or "").is_goal()


def test_all_shortest_solutions_are_those_found_here(client: Client) -> None:
    found, here = client.ways(HARDEST, timeout=60), ways(HARDEST)
    assert found
    assert (found.length, found.count, found.boards) == (here.length, here.count, here.boards)
    assert list(found) == list(here)
    assert found.fewest_turns() == here.fewest_turns()
    assert len(found.graph()["boards"]) == found.boards
    assert found.dot().count("->") == len(found.graph()["moves"])


def test_ways_that_a_limit_ended(client: Client) -> None:
    start = "4 11 13 2 12 9 3 15 0 5 7 14 1 10 8 6"
    found = client.ways(start, memory_bytes=1 << 20, timeout=60)
    assert not found
    assert (found.lower_bound, found.stopped_by) == (58, "memory")
    with pytest.raises(ValueError, match="not all found"):
        list(found)


def test_what_the_server_refuses_is_raised(client: Client) -> None:
    with pytest.raises(UnsolvableError):
        client.submit("1 2 3 / 4 5 6 / 8 7 0")
    with pytest.raises(TileworkError, match="'guess'"):
        client.submit(HARDEST, algorithm="guess")
    with pytest.raises(TileworkError):
        client.job("00000000-0000-7000-8000-000000000000")
    with pytest.raises(TypeError, match="expected a board"):
        client.submit(None)  # type: ignore[arg-type]


def test_no_server_is_said_to_be_there() -> None:
    with (
        Client(f"http://127.0.0.1:{free_port()}") as client,
        pytest.raises(TileworkError, match="no server answers"),
    ):
        client.submit(HARDEST)
    with pytest.raises(TileworkError, match="'nowhere' is not the address"):
        Client("nowhere")


def test_the_states_are_those_that_are_documented() -> None:
    assert Job.__doc__
    for state in JobState:
        assert f"``{state}``" in Job.__doc__
