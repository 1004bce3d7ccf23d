from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from tilework.web.assets.module_graph import imports_of
from tilework.web.assets.static_files import FOLDER, static_version

PAGES = ("/", "/play", "/analyse", "/compare", "/lab")
PREFIX = f"/static/{static_version()}/"
IMPORT = re.compile(r'(?:from|import)\s*"(\.[^"]+)"')


def reached(script: str) -> set[str]:
    """What a browser comes to fetch: it takes one script after the other, as it learns of them."""
    found: set[str] = set()
    ahead = [script]
    while ahead:
        one = ahead.pop()
        code = re.sub(r"^\s*(//|/?\*).*", "", (FOLDER / one).read_text(), flags=re.MULTILINE)
        for relative in IMPORT.findall(code):
            name = urljoin(one, relative)
            if name not in found:
                found.add(name)
                ahead.append(name)
    return found


def test_all_that_a_script_imports_is_known() -> None:
    for path in FOLDER.rglob("*.js"):
        script = path.relative_to(FOLDER).as_posix()
        told = imports_of(script)
        assert len(told) == len(set(told))
        assert set(told) == reached(script), script


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_at_once_for_all_that_its_scripts_import(
    client: FlaskClient, page: str
) -> None:
    text = client.get(page).text
    scripts = re.findall(rf'<script type="module" src="{PREFIX}([^"]+)"', text)
    asked = re.findall(rf'<link rel="modulepreload" href="{PREFIX}([^"]+)"', text)
    assert scripts
    assert set(asked) == set().union(*map(reached, scripts))
    assert len(asked) == len(set(asked))
