import numpy as np
import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3, DoWork
from tests.support.long_solutions import long_solution, store_solution, submit_board
from tilework.core.assembly import Services
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.formats.solutions import SolutionFormat
from tilework.core.model.job_options import JobOptions
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.puzzle.replay import apply
from tilework.core.services.certificates.verifier import VerifyOptions, examine
from tilework.core.solver.target import TargetKind

JOBS = "/api/v1/jobs"
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"
PROBLEM = "urn:tilework:problem"
ANY = JobOptions(target=TargetKind.ANY)
SIDE = 20
CHUNK = 1 << 18
COUNT = 3 * CHUNK
Solution = tuple[Board, Moves, str]  # with the URL of a job's copy
TEXT_BY_QUERY = {
    "format=udlr": "LL\n",
    "format=udlr&by=blank": "RR\n",
    "format=runs": "L2\n",
    "format=tiles": "7 8\n",
}


def submit(client: FlaskClient, **options: object) -> str:
    response = client.post(JOBS, json={"board": EASY_3X3, **options})
    assert response.status_code in {200, 202}, response.text
    return response.headers["Location"]


def test_every_format_is_a_file_with_its_media_type(client: FlaskClient, work: DoWork) -> None:
    solution_url = submit(client) + "/solution"
    work()
    for name in SolutionFormat:
        response = client.get(f"{solution_url}?format={name}")
        is_json = name == "json"
        media_type = "application/json" if is_json else "text/plain; charset=utf-8"
        assert (response.status_code, response.content_type) == (200, media_type)
        file = f'filename="tilework-3x3-2-{name}.{"json" if is_json else "txt"}"'
        assert response.headers["Content-Disposition"] == f"inline; {file}"
        download = client.get(f"{solution_url}?format={name}&download=true")
        assert download.headers["Content-Disposition"] == f"attachment; {file}"
        assert download.data == response.data
        known = client.get("/api/v1/solutions", query_string={"board": EASY_3X3, "format": name})
        assert (known.data, known.content_type) == (response.data, response.content_type)
    for query, text in TEXT_BY_QUERY.items():
        assert client.get(f"{solution_url}?{query}").text == text
    assert client.get(f"{solution_url}?format=udlr").headers["Content-Length"] == "3"
    assert "Minimum number of moves = 2" in client.get(f"{solution_url}?format=text").text
    text = client.get(f"{solution_url}?format=princeton&lang=pt").text
    assert text.startswith("Mínimo número de movimentos = 2\n3\n 1  2  3 \n")
    solution = client.get(solution_url).json
    assert (solution["moves"], solution["length"], solution["optimal"]) == ("LL", 2, True)
    assert solution["slides"] == 1
    mirrored_board = {"board": "[[1,4,0],[2,5,7],[3,6,8]]", "goal": "1 4 7 2 5 8 3 6 0", "width": 3}
    for query, moves in (({"board": EASY_3X3}, "LL"), (mirrored_board, "UU")):
        assert client.get("/api/v1/solutions", query_string=query).json["moves"] == moves
    assert len(client.get(JOBS).json["jobs"]) == 1


def test_missing_solution_says_whether_to_wait(client: FlaskClient) -> None:
    path = submit(client)
    for part, code in (
        ("solution", "no-solution-yet"),
        ("solution/moves", "no-solution-yet"),
        ("certificate", "not-ended"),
    ):
        response = client.get(f"{path}/{part}")
        assert (response.status_code, response.json["type"]) == (409, f"{PROBLEM}:{code}")
        problem = client.get(f"{NO_JOB}/{part}")
        assert (problem.status_code, problem.json["type"]) == (404, f"{PROBLEM}:not-found")
    assert int(client.get(f"{path}/solution").headers["Retry-After"]) > 0
    client.delete(path)
    for part in ("solution", "certificate"):
        response = client.get(f"{path}/{part}")
        assert (response.status_code, response.json["type"]) == (404, f"{PROBLEM}:no-solution")
        assert "cancelled" in response.json["detail"]


def test_certificate_is_a_file_that_can_be_verified(client: FlaskClient, work: DoWork) -> None:
    path = submit(client, board=FARTHEST_3X3)
    bounded_path = submit(client, board="6 8 7 5 2 4 3 0 1", algorithm="constructive")
    work()
    response = client.get(f"{path}/certificate")
    assert response.content_type == "application/json"
    name = 'filename="tilework-certificate-3x3-31.json"'
    assert response.headers["Content-Disposition"] == f"attachment; {name}"
    certificate = read_certificate(response.data)
    assert (certificate.length, certificate.optimal) == (31, True)
    assert certificate.proof is Proof.ONE_PROCESS
    assert examine(certificate, VerifyOptions(None, 0)).error is None
    cached_path = submit(client, board=FARTHEST_3X3)
    assert len(client.get(f"{cached_path}/certificate").json["moves"]) == 31
    certificate = read_certificate(client.get(f"{bounded_path}/certificate").data)
    assert not certificate.optimal
    assert certificate.lower_bound < certificate.length
    assert examine(certificate, VerifyOptions(None, 0)).error is None


