"""A board out of a file for browsers that run no script: the first page with it in its field."""

from __future__ import annotations

from flask import request
from werkzeug.wrappers import Response

from tilework.core.errors import BoardError, InputError
from tilework.core.formats.npy import MAGIC, read_npy_bytes
from tilework.web.clients import services
from tilework.web.pages.board_words import board_lines
from tilework.web.pages.home import home
from tilework.web.pages.refusals import refused


def show() -> Response | str:
    """Show the first page with the file's text; what it says is checked when it is solved."""
    upload = request.files.get("file")
    content = b"" if upload is None else upload.read()
    name = (upload.filename or "") if upload is not None else ""
    try:
        return home.with_board(_text_of(content, name[:80]))
    except InputError as error:
        return refused(home.refusing(error), error)


def _text_of(content: bytes, name: str) -> str:
    if not content:
        raise BoardError(
            "file-empty", "{name!r} has nothing in it; choose a file with a board", name=name
        )
    if content.startswith(MAGIC):
        return board_lines(read_npy_bytes(content, max_cells=services().settings.max_cells))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BoardError(
            "file-not-text",
            "{name!r} is neither text nor a NumPy file; choose one with a board as text",
            name=name,
        ) from None
