"""Write the texts of all pages, with example content and in both languages, to one file.

Run as ``python -m tools.devtools.page_texts page-texts.txt``. A page's texts
are followed by a list of those that its scripts use. Each text is written once, where it first
appears.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient

from tilework.core.assembly import Services, make_task_worker
from tilework.core.model.states import TASK_QUEUES
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app

LANGUAGES: Final = ("en", "pt")
_HARDEST: Final = "8 6 7 2 5 4 3 0 1"
_EASY: Final = "1 2 3 4 5 6 0 7 8"
_LARGE: Final = "21 4 11 6 24 20 13 5 17 10 14 23 16 3 12 18 8 1 9 19 2 22 7 15 0"
_UNSOLVABLE: Final = "1 2 3 4 5 6 8 7 0"
_FORMS: Final[dict[str, dict[str, Any]]] = {
    "solved job": {"to": "/jobs", "board": _HARDEST},
    "job in slides": {"to": "/jobs", "board": _EASY, "metric": "slides"},
    "batch": {"to": "/jobs", "board": f"{_EASY}\n{_HARDEST}\n1 2 3\n"},
    "comparison": {
        "to": "/comparisons",
        "board": _EASY,
        "method": ["a-star:manhattan", "greedy:hamming"],
    },
    "sweep": {
        "to": "/comparisons",
        "kind": "sweep",
        "boards": "3",
        "moves": "9",
        "method": ["a-star:manhattan"],
    },
    "steps": {"to": "/lab", "board": _EASY, "algorithm": "a-star", "heuristic": "manhattan"},
    "game": {"to": "/analyses", "board": _EASY, "moves": "DULL"},
    "all shortest solutions": {"to": "/ways", "board": _HARDEST},
}
_UNFINISHED: Final = {"waiting job": {"to": "/jobs", "board": _LARGE}}
_SAME_PAGE_FORMS: Final = {
    "unsolvable board": {"to": "/jobs", "board": _UNSOLVABLE},
    "invalid board": {"to": "/jobs", "board": "1 2 3"},
    "checked board": {"to": "/board/check", "board": _EASY, "goal": "blank-last"},
    "checked unsolvable board": {
        "to": "/board/check",
        "board": _UNSOLVABLE,
        "goal": "blank-last",
    },
    "game with invalid moves": {"to": "/analyses", "board": _EASY, "moves": "XYZ"},
}
_PAGES: Final = (
    *("/", "/play", "/learn", "/compare", "/lab", "/analyse", "/ways", "/history", "/statistics"),
    *("/openapi", "/nothing-here"),
)
_HIDDEN_TAGS: Final = frozenset({"script", "style"})
_TEXT_ATTRIBUTES: Final = ("aria-label", "title", "placeholder", "alt", "content")
_BLOCKS: Final = frozenset(
    {"p", "h1", "h2", "h3", "li", "dt", "dd", "td", "th", "option", "button", "label", "summary"}
    | {"legend", "caption", "div", "section", "optgroup", "title", "figcaption", "tr"}
)


class TextReader(HTMLParser):
    """Collect the visible text of a page, its text attributes and the texts of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = [""]
        self.strings: dict[str, Any] = {}
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _HIDDEN_TAGS
        if tag in _BLOCKS:
            self.lines.append("")
        for name, value in attrs:
            if name == "data-texts" and value:
                self.strings = json.loads(value)
            elif name in _TEXT_ATTRIBUTES and value and (name != "content" or " " in value):
                self.lines += [f"[{value}]", ""]

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN_TAGS
        if tag in _BLOCKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.lines[-1] += data


def extract_texts(html: str) -> list[str]:
    """Return the texts of a page, one per line, then those of its scripts."""
    reader = TextReader()
    reader.feed(html)
    lines = (" ".join(line.split()) for line in reader.lines)
    return [*dict.fromkeys(filter(None, lines)), *_flatten(reader.strings)]


def _flatten(strings: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in strings.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"  {prefix}{name}: {value if isinstance(value, str) else ', '.join(value)}"


def make_worker(services: Services) -> Callable[[], None]:
    """Return a function that runs all pending work of these services, as workers would."""
    storage, settings = services.storage, services.settings
    farm = SliceWorker(storage, NoTickets(), settings, LocalSolver(settings.pdb_folder))
    tasks = [make_task_worker(settings, storage, queue) for queue in TASK_QUEUES]

    def work() -> None:
        for queue in ("interactive", "batch", "search"):
            while farm.run(queue, "texts", lambda: False).has_more:
                pass
        for task_worker in tasks:
            while task_worker.run("texts", lambda: False).has_more:
                pass

    return work


def _send(client: FlaskClient, form: dict[str, Any]) -> str:
    fields = {name: value for name, value in form.items() if name != "to"}
    response = client.post(form["to"], data=fields)
    if response.location is None:
        raise ValueError(f"{form} was rejected: {extract_texts(response.text)}")
    return response.location


def dump(app: Flask) -> str:
    """Return the texts of all pages of an application over an empty database."""
    client = app.test_client()
    paths = {name: _send(client, form) for name, form in _FORMS.items()}
    make_worker(app.extensions["tilework"])()
    paths |= {name: _send(client, form) for name, form in _UNFINISHED.items()}
    job = paths["solved job"]
    paths |= {
        "print view": f"{job}/sheet",
        "worksheet": f"{paths['steps']}/worksheet",
        "embedded player": job.replace("/jobs/", "/embed/jobs/"),
        **{path: path for path in _PAGES},
    }
    parts = []
    written: set[str] = set()
    for language in LANGUAGES:
        headers = {"Accept-Language": language}
        for name, path in paths.items():
            page = client.get(path, headers=headers).text
            parts.append(_format_part(f"{name} ({language})", page, written))
        for name, form in _SAME_PAGE_FORMS.items():
            fields = {key: value for key, value in form.items() if key != "to"}
            page = client.post(form["to"], data=fields, headers=headers).text
            parts.append(_format_part(f"{name} ({language})", page, written))
    return "\n".join(parts)


def _format_part(title: str, page: str, written: set[str]) -> str:
    new = [text for text in extract_texts(page) if text not in written]
    written.update(new)
    return "\n".join([f"===== {title} =====", *new, ""])


def main(path: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        upgrade(f"sqlite:///{folder}/tilework.sqlite")
        settings = Settings(data_dir=Path(folder))
        services = Services(settings, NoTickets())
        Path(path).write_text(dump(create_app(settings, services)), encoding="utf-8")
        services.storage.dispose()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "page-texts.txt")
