from __future__ import annotations

import re
from collections.abc import Callable

from flask.testing import FlaskClient

FORM = {"board": "8 1 3 4 0 2 7 6 5", "target": "optimal", "time_limit_s": "600"}


def test_the_page_has_the_figures_of_the_search(
    client: FlaskClient, lab_work: Callable[[], None]
) -> None:
    form = FORM | {"algorithm": "a-star", "heuristic": "hamming"}
    place = client.post("/jobs", data=form).headers["Location"]
    waiting = client.get(place).text
    assert re.search(r'data-figure="expanded">–<', waiting)
    lab_work()
    page = client.get(place).text
    found = dict(re.findall(r'data-figure="(\w+)">([^<]+)<', page))
    run = client.get("/api/v1" + place).json["run"]
    assert found["expanded"] == str(run["expanded"])
    assert found["max_frontier"] == str(run["max_frontier"])
    assert "A* · Hamming" in page
    assert "promises a shortest solution" in page
    assert 'data-part="again" hidden' in page
    steps = re.search(r'href="(/lab\?[^"]+)"', page)
    assert client.get(steps[1].replace("&amp;", "&")).status_code == 200


def test_a_page_of_another_job_has_none(client: FlaskClient) -> None:
    place = client.post("/jobs", data=FORM).headers["Location"]
    assert "data-figure" not in client.get(place).text
