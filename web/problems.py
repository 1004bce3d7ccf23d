"""Errors as RFC 9457 problem details; types never change, ``docs/api.md`` explains each.

Errors of this program have an id each, which is in the log and in the answer.
"""

from __future__ import annotations

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
from tilework.core.logs import new_error_id
from tilework.core.messages import Message
from tilework.web.i18n import MACHINE_PATHS, set_language_headers, translate, translate_text

_CAUGHT = tuple[type, BaseException, TracebackType] | tuple[None, None, None]

_ID: Final = "error_id"

log = structlog.get_logger()


def install_error_log(app: Flask) -> None:
    """Log what nobody catches; Flask's own line would have no id."""
    app.log_exception = _log_caught  # type: ignore[method-assign, assignment]


def report_error(error: BaseException) -> str:
    """Log an error that a request ran into, in one line; return the id to tell."""
    found = request_error_id()
    log.error(
        "request failed",
        method=request.method,
        path=request.path[:200],
        error_id=found,
        exc_info=error,
    )
    return found


def request_error_id() -> str:
    found: str = g.setdefault(_ID, new_error_id())
    return found


def _log_caught(caught: _CAUGHT) -> None:
    if caught[1] is not None:
        report_error(caught[1])


MEDIA_TYPE: Final = "application/problem+json"

