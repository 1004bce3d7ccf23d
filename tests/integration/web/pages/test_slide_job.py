from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

FORM = {"board": "8 6 7 2 5 4 3 0 1", "target": "optimal", "time_limit_s": "600"}
IN_SLIDES = FORM | {"metric": "slides"}
WORDS = re.compile(r'data-words="([^"]+)"')


@pytest.mark.parametrize(
    ("language", "waiting", "asked", "proved"),
    [
        (
            "en",
            "No solution yet; it takes at least 11 slides",
            "The fewest slides are asked for",
            "20 slides, none fewer",
        ),
        (
            "pt",
            "Ainda sem solução; são precisos ao menos 11 deslizamentos",
            "Pede-se o mínimo de deslizamentos",
            "20 deslizamentos, não há com menos",
        ),
    ],
)
def test_the_page_counts_slides(
    client: FlaskClient,
    work: Callable[[], None],
    language: str,
    waiting: str,
    asked: str,
    proved: str,
) -> None:
    headers = {"Accept-Language": language}
    place = client.post("/jobs", data=IN_SLIDES).headers["Location"]
    page = client.get(place, headers=headers).text
    assert waiting in page
    assert asked in page
    work()
    page = client.get(place, headers=headers).text
    assert proved in page
    assert 'data-metric="slides"' in page
    words = json.loads(html.unescape(WORDS.search(page)[1]))
    assert words["verdict"]["shortest"].format(moves=proved.partition(",")[0]) == proved
    assert proved in client.get("/history", headers=headers).text


def test_a_page_in_moves_is_as_before(client: FlaskClient) -> None:
    page = client.get(client.post("/jobs", data=FORM).headers["Location"]).text
    assert "it takes at least 21 moves" in page
    assert "The optimum is asked for" in page


def test_the_form_keeps_what_was_chosen(client: FlaskClient) -> None:
    shown = client.get("/").text
    assert re.search(r'value="moves" checked', shown)
    refused = client.post("/jobs", data=IN_SLIDES | {"board": "1 1 0"})
    assert re.search(r'value="slides" checked', refused.text)
    strange = client.post("/jobs", data=FORM | {"metric": "hops"})
    assert (strange.status_code, "&#39;hops&#39; is not available" in strange.text) == (422, True)


def test_a_search_that_goes_on_counts_the_same(client: FlaskClient) -> None:
    place = client.post("/jobs", data=IN_SLIDES).headers["Location"]
    client.delete("/api/v1" + place)
    again = client.post(f"{place}/again").headers["Location"]
    assert client.get("/api/v1" + again).json["metric"] == "slides"
