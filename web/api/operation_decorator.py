"""Registering a view as an operation of the API, with all answers that it can give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from pydantic import BaseModel

from tilework.web.api.documents import problem_responses
from tilework.web.api.request_parsing import Id, parsed_request

Responses = Mapping[int, Any]


def operation(
    route: Callable[..., Any],
    path: str,
    name: str,
    success: type[BaseModel] | Responses,
    *problems: int,
    **options: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a view an operation of the API, with its successes and its own problems.

    Other problems follow from its parameters and from its method, which is the name of ``route``:
    any write can be refused, for example.
    """
    statuses = set(problems)
    if route.__name__ != "get":
        statuses |= {401, 403, 429}

    def register(view: Callable[..., Any]) -> Callable[..., Any]:
        parameters = get_type_hints(view, include_extras=True)
        if "body" in parameters:
            statuses.update((400, 413, 415))
        if Id in parameters.values():
            statuses.add(404)
        responses = problem_responses(*statuses)
        successes = success if isinstance(success, Mapping) else {200: success}
        responses.update(successes.items())  # whose keys are integers only
        parsed = parsed_request(view)
        route(path, operation_id=name, responses=responses, **options)(parsed)
        return parsed

    return register


def submission_responses(document: type[BaseModel]) -> Responses:
    """Return the successes of submitting work, which may have been done before."""
    return {200: document, 202: document}


def poll_responses(document: type[BaseModel]) -> Responses:
    """Return the successes of reading what can change."""
    return {200: document, 304: {"description": "Not modified: the version is still the same"}}
