from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from tilework.web.static_files import FOLDER, static_version

PREFIX = f"/static/{static_version()}"
PAGES = ["/", "/jobs", "/compare", "/lab", "/statistics", "/openapi"]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_loads_is_kept_for_good_and_changes_its_address(
    client: FlaskClient, page: str
) -> None:
    loaded = {
        path.partition("#")[0]
        for path in re.findall(
            r'(?:src|href)="(/[^"]+\.(?:css|js|svg)(?:#[^"]*)?)"', client.get(page).text
        )
    }
    assert loaded
    for path in loaded:
        assert path.startswith(f"{PREFIX}/")
        answer = client.get(path)
        assert answer.status_code == 200
        kept = answer.headers["Cache-Control"].split(", ")
        assert set(kept) == {"public", "immutable", "max-age=31536000"}


def test_scripts_import_what_there_is_of_the_same_version(client: FlaskClient) -> None:
    for path in FOLDER.rglob("*.js"):
        address = f"{PREFIX}/{path.relative_to(FOLDER).as_posix()}"
        script = client.get(address)
        assert script.mimetype == "text/javascript"
        for imported in re.findall(r'(?:from|import)\s*\(?"(\.[^"]+)"', script.text):
            there = urljoin(address, imported)
            assert there.startswith(PREFIX)
            assert client.get(there).status_code == 200, (path, imported)


def test_scripts_import_what_the_others_export() -> None:
    for path in FOLDER.rglob("*.js"):
        for names, other in re.findall(
            r'^import \{([^}]+)\} from "(\.[^"]+)"', path.read_text(), re.MULTILINE
        ):
            there = (path.parent / other).read_text()
            for name in (one.split(" as ")[0].strip() for one in names.split(",")):
                exported = rf"^export (?:async )?(?:function\*?|class|const|let) {name}\b"
                assert re.search(exported, there, re.MULTILINE), (path.name, name, other)


def test_htmx_comes_out_of_its_package(client: FlaskClient) -> None:
    answer = client.get(f"{PREFIX}/js/htmx.js")
    assert answer.mimetype == "text/javascript"
    assert "htmx" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        f"{PREFIX}/css/none.css",
        f"{PREFIX}/../static_files.py",
        f"{PREFIX}/css/../../app.py",
        f"{PREFIX}//etc/passwd",
        f"{PREFIX}/css",
        "/static/css/base.css",
        "/static/000000000000/css/base.css",
    ],
)
def test_nothing_else_is_there(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404
