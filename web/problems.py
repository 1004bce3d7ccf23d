"""Errors as problem details (RFC 9457), whose types are documented in ``docs/api.md``.

An internal error has an id, which appears both in the log and in the response.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final

import structlog
from flask import Flask, Response, g, request
from pydantic_core import to_json
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.errors import (
    AuthenticationError,
    BoardError,
    BoardSyntaxError,
    ConflictError,
    DatabaseUnavailableError,
    ForbiddenError,
    InputError,
    MissingExtraError,
    NotFoundError,
    OptionError,
    OverloadError,
    PictureError,
    QuotaError,
    ReplacedError,
    TileworkError,
    UnavailableError,
    UnsolvableError,
)
from tilework.core.logs import Repetition, new_error_id
from tilework.core.messages import Message
from tilework.web.i18n import MACHINE_PATHS, set_language_headers, translate, translate_text

_ExcInfo = tuple[type, BaseException, TracebackType] | tuple[None, None, None]

log = structlog.get_logger()


def install_error_log(app: Flask) -> None:
    """Log unhandled exceptions with an id, because Flask's own log has none."""

    def log_exception(exc_info: _ExcInfo) -> None:
        if exc_info[1] is not None:
            report_error(exc_info[1])

    app.log_exception = log_exception  # type: ignore[method-assign]


_outages = Repetition()
_outage_lock = threading.Lock()
_outage_id = ""


def report_error(error: BaseException) -> None:
    """Log the error of a request with its id.

    An outage of the database fails every request: they share lines, and the ids of these.
    """
    global _outage_id  # noqa: PLW0603 -- of the process, like its log
    details = {}
    if isinstance(error, DatabaseUnavailableError):
        with _outage_lock:
            times = _outages.count()
            if not times:
                g.error_id = _outage_id
                return
            _outage_id = request_error_id()
        details = {"times": times} if times > 1 else {}
    log.error(
        "request failed",
        method=request.method,
        path=request.path[:200],
        error_id=request_error_id(),
        exc_info=error,
        **details,
    )


def request_error_id() -> str:
    error_id: str = g.setdefault("error_id", new_error_id())
    return error_id


MEDIA_TYPE: Final = "application/problem+json"

PROBLEM_REFERENCE: Final = {"$ref": "#/components/schemas/ProblemDocument"}

