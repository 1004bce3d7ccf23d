import errno
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path

import pytest

from tests.support.cli.runner import Run
from tests.support.http_server import respond, serve
from tilework.core.remote import Server, load_cookies, save_cookies

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


@pytest.mark.parametrize("problem", ["no folder", "full disk"])
def test_identity_that_cannot_be_stored_is_reported(
    tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    def identify(request: BaseHTTPRequestHandler) -> None:
        job: dict[str, object] = {"id": "a", "state": "optimal", "options": {"metric": "moves"}}
        job |= {"lower_bound": 1, "upper_bound": 1}
        respond(request, 201, json.dumps(job).encode(), Set_Cookie="client=a")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if problem == "no folder":
        (tmp_path / "file").touch()
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    else:
        monkeypatch.setattr("tilework.core.remote.json.dump", fail)
    with serve(identify) as url:
        result = tilework("submit 1,2,0,3 --server", url)
        assert (result.code, result.out) == (0, "a\n")
        assert re.search(
            r"identity cannot be stored in '.*cookies.json' \(.* so you .*set XDG_STATE_HOME",
            result.err,
        )
        # With a key there is nothing to store.
        assert tilework("submit 1,2,0,3 --key a --server", url).err == "optimal: 1 move\n"
        assert load_cookies(url) == {}


def test_simultaneous_first_requests_are_those_of_one_client() -> None:
    numbers = count()

    def identify(request: BaseHTTPRequestHandler) -> None:
        is_known = "Cookie" in request.headers
        headers = {} if is_known else {"Set_Cookie": f"client={next(numbers)}"}
        respond(request, 200, b"{}", **headers)

    def ask(url: str) -> None:
        with Server(url, is_remembered=True) as server:
            server.json("POST", "/jobs", {})

    with serve(identify) as url, ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, [url] * 4))
        assert load_cookies(url) == {"client": "0"}
    assert next(numbers) == 1
