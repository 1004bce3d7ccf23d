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
