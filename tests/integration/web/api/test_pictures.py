"""``/pictures``: a picture in, a board out, and nothing kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import MakeApp
from tests.support.drawn_pictures import TILES, drawn

PICTURES = "/api/v1/pictures"


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_picture_becomes_a_board_and_no_job(
    client: FlaskClient, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    picture = drawn(kind="JPEG")
    answer = client.post(PICTURES, data=picture, content_type="image/jpeg")
    assert answer.status_code == 200
    said = answer.json
    assert (said["width"], said["height"], said["tiles"]) == (4, 4, TILES)
    checked = client.post("/api/v1/boards/check", json={"board": said["text"]}).json
    assert checked["tiles"] == TILES
    assert [cell["tile"] for cell in said["cells"]] == TILES
    marked = [place for place, cell in enumerate(said["cells"]) if cell["doubtful"]]
    assert said["doubtful"] == marked
    corners = [corner for cell in said["cells"] for corner in cell["corners"]]
    assert all(0 <= x <= said["picture"]["width"] for x, _ in corners)
    assert all(0 <= y <= said["picture"]["height"] for _, y in corners)
    assert client.get("/api/v1/statistics").json["total_jobs"] == 0
    # Some of the picture's bytes that nothing else has.
    part = picture[len(picture) // 2 :][:32]
    assert not any(part in content for content in files(tmp_path).values())
    assert caplog.text == ""


def test_a_picture_without_a_board_is_a_problem(client: FlaskClient) -> None:
    answer = client.post(PICTURES, data=b"\x89PNG", content_type="image/png")
    assert answer.status_code == 422
    assert answer.json["type"] == "urn:tilework:problem:picture"
    assert answer.json["code"] == "picture-format"
    assert "give a PNG, a JPEG or a WebP" in answer.json["detail"]
    portuguese = client.post(f"{PICTURES}?lang=pt", data=b"\x89PNG", content_type="image/png").json[
        "detail"
    ]
    assert "um PNG, um JPEG ou um WebP" in portuguese


def test_other_types_and_large_bodies_are_refused(make_app: MakeApp) -> None:
    client = make_app(max_body_bytes=1_000).test_client()
    answer = client.post(PICTURES, data=b"GIF89a", content_type="image/gif")
    assert (answer.status_code, answer.json["code"]) == (415, "body-type")
    assert "image/webp" in answer.json["detail"]
    answer = client.post(PICTURES, data=bytes(1_001), content_type="image/png")
    assert (answer.status_code, answer.json["code"]) == (413, "body-bytes")


def test_who_sends_a_picture_for_a_board_is_led_here(client: FlaskClient) -> None:
    for address in ("/api/v1/jobs", "/api/v1/batches", "/api/v1/boards/check"):
        answer = client.post(address, data=b"\x89PNG", content_type="image/png")
        assert (answer.status_code, answer.json["code"]) == (415, "body-picture")
        assert PICTURES in answer.json["detail"]
