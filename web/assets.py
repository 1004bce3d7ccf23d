"""The files in ``web/static``, which browsers cache forever."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

import brotli
from flask import Flask, Response, abort, request
from werkzeug.security import safe_join

FOLDER: Final = Path(__file__).parent / "static"

_ONE_YEAR_S: Final = 31_536_000
_SITE_SHEET: Final = "css/site.css"
SITE_SHEETS: Final = ("tokens", "base", "parts", "board", "board_form", "home", "pages")
"""The files that make up ``css/site.css``, in order."""

_COMPRESSED_SUFFIXES: Final = (".css", ".js", ".svg")
# The system's table of media types is not used because it may be missing or different.
_MEDIA_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


def install_static_files(app: Flask) -> None:
    def send(filename: str) -> Response:
        content = _read_content(filename)
        if content is None:
            abort(404)
        response = Response(content, mimetype=_MEDIA_TYPES[Path(filename).suffix])
        _compress(response, filename)
        if app.debug:
            response.cache_control.no_store = True
        else:
            response.cache_control.public = True
            response.cache_control.immutable = True
            response.cache_control.max_age = _ONE_YEAR_S
        return response

    app.add_url_rule(f"/static/{static_version()}/<path:filename>", "static", send)


@cache
def static_version() -> str:
    paths = (path for path in FOLDER.rglob("*") if path.suffix in _MEDIA_TYPES)
    digest = blake2b(digest_size=6)
    for name in sorted([_SITE_SHEET, *(path.relative_to(FOLDER).as_posix() for path in paths)]):
        digest.update(f"{name}\0".encode() + (_read_content(name) or b"") + b"\0")
    return digest.hexdigest()


def _compress(response: Response, name: str) -> None:
    """Compress a text file with Brotli, at the highest level because the result is cached."""
    if Path(name).suffix not in _COMPRESSED_SUFFIXES:
        return
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["br"] > 0:
        response.set_data(_compress_with_brotli(response.get_data()))
        response.content_encoding = "br"


@lru_cache(maxsize=256)
def _compress_with_brotli(content: bytes) -> bytes:
    return bytes(brotli.compress(content, brotli.MODE_TEXT))


def _read_content(name: str) -> bytes | None:
    if name == _SITE_SHEET:
        return b"".join((FOLDER / "css" / f"{sheet}.css").read_bytes() for sheet in SITE_SHEETS)
    path = safe_join(str(FOLDER), name)
    # `Path.is_file` raises an error for names that are too long, except in the newest Python.
    if path is None or Path(path).suffix not in _MEDIA_TYPES or not os.path.isfile(path):
        return None
    if Path(path).suffix == ".js":
        return bundle(FOLDER, name).encode()
    return Path(path).read_bytes()


_IMPORT: Final = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE
)


def bundle(folder: Path, script: str) -> str:
    """Return a script and its imports as one script with the same exports.

    Parameters
    ----------
    folder
        Contains all scripts.
    script
        Path of the script within the folder.
    """
    numbers: dict[str, int] = {}
    modules: list[str] = []

    def add(name: str, ancestors: tuple[str, ...]) -> int:
        if name in ancestors:
            raise ValueError(f"{name} imports itself through {' and '.join(ancestors)}")
        if name not in numbers:
            code = _link(folder, name, lambda imported: add(imported, (*ancestors, name)))
            exports = ", ".join(_EXPORT.findall(code))
            numbers[name] = len(modules)
            body = f"{_EXPORT.sub('', code)}return {{ {exports} }};"
            modules.append(f"const $module{numbers[name]} = (() => {{\n{body}\n}})();\n")
        return numbers[name]

    code = _link(folder, script, lambda imported: add(imported, (script,)))
    return "".join(modules) + code


def _link(folder: Path, script: str, find_number: Callable[[str], int]) -> str:
    """Replace a script's imports with the exports of the numbered modules."""

    def link(match: re.Match[str]) -> str:
        names, relative = match.groups()
        imported = normpath(join(dirname(script), relative))
        return f"const {{{names.replace(' as ', ': ')}}} = $module{find_number(imported)};"

    return _IMPORT.sub(link, (folder / script).read_text(encoding="utf-8"))


_IMPORTED: Final = re.compile(r'(?:^import .* from |await import\()"(\.[^"]+)"', re.MULTILINE)
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_TEXT: Final = re.compile(rf"\bn?gettext\(({_STRING})(?:, ({_STRING}))?")


@cache
def list_texts(script: str) -> frozenset[tuple[str, str]]:
    """Return the texts that a script and its imports show, each with its plural or nothing."""
    code = (FOLDER / script).read_text(encoding="utf-8")
    texts = {(json.loads(text), json.loads(plural or '""')) for text, plural in _TEXT.findall(code)}
    imported = (normpath(join(dirname(script), path)) for path in _IMPORTED.findall(code))
    return frozenset(texts).union(*map(list_texts, imported))
