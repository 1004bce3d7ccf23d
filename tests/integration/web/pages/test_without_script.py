"""What a browser that runs no script is served: a job's moves, and a board out of a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from io import BytesIO

import numpy as np
import pytest
from flask.testing import FlaskClient


def sent(client: FlaskClient, content: bytes, name: str):
    data = {"file": (BytesIO(content), name)}
    return client.post("/board/upload", data=data, content_type="multipart/form-data")


def field(page: str) -> str:
    found = re.search(r'<textarea id="board"[^>]*>([^<]*)</textarea>', page)
    assert found is not None
    return unescape(found[1]).strip()


def test_a_file_of_text_comes_back_in_the_field(client: FlaskClient) -> None:
    answer = sent(client, b"\xef\xbb\xbf1 2 3\r\n4 5 6\r\n0 7 8", "board.txt")
    assert answer.status_code == 200
    assert field(answer.text).split() == ["1", "2", "3", "4", "5", "6", "0", "7", "8"]


def test_so_does_one_of_numpy(client: FlaskClient) -> None:
    file = BytesIO()
    np.save(file, np.array([[1, 2, 3], [4, 5, 6], [0, 7, 8]]))
    assert field(sent(client, file.getvalue(), "board.npy").text).split()[-3:] == ["0", "7", "8"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "'f.png' has nothing in it"),
        (b"\x89PNG\r\n\x1a\n", "'f.png' is neither text nor a NumPy file"),
    ],
)
def test_what_is_no_board_is_told_in_a_sentence(
    client: FlaskClient, content: bytes, words: str
) -> None:
    answer = sent(client, content, "f.png")
    assert answer.status_code == 422
    assert words in unescape(answer.text)


def test_the_page_offers_the_upload_only_without_a_script(client: FlaskClient) -> None:
    inside = re.findall(r"<noscript>(.*?)</noscript>", client.get("/").text, re.DOTALL)
    assert any('action="/board/upload"' in one for one in inside)


def test_a_jobs_moves_are_on_its_page(client: FlaskClient, work: Callable[[], None]) -> None:
    made = client.post("/jobs", data={"board": "1 2 3 4 5 0 6 7 8"})
    job = made.location
    assert not written(client.get(job).text)
    work()
    moves = client.get(f"/api/v1{job}/solution?format=udlr").text.strip()
    assert len(moves) == 13
    assert written(client.get(job).text) == [moves]


def written(page: str) -> list[str]:
    """Moves outside of any script."""
    return [
        moves
        for inside in re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
        for moves in re.findall(r">([UDLR]+)<", inside)
    ]
