"""Pieces of solutions: packed moves and boards, all of the same solution."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from flask.testing import FlaskClient

from tests.support.long_solutions import long_solution, make_known, submitted
from tilework.core.assembly import Services
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.puzzle.replay import apply
from tilework.core.solver.target import Target, TargetKind

JOBS = "/api/v1/jobs"
ANY = Target(TargetKind.ANY)
SIDE = 20
PIECE = 1 << 18
COUNT = 3 * PIECE


@pytest.fixture(scope="module")
def long() -> tuple[Board, Moves]:
    return long_solution(SIDE, COUNT)


@pytest.fixture
def solved(services: Services, long: tuple[Board, Moves]) -> str:
    make_known(services, *long)
    return f"{JOBS}/{submitted(services, long[0], ANY)}/solution"


def unpacked(data: bytes) -> list[int]:
    return [byte >> shift & 3 for byte in data for shift in (0, 2, 4, 6)]


def test_pieces_make_the_whole(client: FlaskClient, solved: str, long: tuple[Board, Moves]) -> None:
    moves = long[1]
    first = client.get(f"{solved}/moves")
    assert (first.status_code, first.mimetype) == (200, "application/octet-stream")
    assert first.headers["Solution-Length"] == str(len(moves))
    name = first.headers["ETag"].strip('"')
    data = first.data
    for place in range(PIECE, len(moves), PIECE):
        answer = client.get(f"{solved}/moves?first={place}&solution={name}")
        assert answer.headers["ETag"] == first.headers["ETag"]
        data += answer.data
    assert np.array_equal(unpacked(data)[: len(moves)], moves)
    assert client.get(f"{solved}/moves?first={len(moves)}&solution={name}").data == b""


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("place", [0, 1, PIECE - 1, PIECE, PIECE + 1, COUNT // 2, 10**9])
def test_boards_are_those_of_a_replay(
    client: FlaskClient, solved: str, long: tuple[Board, Moves], place: int, named: bool
) -> None:
    board, moves = long
    name = client.get(f"{solved}/moves?count=1").headers["ETag"].strip('"')
    which = f"&solution={name}" if named else ""
    answer = client.get(f"{solved}/board?move={place}{which}")
    tiles = np.frombuffer(answer.data, dtype="<u2").tolist()
    assert tiles == apply(board, moves[:place]).cells.tolist()


def test_a_piece_of_a_replaced_solution_is_refused(
    client: FlaskClient, services: Services, solved: str, long: tuple[Board, Moves]
) -> None:
    name = client.get(f"{solved}/moves?count=4").headers["ETag"].strip('"')
    # The same way with a detour at its end.
    longer = np.append(long[1], np.array([1, 0], dtype=np.uint8))
    make_known(services, long[0], longer)
    for address in (f"moves?first={PIECE}", "moves?first=0", "board?move=7"):
        answer = client.get(f"{solved}/{address}&solution={name}")
        assert answer.status_code == 409
        assert answer.json["type"] == "urn:tilework:problem:solution-replaced"
    after = client.get(f"{solved}/moves?count=4")
    assert after.headers["Solution-Length"] == str(len(longer))
    assert after.headers["ETag"].strip('"') != name


def test_small_solutions_have_pieces_too(client: FlaskClient, work: Callable[[], None]) -> None:
    place = client.post(JOBS, json={"board": "1 2 3 4 5 6 0 7 8"}).headers["Location"]
    assert client.get(f"{place}/solution/moves").status_code == 409
    work()
    answer = client.get(f"{place}/solution/moves")
    assert (answer.data, answer.headers["Solution-Length"]) == (bytes([2 | 2 << 2]), "2")
    board = client.get(f"{place}/solution/board?move=1").data
    assert np.frombuffer(board, dtype="<u2").tolist() == [1, 2, 3, 4, 5, 6, 7, 0, 8]


@pytest.mark.parametrize("query", ["moves?first=-1", "moves?count=0", "moves?count=2621449"])
def test_other_numbers_are_refused(client: FlaskClient, solved: str, query: str) -> None:
    assert client.get(f"{solved}/{query}").status_code == 422


def test_a_stored_solution_that_is_none_gives_no_piece(
    client: FlaskClient, services: Services, long: tuple[Board, Moves]
) -> None:
    board, moves = long
    make_known(services, board, moves)
    place = f"{JOBS}/{submitted(services, board, ANY)}/solution"
    make_known(services, board, moves[:-2])
    # It is withdrawn: there is none until somebody has the board solved anew.
    assert client.get(f"{place}/moves?count=4").status_code == 404


@pytest.mark.parametrize("name", ["udlr", "runs", "tiles", "json"])
def test_long_solutions_are_written_whole(
    client: FlaskClient, solved: str, long: tuple[Board, Moves], name: str
) -> None:
    board, moves = long
    text = client.get(f"{solved}?format={name}&by=tile").text
    if name == "udlr":
        assert text == to_letters(moves) + "\n"
    elif name == "tiles":
        cells, blank = board.cells.tolist(), board.blank
        for move, tile in zip(moves.tolist(), map(int, text.split()), strict=True):
            beside = blank + (SIDE, -SIDE, 1, -1)[move]
            assert cells[beside] == tile
            cells[blank], cells[beside], blank = tile, 0, beside
        assert cells == blank_last(board.size).cells.tolist()
    else:
        assert len(text) > 1000


def test_a_known_long_solution_is_found(
    client: FlaskClient, solved: str, long: tuple[Board, Moves]
) -> None:
    board, moves = long
    query = {"board": " ".join(map(str, board.cells.tolist()))}
    found = client.get("/api/v1/solutions", query_string=query).json
    assert (found["length"], found["moves"]) == (len(moves), to_letters(moves))


def test_writing_a_solution_takes_less_memory_than_its_moves(
    client: FlaskClient, services: Services
) -> None:
    board, moves = long_solution(SIDE, 12 * PIECE)
    make_known(services, board, moves)
    place = f"{JOBS}/{submitted(services, board, ANY)}/solution"
    client.get(f"{place}/moves?count=4")
    tracemalloc.start()
    try:
        for query in ("?format=udlr", "?format=runs&by=blank", "/moves?count=262144"):
            with client.get(f"{place}{query}", buffered=False) as answer:
                for _ in answer.response:
                    pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < len(moves)
