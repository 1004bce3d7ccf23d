from __future__ import annotations

import pytest
from flask.testing import FlaskClient


def test_the_choice_is_kept(client: FlaskClient) -> None:
    answer = client.post("/language", data={"language": "pt", "next": "/statistics"})
    assert (answer.status_code, answer.location) == (303, "/statistics")
    page = client.get("/statistics").text
    assert '<html lang="pt">' in page
    assert "Estatísticas" in page


def test_a_browser_in_portuguese_need_not_choose(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.5"}).text
    assert '<html lang="pt">' in page


@pytest.mark.parametrize(
    "place", ["https://elsewhere.test/", "//elsewhere.test", "/\\elsewhere.test", "x"]
)
def test_the_switch_leads_to_no_other_site(client: FlaskClient, place: str) -> None:
    assert client.post("/language", data={"language": "pt", "next": place}).location == "/"


def test_an_unknown_language_changes_nothing(client: FlaskClient) -> None:
    client.post("/language", data={"language": "xx", "next": "/"})
    assert '<html lang="en">' in client.get("/").text


@pytest.mark.parametrize(
    "path",
    ["/", "/play", "/analyse", "/compare", "/lab", "/jobs", "/statistics", "/openapi", "/nowhere"],
)
def test_a_page_says_what_its_language_depends_on(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert {"Accept-Language", "Cookie"} <= set(answer.vary)
    assert answer.headers["Content-Language"] == "en"


def test_a_refused_form_says_it_too(client: FlaskClient) -> None:
    assert {"Accept-Language", "Cookie"} <= set(client.post("/jobs", data={"board": "1"}).vary)
