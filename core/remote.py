"""An HTTP client of a Tilework server, which can store the user's identity.

A request is repeated while the server is busy or starting, or the connection breaks. A repeated
submission has the same idempotency key, so that the server accepts it once.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, Self, TypeVar

import httpx2

from tilework.core.arguments import check_number, check_text, invalid
from tilework.core.errors import (
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InputError,
    NotFoundError,
    OptionError,
    TileworkError,
    UnavailableError,
    UnfinishedError,
    UnsolvableError,
)
from tilework.core.machine import user_state
from tilework.core.messages import Language, Message, untranslated
from tilework.core.model.ids import new_id
from tilework.core.redaction import hide, hide_secrets

MAX_WAIT_S: Final = 20.0
"""A server holds a request at most this long."""

_CONNECT_TIMEOUT_S: Final = 5.0
_READ_TIMEOUT_S: Final = 60.0

# Between the requests of a wait; the server answers immediately if too many clients wait.
_MIN_PAUSE_S: Final = 0.2
_MAX_PAUSE_S: Final = 2.0

_RETRIES_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
"""The pauses before a request is repeated."""
_PATIENT_RETRIES_S: Final = (*_RETRIES_S, 10.0, 20.0, 30.0, 30.0)
"""Those of a wait, which survives the restart of its server."""
_MAX_RETRY_AFTER_S: Final = 60.0

_ERRORS: Final[dict[int, type[TileworkError]]] = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
}

_BUSY_STATUSES: Final = frozenset({429, 502, 503, 504})
_UNREACHABLE: Final = (httpx2.ConnectError, httpx2.ConnectTimeout)

Result = TypeVar("Result")


class Server:
    """A server's API under ``/api/v1``; `is_remembered` stores its cookie in the user's folder."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        language: Language = Language.ENGLISH,
        is_remembered: bool = False,
        warn: Callable[[Message], object] = str,
    ) -> None:
        self._warn = warn
        hide_secrets(check_text("url", url))
        self.url = _check_url(url).rstrip("/")
        hide("" if key is None else _check_key(key))
        self._is_remembered = is_remembered and not key
        self._has_answered = False
        headers = {
            "Accept": "application/json, application/problem+json",
            "Accept-Language": language.value,
        }
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._client = httpx2.Client(
            base_url=f"{self.url}/api/v1",
            headers=headers,
            cookies=load_cookies(self.url) if self._is_remembered else None,
            timeout=httpx2.Timeout(_READ_TIMEOUT_S, connect=_CONNECT_TIMEOUT_S),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def json(
        self, method: str, path: str, body: dict[str, Any] | None = None, **params: Any
    ) -> dict[str, Any]:
        """Request a document; `params` are those of the query. None in the body is left out."""
        headers, content = {}, None
        if body is not None:
            # Arguments that are not UTF-8 contain surrogates, which only escapes can represent.
            content = json.dumps(_check_body(body))
            headers = {"Content-Type": "application/json", "Idempotency-Key": new_id()}
        # Simultaneous first submissions of a user would otherwise be those of several clients.
        is_first = method == "POST" and self._is_remembered and not self._client.cookies
        with lock_cookies() if is_first else nullcontext():
            if is_first:
                self._client.cookies.update(load_cookies(self.url))
            return _repeat(
                partial(
                    self._read_json, method, path, params=params, content=content, headers=headers
                )
            )

    def follow(
        self, path: str, view: dict[str, Any], timeout: float | None = None, **params: Any
    ) -> Iterator[dict[str, Any]]:
        """Yield the work at a path as it is known, then after each request, until it has ended.

        Raises UnfinishedError after `timeout` seconds.
        """
        limit = math.inf if timeout is None else check_number("timeout", timeout)
        return self._follow(path, view, limit, params)

    def _follow(
        self, path: str, view: dict[str, Any], limit: float, params: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        deadline, pause = monotonic() + limit, _MIN_PAUSE_S
        yield view
        while not has_ended(view):
            asked = monotonic()
            if asked >= deadline:
                raise UnfinishedError(
                    "unfinished",
                    "{work} has not ended after {seconds:g} s; the server continues",
                    work=path.removeprefix("/"),
                    seconds=limit,
                )
            query = {"wait": min(deadline - asked, MAX_WAIT_S), "since": view["version"], **params}
            view = _repeat(
                partial(self._read_json, "GET", path, params=query), _PATIENT_RETRIES_S, deadline
            )
            yield view
            if not has_ended(view):
                sleep(max(0.0, min(asked + pause, deadline) - monotonic()))
            pause = min(_MAX_PAUSE_S, 1.2 * pause)

    def text(self, path: str, **params: str) -> Iterator[str]:
        """Request a text, in chunks."""
        with self._stream(path, params) as response:
            yield from response.iter_text()

    def lines(self, path: str, **params: str) -> Iterator[str]:
        with self._stream(path, params) as response:
            yield from response.iter_lines()

    @contextmanager
    def _stream(self, path: str, params: dict[str, str]) -> Iterator[httpx2.Response]:
        with ExitStack() as stack:
            yield _repeat(lambda: stack.enter_context(self._open("GET", path, params=params)))

    def _read_json(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        with self._open(method, path, **request) as response:
            if self._is_remembered and response.cookies:
                # The server does not know the stored cookie, for example after a reset.
                self._client.cookies = response.cookies
                try:
                    save_cookies(self.url, dict(response.cookies))
                except OptionError as error:
                    self._warn(error.message)
            response.read()
            try:
                view: dict[str, Any] = response.json()
            except ValueError:
                raise UnavailableError(
                    "not-tilework", "the server at {url} is not Tilework", url=self.url
                ) from None
            return view

    @contextmanager
    def _open(self, method: str, path: str, **request: Any) -> Iterator[httpx2.Response]:
        try:
            with self._client.stream(method, path, **request) as response:
                self._has_answered = True
                if response.has_redirect_location:
                    raise UnavailableError(
                        "redirected",
                        "{url} redirects to {target}; use that server's address",
                        url=self.url,
                        target=response.headers["Location"][:200],
                    )
                if response.status_code >= 400:
                    response.read()
                    raise _make_error(self.url, response)
                yield response
        except httpx2.TransportError as error:
            message = Message(
                "no-server", "no server answers at {url}: {reason}", url=self.url, reason=error
            )
            # An address where nothing has answered yet is probably wrong.
            is_wrong = isinstance(error, _UNREACHABLE) and not self._has_answered
            raise _unavailable(message, None if is_wrong else 0.0) from None


def has_ended(view: dict[str, Any]) -> bool:
    """Whether a job, a batch or another piece of work has ended."""
    return bool(view["finished"] if "finished" in view else view["finished_at"])


def _repeat(
    attempt: Callable[[], Result],
    pauses: Sequence[float] = _RETRIES_S,
    deadline: float = math.inf,
) -> Result:
    """Return the result of the first attempt that finds the server ready."""
    for pause in pauses:
        try:
            return attempt()
        except UnavailableError as error:
            if error.retry_after_s is None:
                raise
            delay = max(pause, error.retry_after_s)
            if monotonic() + delay >= deadline:
                raise
            sleep(delay)
    return attempt()


def _check_body(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body without None; raise OptionError for a number that JSON does not have."""
    given = {name: value for name, value in body.items() if value is not None}
    for name, value in given.items():
        if isinstance(value, float) and not math.isfinite(value):
            allowed = Message("finite", "a finite number")
            raise OptionError(invalid(name, value, allowed))
    return given


def _check_key(key: object) -> str:
    if isinstance(key, str) and key.isascii() and key.isprintable():
        return key
    raise InputError(
        "key-characters",
        "this is not an API key; use the secret that “tilework keys create” printed",
    )


def _check_url(url: str) -> str:
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, UnicodeError):
        parsed = httpx2.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise InputError(
            "server-address",
            "{url!r} is not the address of a server; write one like http://127.0.0.1:8000",
            url=url[:200],
        )
    return url


def _make_error(url: str, response: httpx2.Response) -> TileworkError:
    status = response.status_code
    try:
        problem = response.json()
        text = str(problem.get("detail") or problem["title"])
        message = Message(str(problem.get("code", "")), "{words}", words=text)
    except (ValueError, KeyError, AttributeError):
        # Proxies answer for a server that is starting.
        other = Message(
            "not-tilework-status",
            "the server at {url} is not Tilework: it answered {status}",
            url=url,
            status=status,
        )
        return _unavailable(other, _retry_after_s(response))
    if "unsolvable" in str(problem.get("type", "")):
        explanation = problem.get("explanation")
        return UnsolvableError(
            message,
            explanation=None if explanation is None else untranslated(str(explanation)),
            reachable_goals=[str(goal) for goal in problem.get("reachable_goals", [])],
        )
    if status in _ERRORS:
        return _ERRORS[status](message)
    if status == 429 or status >= 500:
        refusal = Message(
            message.code, "{url} is refusing requests for now: {reason}", url=url, reason=message
        )
        # A quota is free again when the user's own jobs have ended, which can take hours.
        is_quota = str(problem.get("type", "")).endswith(":quota")
        return _unavailable(refusal, None if is_quota else _retry_after_s(response))
    return InputError(message)


def _unavailable(message: Message, retry_after_s: float | None) -> UnavailableError:
    error = UnavailableError(message)
    error.retry_after_s = retry_after_s
    return error


def _retry_after_s(response: httpx2.Response) -> float | None:
    """Return how long to wait before the request is repeated; None if the status is final."""
    if response.status_code not in _BUSY_STATUSES:
        return None
    given = response.headers.get("Retry-After", "")
    # It can also be a date, which no server of ours sends.
    return min(float(given), _MAX_RETRY_AFTER_S) if given.isdecimal() else 0.0


def load_cookies(server: str) -> dict[str, str]:
    """Return the cookies that a server has set; none if the file is missing or damaged."""
    cookies = _load_cookies().get(server)
    return cookies if isinstance(cookies, dict) else {}


def save_cookies(server: str, cookies: dict[str, str]) -> None:
    """Store a server's cookies, which cancelling a job requires, readable by this user only.

    Raises OptionError if they cannot be stored.
    """
    cookies_by_server = _load_cookies() | {server: cookies}
    path = _cookies_path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(cookies_by_server, file)
        partial.replace(path)
    except OSError as error:
        raise OptionError(
            "identity",
            "your identity cannot be stored in {path!r} ({reason}), so you cannot cancel this job "
            "later; set XDG_STATE_HOME to a writable folder before you submit, or use an API key",
            path=path,
            reason=error.strerror or type(error).__name__,
        ) from None


@contextmanager
def lock_cookies() -> Iterator[None]:
    """Wait until no other process of this user holds the lock; without one if it cannot be made."""
    path = _cookies_path().with_suffix(".lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("w")
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _cookies_path() -> Path:
    return user_state() / "cookies.json"


def _load_cookies() -> dict[str, dict[str, str]]:
    try:
        cookies_by_server = json.loads(_cookies_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cookies_by_server if isinstance(cookies_by_server, dict) else {}