# Retry-After when the service is unavailable (seconds).
_UNAVAILABLE_S: Final = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of problem: the last part of its type, its status and its title."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        """URI of the kind; a name, not an address."""
        return f"urn:tilework:problem:{self.name}"


BODY_NOT_JSON: Final = Problem("body-not-json", 400, "The body is not JSON")
BODY_NOT_TEXT: Final = Problem("body-not-text", 400, "The body is not UTF-8 text")
BODY_TYPE: Final = Problem("media-type", 415, "The body is of a type that is not accepted here")
FIELDS: Final = Problem("fields", 422, "The request does not fit its description")
LINES: Final = Problem("lines", 422, "Some of the boards cannot be used")
NO_SOLUTION_YET: Final = Problem("no-solution-yet", 409, "There is no solution yet")
NOT_ENDED: Final = Problem("not-ended", 409, "The job goes on")
NO_SOLUTION: Final = Problem("no-solution", 404, "There is no solution")
FOREIGN_HOST: Final = Problem("host", 421, "The service does not answer under this name")
MALFORMED: Final = Problem("malformed-request", 400, "The request is malformed")
NO_TRACE: Final = Problem("no-trace", 404, "There is no trace")
TOO_LARGE: Final = Problem("too-large", 413, "The body is too large")
INTERNAL: Final = Problem("internal", 500, "Something went wrong here")

_OF_ERRORS: Final[dict[type[TileworkError], Problem]] = {
    BoardSyntaxError: Problem("board-syntax", 422, "The text cannot be read as a board"),
    BoardError: Problem("board", 422, "This is not a board"),
    PictureError: Problem("picture", 422, "No board can be read from the picture"),
    UnsolvableError: Problem("unsolvable", 422, "The goal cannot be reached"),
    OptionError: Problem("option", 422, "An option is not offered"),
    InputError: Problem("input", 422, "The input cannot be used"),
    AuthenticationError: Problem("authentication", 401, "The API key is not valid"),
    ForbiddenError: Problem("forbidden", 403, "Not yours to change"),
    NotFoundError: Problem("not-found", 404, "Nothing is here"),
    ConflictError: Problem("conflict", 409, "The idempotency key belongs to another request"),
    ReplacedError: Problem("solution-replaced", 409, "There is another solution now"),
    QuotaError: Problem("quota", 429, "Too many unfinished jobs"),
    OverloadError: Problem("overload", 503, "The service has too much to do"),
    UnavailableError: Problem("unavailable", 503, "The service cannot answer for now"),
    TileworkError: INTERNAL,
}

_OF_STATUSES: Final = {
    404: _OF_ERRORS[NotFoundError],
    405: Problem("method", 405, "This address has no such method"),
    413: TOO_LARGE,
    415: BODY_TYPE,
    429: Problem("rate", 429, "Too many requests"),
    500: INTERNAL,
}


class ProblemError(Exception):
    """An error that only HTTP knows: a problem with its detail and further members."""

    def __init__(self, problem: Problem, message: Message, **members: Any) -> None:
        super().__init__(message)
        self.problem = problem
        self.message = message
        self.members = members


def problem_response(
    problem: Problem, message: Message, *, retry_after_s: int | None = None, **members: Any
) -> Response:
    """Make the answer for a problem; members are further ones of the document."""
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


def problem_for(error: TileworkError) -> Problem:
    return next(_OF_ERRORS[kind] for kind in type(error).__mro__ if kind in _OF_ERRORS)


def install_problems(
    app: Flask, page: Callable[[HTTPException], BaseResponse | HTTPException]
) -> None:
    @app.errorhandler(ProblemError)
    def answer_problem(error: ProblemError) -> Response:
        return problem_response(error.problem, error.message, **error.members)

    @app.errorhandler(TileworkError)
    def answer_error(error: TileworkError) -> BaseResponse | HTTPException:
        problem = problem_for(error)
        if problem is INTERNAL or isinstance(error, DatabaseUnavailableError):
            report_error(error)
        if not _for_a_program():
            return _to_be_tried_again(page(_http_error(problem, error)), error)
        return problem_response(problem, _message_of(error, problem), **_members_of(error))

    @app.errorhandler(HTTPException)
    def answer_http_error(error: HTTPException) -> BaseResponse | HTTPException:
        # Redirects are exceptions too.
        if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
            return error
        if not _for_a_program():
            return page(error)
        return _problem_of_http_error(error)


def _problem_of_http_error(error: HTTPException) -> Response:
    code = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    problem = _OF_STATUSES.get(code) or Problem("request", code, HTTPStatus(code).phrase)
    wait_s = error.retry_after if isinstance(error, TooManyRequests) else None
    response = problem_response(
        problem,
        _message_of_http_error(error, problem),
        retry_after_s=wait_s if isinstance(wait_s, int) else None,
        **_id_of(problem),
    )
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(error.valid_methods)
    return response


def _message_of_http_error(error: HTTPException, problem: Problem) -> Message:
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
                "the body is too large; send at most {most} bytes here",
                most=request.max_content_length,
            )
        case 500:
            return _in_the_log()
        case _:
            return Message(problem.name, "{words}", words=error.description or "")


def _message_of(error: TileworkError, problem: Problem) -> Message:
    if isinstance(error, DatabaseUnavailableError):
        # The driver's own words name hosts and users.
        return Message("database-away", "The database does not answer; try again in a moment.")
    return _in_the_log() if problem is INTERNAL else error.message


def _in_the_log() -> Message:
    return Message(
        "internal",
        "The error is in the log of the service under {error_id}.",
        error_id=request_error_id(),
    )


def _members_of(error: TileworkError) -> dict[str, Any]:
    match error:
        case BoardSyntaxError(line=line, column=column) if line is not None:
            return {"line": line, "column": column}
        case UnsolvableError(explanation=explanation) if explanation:
            return {"explanation": translate(explanation)}
        case DatabaseUnavailableError():
            return {"retry_after_s": _UNAVAILABLE_S, "error_id": request_error_id()}
        case QuotaError(retry_after_s=seconds) | OverloadError(retry_after_s=seconds):
            return {"retry_after_s": seconds}
        case UnavailableError():
            return {"retry_after_s": _UNAVAILABLE_S}
        case _:
            return _id_of(problem_for(error))


def _id_of(problem: Problem) -> dict[str, str]:
    return {"error_id": request_error_id()} if problem is INTERNAL else {}


def _to_be_tried_again(
    answer: BaseResponse | HTTPException, error: TileworkError
) -> BaseResponse | HTTPException:
    seconds = _members_of(error).get("retry_after_s")
    if isinstance(answer, BaseResponse) and seconds is not None:
        answer.headers["Retry-After"] = str(seconds)
    return answer


def _http_error(problem: Problem, error: TileworkError) -> HTTPException:
    exception = HTTPException(translate(error.message))
    exception.code = problem.status
    return exception


def _for_a_program() -> bool:
    return request.path.startswith(MACHINE_PATHS)
