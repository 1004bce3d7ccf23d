"""``Accept-Language``, or for pages the cookie, sets the language; headers report it."""

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.integration.web.conftest import PORTUGUESE, UNSOLVABLE_3X3, DoWork

API = "/api/v1"
JOBS = f"{API}/jobs"
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"
LANGUAGES = [
    (None, "en"),
    ("PT-br", "pt"),
    ("en-GB,pt;q=0.9", "en"),
    ("en;q=0.2,pt-BR;q=0.3", "pt"),
    ("de,pt;q=0.1", "pt"),
    ("pt;q=0,*;q=0.5", "en"),
    ("en;q=0,*;q=0.5", "pt"),
    ("pt;q=bad", "en"),
]


def read_vary(response: TestResponse) -> set[str]:
    return {name.lower() for name in response.vary}


def has_language(language: str, response: TestResponse) -> bool:
    assert "accept-language" in read_vary(response)
    return response.headers["Content-Language"] == language


def test_weights_decide_and_the_cookie_affects_only_pages(client: FlaskClient) -> None:
    for header, language in LANGUAGES:
        response = client.get(NO_JOB, headers={} if header is None else {"Accept-Language": header})
        assert response.status_code == 404
        assert has_language(language, response), header
        titles = {"en": "Not found", "pt": "Não encontrado"}
        assert response.json["title"] == titles[language]
    client.post("/language", data={"language": "pt", "next": "/"})
    response = client.get(NO_JOB)
    assert has_language("en", response)
    assert "cookie" not in read_vary(response)


def test_problem_is_translated_except_its_codes(client: FlaskClient) -> None:
    english = client.post(JOBS, json={"board": UNSOLVABLE_3X3})
    portuguese = client.post(JOBS, json={"board": UNSOLVABLE_3X3}, headers=PORTUGUESE)
    assert has_language("pt", portuguese)
    assert english.json.keys() == portuguese.json.keys()
    names = {name for name in english.json if english.json[name] != portuguese.json[name]}
    assert names == {"title", "detail", "explanation"}
    assert "não pode chegar ao seu objetivo" in portuguese.json["detail"]


def test_etag_depends_on_the_language(client: FlaskClient, work: DoWork) -> None:
    job = client.post(JOBS, json={"board": "1 8 2 0 4 3 7 6 5"}).headers["Location"]
    work()
    for path in (job, f"{API}/lab"):
        english, portuguese = client.get(path), client.get(path, headers=PORTUGUESE)
        assert has_language("en", english)
        assert has_language("pt", portuguese)
        tag, english_tag = portuguese.headers["ETag"], english.headers["ETag"]
        assert tag != english_tag
        for condition, status in ((tag, 304), (english_tag, 200)):
            response = client.get(path, headers=PORTUGUESE | {"If-None-Match": condition})
            assert response.status_code == status
            assert response.headers["ETag"] == tag
            assert "accept-language" in read_vary(response)
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 200
        assert client.get(path, headers={"If-None-Match": english_tag}).status_code == 304
    titles = [algorithm["title"] for algorithm in portuguese.json["algorithms"]]
    assert "A* ponderado" in titles


def test_pages_also_depend_on_the_cookie(client: FlaskClient) -> None:
    for path in ("/", "/play", "/lab", "/statistics", "/openapi", "/nowhere"):
        response = client.get(path, headers=PORTUGUESE)
        assert has_language("pt", response)
        assert '<html lang="pt">' in response.text
        assert "cookie" in read_vary(response)
    assert {"accept-language", "cookie"} <= read_vary(client.post("/jobs", data={"board": "1"}))
    response = client.post("/language", data={"language": "en", "next": "/statistics"})
    assert (response.status_code, response.location) == (303, "/statistics")
    assert has_language("en", client.get("/", headers=PORTUGUESE))
    client.post("/language", data={"language": "xx", "next": "/"})
    assert '<html lang="en">' in client.get("/").text
