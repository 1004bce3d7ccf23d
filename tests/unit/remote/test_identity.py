from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path

import pytest

from tests.support.http_server import respond, serve
from tilework.core.cookies import load_cookies, save_cookies
from tilework.core.remote import Server

LOCAL_URL = "http://127.0.0.1:8000"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "tilework"


def test_cookies_are_private_and_separate_for_each_server(state: Path) -> None:
    assert load_cookies(LOCAL_URL) == {}
    save_cookies(LOCAL_URL, {"client": "a"})
    save_cookies("https://tiles.example", {"client": "b"})
    assert load_cookies(LOCAL_URL) == {"client": "a"}
    assert load_cookies("https://tiles.example") == {"client": "b"}
    (file,) = state.iterdir()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"http://127.0.0.1:8000": 3}'])
def test_damaged_cookie_file_is_ignored(state: Path, damage: str) -> None:
    save_cookies(LOCAL_URL, {"client": "a"})
    (file,) = state.iterdir()
    file.write_text(damage)
    assert load_cookies(LOCAL_URL) == {}
    save_cookies(LOCAL_URL, {"client": "b"})
    assert load_cookies(LOCAL_URL) == {"client": "b"}


def test_unwritable_folder_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    save_cookies(LOCAL_URL, {"client": "a"})
    assert load_cookies(LOCAL_URL) == {}


def test_simultaneous_first_requests_are_those_of_one_client() -> None:
    numbers = count()

    def identify(request: BaseHTTPRequestHandler) -> None:
        is_known = "Cookie" in request.headers
        headers = {} if is_known else {"Set_Cookie": f"client={next(numbers)}"}
        respond(request, 200, b"{}", **headers)

    def ask(url: str) -> None:
        with Server(url, is_remembered=True) as server:
            server.submit({})

    with serve(identify) as url, ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, [url] * 4))
        assert load_cookies(url) == {"client": "0"}
    assert next(numbers) == 1
