"""The worker that keeps the page: what it keeps, how far it reaches, when it is another."""

from __future__ import annotations

import json
import re

from flask.testing import FlaskClient

from tilework.web.assets.static_files import static_version


def listed(text: str) -> tuple[str, list[str]]:
    """Version and files that the worker begins with."""
    found = re.match(r'const VERSION = "([0-9a-f]{12})";\nconst FILES = (\[.*?\]);\n', text)
    assert found is not None
    return found[1], json.loads(found[2])


def test_the_worker_reaches_no_other_page(client: FlaskClient) -> None:
    answer = client.get("/play/offline.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Service-Worker-Allowed"] == "/play"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "script-src 'self';" in answer.headers["Content-Security-Policy"]


def test_all_that_the_page_loads_is_kept_and_no_more(client: FlaskClient) -> None:
    version, files = listed(client.get("/play/offline.js").text)
    page = client.get("/play").text
    needed = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
    seen: set[str] = set()
    waiting = [path for path in needed if path.endswith(".js")]
    while waiting:  # what modules import, and what those import
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        with client.get(path) as answer:
            module = answer.text
        for name in re.findall(r'from "(\.[^"]+)"', module):
            parts = path.rsplit("/", 1)[0].split("/")
            for step in name.split("/"):
                parts = parts[:-1] if step == ".." else parts if step == "." else [*parts, step]
            waiting.append("/".join(parts))
    assert needed | seen | {f"/static/{version}/pattern.svg"} == set(files)
    for path in files:
        with client.get(path) as answer:
            assert answer.status_code == 200


def test_its_version_is_that_of_all_static_files(client: FlaskClient) -> None:
    version, files = listed(client.get("/play/offline.js").text)
    assert version == static_version()
    assert all(path.startswith(f"/static/{version}/") for path in files)