@pytest.fixture(scope="module")
def board_and_moves() -> tuple[Board, Moves]:
    return long_solution(SIDE, COUNT)


@pytest.fixture
def solution(services: Services, board_and_moves: tuple[Board, Moves]) -> Solution:
    board, moves = board_and_moves
    store_solution(services, board, moves)
    return board, moves, f"{JOBS}/{submit_board(services, board, ANY)}/solution"


def unpack(data: bytes) -> list[int]:
    return [byte >> shift & 3 for byte in data for shift in (0, 2, 4, 6)]


def test_chunks_form_the_complete_solution(
    client: FlaskClient, solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, moves, solution_url = solution
    first = client.get(f"{solution_url}/moves")
    # It is not replayed again.
    monkeypatch.setattr("tilework.core.services.jobs.solutions.replay_boards", None)
    assert (first.status_code, first.mimetype) == (200, "application/octet-stream")
    assert first.headers["Solution-Length"] == str(len(moves))
    name = first.headers["ETag"].strip('"')
    data = first.data
    for index in range(CHUNK, len(moves), CHUNK):
        response = client.get(f"{solution_url}/moves?first={index}&solution={name}")
        assert response.headers["ETag"] == first.headers["ETag"]
        data += response.data
    assert np.array_equal(unpack(data)[: len(moves)], moves)
    assert client.get(f"{solution_url}/moves?first={len(moves)}&solution={name}").data == b""
    for index in (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, COUNT // 2, 10**9):
        for parameter in ("", f"&solution={name}"):
            response = client.get(f"{solution_url}/board?move={index}{parameter}")
            tiles = np.frombuffer(response.data, dtype="<u2").tolist()
            assert tiles == apply(board, moves[:index]).cells.tolist(), index
    for query in ("moves?first=-1", "moves?count=0", "moves?count=2621449"):
        assert client.get(f"{solution_url}/{query}").status_code == 422


def test_chunk_of_a_replaced_solution_is_rejected(
    client: FlaskClient, services: Services, solution: Solution
) -> None:
    board, moves, solution_url = solution
    name = client.get(f"{solution_url}/moves?count=4").headers["ETag"].strip('"')
    # The same solution with a detour at its end.
    longer = np.append(moves, np.array([1, 0], dtype=np.uint8))
    store_solution(services, board, longer)
    for path in (f"moves?first={CHUNK}", "moves?first=0", "board?move=7"):
        for other in (name, "", "x"):
            response = client.get(f"{solution_url}/{path}&solution={other}")
            assert response.status_code == 409
            assert response.json["type"] == f"{PROBLEM}:solution-replaced"
    response = client.get(f"{solution_url}/moves?count=4")
    assert response.headers["Solution-Length"] == str(len(longer))
    assert response.headers["ETag"].strip('"') != name


@pytest.mark.parametrize(
    "path",
    [
        *("solution", "solution?format=udlr", "solution/moves?count=4", "solution/board?move=7"),
        *("certificate", "sheet"),
    ],
)
def test_wrong_solution_is_withdrawn_by_the_request_that_finds_it(
    client: FlaskClient, services: Services, solution: Solution, path: str
) -> None:
    board, moves, solution_url = solution
    store_solution(services, board, moves[:-2])
    job_url = solution_url.removesuffix("/solution")
    if path in ("sheet"):
        job_url = job_url.removeprefix("/api/v1")
    assert client.get(f"{job_url}/{path}").status_code == 503
    assert client.get(f"{job_url}/{path}").status_code in (200, 404)


def test_long_solutions_are_written_completely(client: FlaskClient, solution: Solution) -> None:
    board, moves, solution_url = solution
    assert client.get(f"{solution_url}?format=udlr").text == to_letters(moves) + "\n"
    assert len(client.get(f"{solution_url}?format=tiles").text.split()) == len(moves)
    query = {"board": " ".join(map(str, board.cells.tolist()))}
    document = client.get("/api/v1/solutions", query_string=query).json
    assert (document["length"], document["moves"]) == (len(moves), to_letters(moves))
