"""Executes docs/api.md: each request block, held against the answer block that follows it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

import tilework.web.problems
from tilework.core.assembly import Services
from tilework.web.problems import Problem

DOCUMENT = Path(__file__).parents[3] / "docs" / "api.md"
WORK = "<!-- a worker works -->"
ANYTHING = "…"


def test_every_example_does_what_it_says(
    app: Flask,
    services: Services,
    work: Callable[[], None],
    lab_work: Callable[[], None],
    analysis_work: Callable[[], None],
) -> None:
    client = app.test_client()
    known = {"key": services.clients.create_key("docs")[1], "id": "none", "run": "none"}
    answer: TestResponse | None = None
    examples = 0
    for step in re.findall(rf"^{WORK}$|^```http\n(.*?)^```$", _text(), re.DOTALL | re.MULTILINE):
        if not step:
            work()
            lab_work()
            analysis_work()
        elif re.match(r"\d{3} ", step):
            assert answer is not None
            _compare(answer, _filled(step, known))
            examples += 1
            if answer.is_json and isinstance(answer.json, dict):
                known["id"] = answer.json.get("id", known["id"])
                known["run"] = answer.json.get("runs", [{"id": known["run"]}])[0]["id"]
            answer = None
        else:
            assert answer is None, f"no answer is given to what comes before {step!r}"
            answer = _send(client, _filled(step, known))
    assert examples > 15


def test_every_problem_is_explained() -> None:
    kinds = {kind.name for kind in _problems()}
    explained = set(re.findall(r"`([a-z-]+)`", _text().split("| `type`")[1]))
    assert len(kinds) > 15
    assert kinds <= explained


def _text() -> str:
    return DOCUMENT.read_text(encoding="utf-8")


def _problems() -> list[Problem]:
    values: list[Any] = []
    for value in vars(tilework.web.problems).values():
        values += value.values() if isinstance(value, dict) else [value]
    return [value for value in values if isinstance(value, Problem)]


def _filled(step: str, known: dict[str, str]) -> str:
    for name, value in known.items():
        step = step.replace(f"{{{name}}}", value)
    return step


def _parts(step: str) -> tuple[str, dict[str, str], str]:
    head, _, body = step.partition("\n\n")
    first, *headers = head.strip().split("\n")
    return first, dict(line.split(": ", 1) for line in headers), body


def _send(client: Any, step: str) -> TestResponse:
    first, headers, body = _parts(step)
    method, _, address = first.partition(" ")
    path, _, query = address.partition("?")
    return client.open(path, query_string=query, method=method, headers=headers, data=body)


def _compare(answer: TestResponse, step: str) -> None:
    first, headers, body = _parts(step)
    assert answer.status_code == int(first.split()[0]), answer.text
    for name, value in headers.items():
        assert value in {ANYTHING, answer.headers[name]}, name
    if body.strip().startswith("{"):
        _fits(json.loads(body), answer.json)
    else:
        pattern = re.escape(body.strip()).replace(ANYTHING, "[^,]*")
        assert re.fullmatch(pattern, answer.text.strip().replace("\r\n", "\n"))


def _fits(expected: Any, found: Any) -> None:
    """Objects may have more than is said, lists may not."""
    if expected == ANYTHING:
        assert found
    elif isinstance(expected, dict):
        for name, value in expected.items():
            _fits(value, found[name])
    elif isinstance(expected, list) and expected != [ANYTHING]:
        assert len(expected) == len(found)
        for one, other in zip(expected, found, strict=True):
            _fits(one, other)
    elif not isinstance(expected, list):
        assert expected == found