# The Retry-After header when the service is unavailable (seconds).
_UNAVAILABLE_S: Final = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """A type of problem, named by the last part of its URI."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        """The URI of the type, which is not a URL."""
        return f"urn:tilework:problem:{self.name}"


BODY_NOT_JSON: Final = Problem("body-not-json", 400, "The body is not valid JSON")
BODY_NOT_TEXT: Final = Problem("body-not-text", 400, "The body is not UTF-8 text")
UNSUPPORTED_TYPE: Final = Problem("media-type", 415, "Unsupported media type")
INVALID_FIELDS: Final = Problem("fields", 422, "The request does not match its schema")
INVALID_LINES: Final = Problem("lines", 422, "Some boards are invalid")
NO_SOLUTION_YET: Final = Problem("no-solution-yet", 409, "There is no solution yet")
NOT_ENDED: Final = Problem("not-ended", 409, "Not ended yet")
NO_SOLUTION: Final = Problem("no-solution", 404, "There is no solution")
FOREIGN_HOST: Final = Problem("host", 421, "Unknown host name")
MALFORMED_REQUEST: Final = Problem("malformed-request", 400, "The request is malformed")
NO_TRACE: Final = Problem("no-trace", 404, "No trace")
BODY_TOO_LARGE: Final = Problem("too-large", 413, "The body is too large")
INTERNAL_ERROR: Final = Problem("internal", 500, "Server error")

_PROBLEMS_BY_ERROR: Final[dict[type[TileworkError], Problem]] = {
    BoardSyntaxError: Problem("board-syntax", 422, "The text is not a valid board"),
    BoardError: Problem("board", 422, "Invalid board"),
    PictureError: Problem("picture", 422, "No board found in the picture"),
    UnsolvableError: Problem("unsolvable", 422, "The board is unsolvable"),
    OptionError: Problem("option", 422, "Invalid option"),
    InputError: Problem("input", 422, "Invalid input"),
    AuthenticationError: Problem("authentication", 401, "The API key is not valid"),
    ForbiddenError: Problem("forbidden", 403, "Not allowed"),
    NotFoundError: Problem("not-found", 404, "Not found"),
    ConflictError: Problem("conflict", 409, "The idempotency key was used for another request"),
    ReplacedError: Problem("solution-replaced", 409, "A better solution was found"),
    QuotaError: Problem("quota", 429, "Too much unfinished work"),
    OverloadError: Problem("overload", 503, "The service is overloaded"),
    MissingExtraError: Problem("not-installed", 501, "Not installed on this server"),
    UnavailableError: Problem("unavailable", 503, "Service unavailable"),
    TileworkError: INTERNAL_ERROR,
}

_PROBLEMS_BY_STATUS: Final = {
    404: _PROBLEMS_BY_ERROR[NotFoundError],
    405: Problem("method", 405, "Method not allowed"),
    413: BODY_TOO_LARGE,
    415: UNSUPPORTED_TYPE,
    429: Problem("rate", 429, "Too many requests"),
    500: INTERNAL_ERROR,
}


class ProblemError(Exception):
    """A problem that is specific to HTTP, with additional members of its document."""

    def __init__(self, problem: Problem, message: Message, **members: Any) -> None:
        super().__init__(message)
        self.problem = problem
        self.message = message
        self.members = members


def problem_response(
    problem: Problem, message: Message, *, retry_after_s: int | None = None, **members: Any
) -> Response:
    """Return the response for a problem, with additional members of its document."""
    document = {
        "type": problem.type,
        "title": translate_text(problem.title),
        "status": problem.status,
        "detail": translate(message),
        "code": message.code,
        "instance": request.path,
        **members,
    }
    response = Response(
        to_json(document, inf_nan_mode="null"), problem.status, content_type=MEDIA_TYPE
    )
    if retry_after_s is not None:
        response.headers["Retry-After"] = str(retry_after_s)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    return set_language_headers(response)


def find_problem(error: TileworkError) -> Problem:
    return next(
        _PROBLEMS_BY_ERROR[kind] for kind in type(error).__mro__ if kind in _PROBLEMS_BY_ERROR
    )


def install_problems(
    app: Flask, page: Callable[[HTTPException], BaseResponse | HTTPException]
) -> None:
    @app.errorhandler(ProblemError)
    def handle_problem(error: ProblemError) -> Response:
        return problem_response(error.problem, error.message, **error.members)

    @app.errorhandler(TileworkError)
    def handle_error(error: TileworkError) -> BaseResponse | HTTPException:
        problem = find_problem(error)
        if problem is INTERNAL_ERROR or isinstance(error, DatabaseUnavailableError):
            report_error(error)
        members = _extra_members(error, problem)
        if request.path.startswith(MACHINE_PATHS):
            return problem_response(problem, _error_message(error, problem), **members)
        exception = HTTPException(translate(error.message))
        exception.code = problem.status
        response = page(exception)
        if isinstance(response, BaseResponse) and "retry_after_s" in members:
            response.headers["Retry-After"] = str(members["retry_after_s"])
        return response

    @app.errorhandler(HTTPException)
    def handle_http_error(error: HTTPException) -> BaseResponse | HTTPException:
        # Redirects are exceptions too, and are returned as they are.
        if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
            return error
        if request.path.startswith(MACHINE_PATHS):
            return _http_error_response(error)
        return page(error)


def _http_error_response(error: HTTPException) -> Response:
    code = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    problem = _PROBLEMS_BY_STATUS.get(code) or Problem("request", code, HTTPStatus(code).phrase)
    wait_s = error.retry_after if isinstance(error, TooManyRequests) else None
    response = problem_response(
        problem,
        _http_error_message(error, problem),
        retry_after_s=wait_s if isinstance(wait_s, int) else None,
        **({"error_id": request_error_id()} if problem is INTERNAL_ERROR else {}),
    )
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(error.valid_methods)
    return response


def _http_error_message(error: HTTPException, problem: Problem) -> Message:
    match error.code:
        case 404:
            return Message(
                "no-address", "{path!r} is not an address of this service.", path=request.path
            )
        case 405:
            return Message(
                "http-method",
                "{method} is not allowed at {path!r}.",
                method=request.method,
                path=request.path,
            )
        case 413:
            return Message(
                "body-bytes",
                "the body is too large; send at most {max} bytes here",
                max=request.max_content_length,
            )
        case 500:
            return _internal_message()
        case _:
            return Message(problem.name, "{words}", words=error.description or "")


def _error_message(error: TileworkError, problem: Problem) -> Message:
    if isinstance(error, DatabaseUnavailableError):
        # The driver's message contains the names of hosts and users, so it is not shown.
        return Message("database-away", "The database is not responding; try again in a moment.")
    return _internal_message() if problem is INTERNAL_ERROR else error.message


def _internal_message() -> Message:
    return Message(
        "internal",
        "The error was logged as {error_id}.",
        error_id=request_error_id(),
    )


def _extra_members(error: TileworkError, problem: Problem) -> dict[str, Any]:
    match error:
        case BoardSyntaxError(line=line, column=column, fixes=fixes):
            place = {} if line is None else {"line": line, "column": column}
            return place | ({"fixes": fixes} if fixes else {})
        case UnsolvableError(explanation=explanation, reachable_goals=goals) if explanation:
            return {"explanation": translate(explanation), "reachable_goals": goals}
        case DatabaseUnavailableError():
            return {"retry_after_s": _UNAVAILABLE_S, "error_id": request_error_id()}
        case QuotaError(retry_after_s=seconds) | OverloadError(retry_after_s=seconds):
            return {"retry_after_s": seconds}
        case UnavailableError():
            return {"retry_after_s": _UNAVAILABLE_S}
        case _:
            return {"error_id": request_error_id()} if problem is INTERNAL_ERROR else {}
