"""What all pages have in common."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

FARTHEST_3X3 = "8 6 7 2 5 4 3 0 1"
ABSENT_JOB = "/jobs/01890000-0000-7000-8000-000000000000"


Work = Callable[[], None]


class Inspector(HTMLParser):
    """Gathers what the content policy forbids and what a screen reader misses."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.landmarks: set[str] = set()
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.fields: list[dict[str, str | None]] = []
        self.inside_label = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.landmarks.add(tag)
        if tag == "script" and not found.get("src"):
            self.faults.append("inline script")
        if tag == "style" or "style" in found:
            self.faults.append(f"inline style on {tag}")
        self.faults += [f"{name} on {tag}" for name in found if name.startswith("on")]
        if "id" in found:
            self.ids.append(str(found["id"]))
        if tag == "label":
            self.inside_label += 1
            self.labelled.add(str(found.get("for")))
        is_field = tag in ("input", "select", "textarea") and found.get("type") != "hidden"
        if is_field and not self.inside_label:
            self.fields.append(found)

    def handle_endtag(self, tag: str) -> None:
        self.inside_label -= tag == "label"


@pytest.fixture
def addresses(client: FlaskClient) -> list[str]:
    job = client.post("/jobs", data={"board": EASY_3X3}).location
    steps = client.post("/lab", data={"board": EASY_3X3}).location
    table = steps.replace("/lab/", "/comparisons/")
    own = [
        "/",
        "/play",
        "/compare",
        table,
        "/lab",
        steps,
        "/history",
        job,
        f"{job}/sheet",
        "/statistics",
    ]
    return [*own, "/nowhere", ABSENT_JOB]


def test_nothing_is_inline_and_everything_has_a_name(
    client: FlaskClient, addresses: list[str]
) -> None:
    for address in addresses:
        inspector = Inspector()
        inspector.feed(client.get(address).text)
        assert inspector.faults == []
        assert {"header", "nav", "main", "footer", "h1"} <= inspector.landmarks
        assert len(inspector.ids) == len(set(inspector.ids))
        for field in inspector.fields:
            assert field.get("id") in inspector.labelled or field.get("aria-label"), field


def test_what_is_not_there_is_a_page_for_people(client: FlaskClient) -> None:
    for address in ("/nowhere", ABSENT_JOB, "/jobs/words"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert "There is nothing here." in answer.text


def test_what_breaks_is_a_page_too(make_app, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app()

    def broken() -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(app.extensions["tilework"].read, "statistics", broken)
    answer = app.test_client().get("/statistics")
    assert answer.status_code == 500
    assert "Something broke on our side." in answer.text


def test_only_the_owner_is_offered_to_cancel(app) -> None:
    owner = app.test_client()
    job = owner.post("/jobs", data={"board": EASY_3X3}).location
    assert 'data-part="cancel"' in owner.get(job).text
    assert 'data-part="cancel"' not in app.test_client().get(job).text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "the proof that none is shorter"),
        ({"target": "any"}, "the proof that none has fewer than "),
    ],
)
def test_a_job_that_has_ended_offers_its_certificate(
    client: FlaskClient, work: Work, options: dict[str, str], words: str
) -> None:
    job = client.post("/jobs", data={"board": FARTHEST_3X3, **options}).location
    hidden = re.compile(r'data-part="certificate"[^>]* hidden>')
    assert hidden.search(client.get(job).text)
    work()
    page = client.get(job).text
    assert not hidden.search(page)
    assert words in page
    assert f'href="/api/v1{job}/certificate"' in page
