"""Comparisons as pictures."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

SVG = "{http://www.w3.org/2000/svg}"
METHODS = ["breadth-first", "a-star:manhattan"]
ONE = {"board": "8 1 3 4 0 2 7 6 5", "method": METHODS}
MANY = {"kind": "sweep", "width": "3", "height": "3", "boards": "3", "moves": "8", "seed": "1"}


def texts(picture: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def lengths(picture: str) -> list[int]:
    """How long the bars are, but for the ground before them."""
    found = ElementTree.fromstring(picture).iter(f"{SVG}rect")
    return [int(one.attrib["width"]) for one in found][1:]


@pytest.mark.parametrize("form", [ONE, MANY | {"method": METHODS}])
def test_who_generates_more_has_the_longer_bar(
    client: FlaskClient, lab_work: Callable[[], None], form: dict[str, object]
) -> None:
    place = client.post("/comparisons", data=form).location
    waiting = client.get(f"{place}/nodes.svg").text
    assert lengths(waiting) == [0, 0]
    lab_work()
    answer = client.get(f"{place}/nodes.svg")
    told = dict(zip(texts(answer.text)[1::2], lengths(answer.text), strict=True))
    assert told["Breadth-first"] > told["A* · Manhattan"] > 0
    same = client.get(f"{place}/nodes.svg", headers={"If-None-Match": answer.headers["ETag"]})
    assert same.status_code == 304


def test_it_is_drawn_for_either_light_and_in_either_language(client: FlaskClient) -> None:
    place = client.post("/comparisons", data={"board": EASY_3X3, "method": METHODS}).location
    plain, dark, portuguese = (
        client.get(f"{place}/nodes.svg{query}").text for query in ("", "?light=dark", "?lang=pt")
    )
    assert plain != dark
    assert texts(plain)[0].startswith("Nodes generated")
    assert texts(portuguese)[0].startswith("Nós gerados")
    assert client.get(f"{place}/nodes.svg?light=grey").status_code == 422


def test_what_is_not_there_has_no_picture(client: FlaskClient) -> None:
    absent = "/comparisons/01890000-0000-7000-8000-000000000000/nodes.svg"
    assert client.get(absent).status_code == 404
