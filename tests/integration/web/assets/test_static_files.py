from __future__ import annotations

import re
from urllib.parse import urljoin

import brotli
import pytest
from flask.testing import FlaskClient

from tilework.web.assets.static_files import FOLDER, SITE_SHEETS, static_version

PREFIX = f"/static/{static_version()}"
PAGES = ["/", "/history", "/compare", "/lab", "/statistics", "/openapi"]


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
        f"{PREFIX}/../assets/static_files.py",
        f"{PREFIX}/css/../../app.py",
        f"{PREFIX}//etc/passwd",
        f"{PREFIX}/css",
        "/static/css/base.css",
        "/static/000000000000/css/base.css",
    ],
)
def test_nothing_else_is_there(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_what_every_page_needs_is_one_sheet(client: FlaskClient) -> None:
    sheet = client.get(f"{PREFIX}/css/site.css")
    assert sheet.mimetype == "text/css"
    for name in SITE_SHEETS:
        assert (FOLDER / "css" / f"{name}.css").read_text() in sheet.text
    for page in PAGES:
        assert "/css/site.css" in client.get(page).text


def test_texts_are_compressed_as_far_as_it_goes(client: FlaskClient) -> None:
    for name in ("css/site.css", "js/home/editor.js", "icons.svg"):
        plain = client.get(f"{PREFIX}/{name}")
        small = client.get(f"{PREFIX}/{name}", headers={"Accept-Encoding": "br, gzip"})
        assert small.headers["Content-Encoding"] == "br"
        assert brotli.decompress(small.data) == plain.data
        assert len(small.data) < 0.5 * len(plain.data)
        assert "Accept-Encoding" in small.headers["Vary"]
        refused = client.get(f"{PREFIX}/{name}", headers={"Accept-Encoding": "br;q=0"})
        assert "Content-Encoding" not in refused.headers


def test_the_face_comes_with_its_licence(client: FlaskClient) -> None:
    font = client.get(f"{PREFIX}/fonts/fraunces.woff2", headers={"Accept-Encoding": "br"})
    assert font.mimetype == "font/woff2"
    assert font.data.startswith(b"wOF2")
    assert len(font.data) < 20_000
    licence = (FOLDER / "fonts" / "OFL.txt").read_text()
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "The Fraunces Project Authors" in licence
