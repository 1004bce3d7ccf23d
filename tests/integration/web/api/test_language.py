"""The API speaks the language that ``Accept-Language`` asks for, and says so in its headers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tilework.core.services.jobs.views import JobView
from tilework.web import long_poll
from tilework.web.api import jobs

API = "/api/v1"
JOBS = f"{API}/jobs"
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"
PORTUGUESE = {"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.5"}
UNSOLVABLE = "1 2 3 4 5 6 8 7 0"

Work = Callable[[], None]


def varies(answer: TestResponse) -> bool:
    return "accept-language" in {name.lower() for name in answer.vary}


def is_in(language: str, answer: TestResponse) -> bool:
    assert varies(answer)
    return answer.headers["Content-Language"] == language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("pt", "pt"),
        ("pt-BR", "pt"),
        ("PT-br", "pt"),
        ("pt-PT", "pt"),
        ("en-GB,pt;q=0.9", "en"),
        ("pt-BR,en;q=0.9", "pt"),
        ("en;q=0.2,pt-BR;q=0.3", "pt"),
        ("de,pt;q=0.1", "pt"),
        ("de", "en"),
        ("*", "en"),
        ("pt;q=0,*;q=0.5", "en"),
        ("en;q=0,*;q=0.5", "pt"),
        ("pt;q=0", "en"),
        ("pt;q=bad", "en"),
    ],
)
def test_weights_decide(client: FlaskClient, header: str | None, language: str) -> None:
    answer = client.get(NO_JOB, headers={} if header is None else {"Accept-Language": header})
    assert answer.status_code == 404
    assert is_in(language, answer)
    assert answer.json["title"] == {"en": "Nothing is here", "pt": "Não há nada aqui"}[language]


def test_a_problem_says_title_and_detail_and_keeps_its_names(client: FlaskClient) -> None:
    english = client.post(JOBS, json={"board": UNSOLVABLE})
    portuguese = client.post(JOBS, json={"board": UNSOLVABLE}, headers=PORTUGUESE)
    assert is_in("pt", portuguese)
    assert english.json.keys() == portuguese.json.keys()
    told = {name for name in english.json if english.json[name] != portuguese.json[name]}
    assert told == {"title", "detail", "explanation"}
    assert "não pode chegar ao seu objetivo" in portuguese.json["detail"]
    assert "ímpar" in portuguese.json["explanation"]


def test_the_cookie_is_for_pages(client: FlaskClient) -> None:
    client.post("/language", data={"language": "pt", "next": "/"})
    answer = client.get(NO_JOB)
    assert is_in("en", answer)
    assert "cookie" not in {name.lower() for name in answer.vary}


def test_a_fault_of_a_board(client: FlaskClient) -> None:
    answer = client.post(f"{API}/boards/check", json={"board": "1 2 x y"}, headers=PORTUGUESE)
    assert is_in("pt", answer)
    assert "não é uma peça" in answer.json["fault"]["detail"]


def test_titles_of_the_lab_and_their_tag(client: FlaskClient) -> None:
    english, portuguese = client.get(f"{API}/lab"), client.get(f"{API}/lab", headers=PORTUGUESE)
    assert is_in("en", english)
    assert is_in("pt", portuguese)
    titles = [one["title"] for one in portuguese.json["algorithms"]]
    assert "A* ponderado" in titles
    assert english.headers["ETag"] != portuguese.headers["ETag"]
    again = client.get(
        f"{API}/lab", headers=PORTUGUESE | {"If-None-Match": english.headers["ETag"]}
    )
    assert again.status_code == 200
    unchanged = client.get(
        f"{API}/lab", headers=PORTUGUESE | {"If-None-Match": portuguese.headers["ETag"]}
    )
    assert unchanged.status_code == 304
    assert varies(unchanged)


@pytest.fixture
def expired(client: FlaskClient, work: Work) -> str:
    """Address of a job that was cancelled."""
    job = client.post(JOBS, json={"board": "1 8 2 0 4 3 7 6 5"}).headers["Location"]
    work()
    return job


def test_the_tag_of_a_job_is_one_of_its_language(client: FlaskClient, expired: str) -> None:
    english, portuguese = client.get(expired), client.get(expired, headers=PORTUGUESE)
    assert is_in("en", english)
    assert is_in("pt", portuguese)
    assert english.json["version"] == portuguese.json["version"]
    assert english.headers["ETag"] == f'"{english.json["version"]}"'
    tag, other = portuguese.headers["ETag"], english.headers["ETag"]
    assert tag != other
    for asked, status in ((tag, 304), (other, 200)):
        answer = client.get(expired, headers=PORTUGUESE | {"If-None-Match": asked})
        assert answer.status_code == status
        assert answer.headers["ETag"] == tag
        assert varies(answer)
    assert client.get(expired, headers={"If-None-Match": tag}).status_code == 200
    assert client.get(expired, headers={"If-None-Match": other}).status_code == 304


@pytest.mark.parametrize(("suffix", "status"), [("", 200), ("-pt", 304)])
def test_a_tag_of_either_language_is_waited_on(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, suffix: str, status: int
) -> None:
    job = client.post(JOBS, json={"board": "1 8 2 0 4 3 7 6 5"}).headers["Location"]
    version = client.get(job).json["version"]
    waited = []

    def follow(job_id: str, seen: str | None, seconds: float, *, brief: bool) -> JobView:
        waited.append(seen)
        return long_poll.follow(job_id, seen, 0, brief=brief)

    monkeypatch.setattr(jobs, "follow", follow)
    tag = {"If-None-Match": f'"{version}{suffix}"'}
    assert client.get(f"{job}?wait=5", headers=PORTUGUESE | tag).status_code == status
    assert waited == [version]


def test_pages_depend_on_the_cookie_too(client: FlaskClient) -> None:
    for path in ("/", "/statistics", "/nowhere"):
        answer = client.get(path, headers=PORTUGUESE)
        assert is_in("pt", answer)
        assert "cookie" in {name.lower() for name in answer.vary}
    client.post("/language", data={"language": "en", "next": "/"})
    assert is_in("en", client.get("/", headers=PORTUGUESE))
