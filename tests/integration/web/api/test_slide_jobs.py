from itertools import groupby

from flask.testing import FlaskClient

from tests.integration.web.conftest import FARTHEST_3X3, DoWork
from tests.support import naive
from tilework.core.formats.certificate import read_certificate
from tilework.core.services.certificates.slides import VerifyOptions
from tilework.core.services.certificates.verifier import examine

JOBS = "/api/v1/jobs"
IN_SLIDES = {"board": FARTHEST_3X3, "metric": "slides"}


def test_bounds_count_slides_and_the_solution_has_both(client: FlaskClient, work: DoWork) -> None:
    address = client.post(JOBS, json=IN_SLIDES).headers["Location"]
    work()
    job = client.get(address).json
    assert (job["metric"], job["state"]) == ("slides", "optimal")
    assert (job["lower_bound"], job["upper_bound"], job["gap"]) == (20, 20, 0)
    solution = client.get(f"{address}/solution").json
    moves = solution["moves"]
    start = tuple(map(int, FARTHEST_3X3.split()))
    assert naive.apply_moves(start, 3, moves) == naive.solved_tiles(3, 3)
    assert len(list(groupby(moves))) == solution["slides"] == solution["lower_bound"] == 20
    assert (solution["metric"], solution["optimal"], solution["length"]) == (
        "slides",
        True,
        len(moves),
    )
    # It does not claim that these are the fewest moves.
    assert "minimum" not in client.get(f"{address}/solution?format=text").text.lower()
    certificate = read_certificate(client.get(f"{address}/certificate").data)
    assert (certificate.metric, certificate.slides, certificate.optimal) == ("slides", 20, True)
    assert examine(certificate, VerifyOptions(None, 0)).fault is None
    # A stored answer is one of its metric.
    in_moves = client.post(JOBS, json={"board": FARTHEST_3X3})
    assert (in_moves.status_code, in_moves.json["metric"]) == (202, "moves")
    repeated = client.post(JOBS, json=IN_SLIDES)
    assert (repeated.status_code, repeated.json["cached"], repeated.json["slides"]) == (
        200,
        True,
        20,
    )
    assert client.get(f"/api/v1/solutions?board={FARTHEST_3X3}").status_code == 404
