"""An HTTP client of a Tilework server, which can store the user's identity."""

from __future__ import annotations

import fcntl
import json
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final, Self

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
    UnsolvableError,
)
from tilework.core.machine import user_state
from tilework.core.messages import Language, Message, untranslated
from tilework.core.model.ids import check_id
from tilework.core.redaction import hide, hide_secrets

MAX_WAIT_S: Final = 20.0
"""A server holds a request at most this long."""

_MIN_PAUSE_S: Final = 0.2
_MAX_PAUSE_S: Final = 2.0
_CONNECT_TIMEOUT_S: Final = 5.0
_READ_TIMEOUT_S: Final = 60.0

_ERRORS: Final[dict[int, type[TileworkError]]] = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
}


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
        # A server's ETags contain the language, except English.
        self._tag_suffix = "" if language is Language.ENGLISH else f"-{language}"
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
        """Request a document; `params` are those of the query."""
        # Simultaneous first submissions of a user would otherwise be those of several clients.
        is_first = method == "POST" and self._is_remembered and not self._client.cookies
        with lock_cookies() if is_first else nullcontext():
            if is_first:
                self._client.cookies.update(load_cookies(self.url))
            with self._request(method, path, body, params=params) as response:
                if self._is_remembered and response.cookies:
                    # The server does not know the stored cookie, for example after a reset.
                    self._client.cookies = response.cookies
                    try:
                        save_cookies(self.url, dict(response.cookies))
                    except OptionError as error:
                        self._warn(error.message)
                return self._read_json(response)

    def text(self, path: str, **params: str) -> Iterator[str]:
        """Request a text, in chunks."""
        with self._request("GET", path, params=params) as response:
            yield from response.iter_text()

    def lines(self, path: str, **params: str) -> Iterator[str]:
        with self._request("GET", path, params=params) as response:
            yield from response.iter_lines()

    def job_updates(
        self, job: dict[str, Any], timeout: float | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield a job's brief view after each poll, until it has ended.

        Raises TimeoutError after `timeout` seconds.
        """
        polls = poll(timeout, lambda: f"job {job['id']} is {job['state']}")

        def updates() -> Iterator[dict[str, Any]]:
            nonlocal job
            while job["finished_at"] is None:
                job = self._wait_for_change(job, next(polls))
                yield job

        return updates()

    def _wait_for_change(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        with self._request(
            "GET",
            f"/jobs/{check_id(job['id'])}",
            params={"wait": min(seconds, MAX_WAIT_S), "brief": "true"},
            headers={"If-None-Match": f'"{job["version"]}{self._tag_suffix}"'},
        ) as response:
            return job if response.status_code == 304 else self._read_json(response)

    def wait_for_task(
        self, path: str, task: dict[str, Any], timeout: float | None
    ) -> dict[str, Any]:
        """Return the view of a task below this path once it has a result."""
        polls = poll(timeout, lambda: f"analysis {task['id']} is {task['state']}")
        while task["finished_at"] is None:
            wait = min(next(polls), MAX_WAIT_S)
            task = self.json("GET", f"{path}/{check_id(task['id'])}", wait=wait)
        if task["result"] is None:
            raise TileworkError(
                "analysis-without-result",
                "the analysis {id} has no result ({state}): {reason}",
                id=task["id"],
                state=task["state"],
                reason=task["message"] or "-",
            )
        return task

    def _read_json(self, response: httpx2.Response) -> dict[str, Any]:
        response.read()
        try:
            view: dict[str, Any] = response.json()
        except ValueError:
            raise UnavailableError(
                "not-tilework", "the server at {url} is not Tilework", url=self.url
            ) from None
        return view

    @contextmanager
    def _request(
        self, method: str, path: str, body: dict[str, Any] | None = None, **options: Any
    ) -> Iterator[httpx2.Response]:
        if body is not None:
            _check_numbers(body)
            # Arguments that are not UTF-8 contain surrogates, which only escapes can represent.
            options |= {
                "content": json.dumps(body),
                "headers": {"Content-Type": "application/json"},
            }
        try:
            with self._client.stream(method, path, **options) as response:
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
            raise UnavailableError(
                "no-server", "no server answers at {url}: {reason}", url=self.url, reason=error
            ) from None


def poll(
    timeout: float | None, describe: Callable[[], str], growth: float = 1.0
) -> Iterator[float]:
    """Yield the seconds left for each request, with pauses in between, until TimeoutError.

    The server answers immediately if too many clients wait.
    """
    limit = math.inf if timeout is None else check_number("timeout", timeout)
    deadline = time.monotonic() + limit

    def polls() -> Iterator[float]:
        pause = _MIN_PAUSE_S
        while (left := deadline - time.monotonic()) > 0:
            requested = time.monotonic()
            yield left
            time.sleep(max(0.0, min(requested + pause, deadline) - time.monotonic()))
            pause = min(_MAX_PAUSE_S, growth * pause)
        raise TimeoutError(f"{describe()} after {limit:g} s")

    return polls()


def options_in_request(**options: Any) -> dict[str, Any]:
    """Return a job's options in the form of a request; the server validates them."""
    from tilework.core.model.job_options import JobOptions

    model = JobOptions.model_construct(**options)
    return model.model_dump(mode="json", exclude_defaults=True, warnings=False)


def _check_numbers(request: dict[str, Any]) -> None:
    """Raise OptionError for a number that JSON does not have."""
    for name, value in request.items():
        if isinstance(value, float) and not math.isfinite(value):
            allowed = Message("finite", "a finite number")
            raise OptionError(invalid(name, value, allowed))


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
        return UnavailableError(
            "not-tilework-status",
            "the server at {url} is not Tilework: it answered {status}",
            url=url,
            status=status,
        )
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
        return UnavailableError(
            Message(
                message.code,
                "{url} is refusing requests for now: {reason}",
                url=url,
                reason=message,
            )
        )
    return InputError(message)


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
