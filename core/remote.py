"""An HTTP client of a Tilework server, which stores the user's identity."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, Self
from urllib.parse import quote

import httpx2

from tilework.core.arguments import check_text, invalid
from tilework.core.cookies import load_cookies, lock_cookies, save_cookies
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
from tilework.core.messages import Language, Message, untranslated
from tilework.core.model.ids import check_id
from tilework.core.redaction import hide, hide_secrets

_MAX_POLL_S = 20.0
_CONNECT_TIMEOUT_S = 5.0
_READ_TIMEOUT_S = 60.0

_ERRORS: dict[int, type[TileworkError]] = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
}

# Arguments that are not UTF-8 contain surrogates.
_quote = partial(quote, safe="", errors="replace")


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

    def submit(self, request: dict[str, Any], *, brief: bool = False) -> dict[str, Any]:
        return self._json("POST", "/jobs", body=request, params=_brief(brief))

    def hint(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        wait = {"wait": min(seconds, _MAX_POLL_S)}
        return self._json("POST", "/hints", body=request, params=wait)

    def job(self, job_id: str, *, brief: bool = False) -> dict[str, Any]:
        """Return a job's view; a brief view omits the boards, which may be large."""
        return self._json("GET", f"/jobs/{check_id(job_id)}", params=_brief(brief))

    def activity(self, job_id: str) -> dict[str, Any]:
        """Return what workers do for a job, and estimates."""
        return self._json("GET", f"/jobs/{_quote(job_id)}/activity")

    def wait_for_job(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return a job's brief view once it differs, or after this many seconds."""
        with self._request(
            "GET",
            f"/jobs/{_quote(job['id'])}",
            params={"wait": min(seconds, _MAX_POLL_S), "brief": "true"},
            headers={"If-None-Match": f'"{job["version"]}{self._tag_suffix}"'},
        ) as response:
            if response.status_code == 304:
                return job
            return self._read_json(response)

    def cancel(self, job_id: str, *, brief: bool = False) -> dict[str, Any]:
        return self._json("DELETE", f"/jobs/{check_id(job_id)}", params=_brief(brief))

    def submit_batch(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._json("POST", "/batches", body=request)

    def batch(self, batch_id: str) -> dict[str, Any]:
        return self._json("GET", f"/batches/{check_id(batch_id)}")

    def results(self, batch_id: str) -> Iterator[str]:
        """Yield the results of the boards of a batch, one line of JSON each."""
        path = f"/batches/{check_id(batch_id)}/results"
        with self._request("GET", path, params={"format": "jsonl"}) as response:
            yield from response.iter_lines()

    def submit_game(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._json("POST", "/analyses", body=request)

    def analysis(self, analysis_id: str, seconds: float) -> dict[str, Any]:
        path = f"/analyses/{check_id(analysis_id)}"
        return self._json("GET", path, params={"wait": min(seconds, _MAX_POLL_S)})

    def submit_ways(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._json("POST", "/ways", body=request)

    def ways(self, ways_id: str, seconds: float) -> dict[str, Any]:
        return self._json("GET", _ways(ways_id), params={"wait": min(seconds, _MAX_POLL_S)})

    def ways_solutions(self, ways_id: str) -> Iterator[str]:
        with self._request("GET", f"{_ways(ways_id)}/solutions") as response:
            yield from response.iter_lines()

    def ways_graph(self, ways_id: str) -> dict[str, Any]:
        return self._json("GET", f"{_ways(ways_id)}/graph")

    def ways_dot(self, ways_id: str) -> Iterator[str]:
        with self._request("GET", f"{_ways(ways_id)}/graph", params={"format": "dot"}) as response:
            yield from response.iter_text()

    def statistics(self) -> dict[str, Any]:
        return self._json("GET", "/statistics")

    def solution(self, job_id: str, **options: str) -> Iterator[str]:
        path = f"/jobs/{check_id(job_id)}/solution"
        with self._request("GET", path, params=options) as response:
            yield from response.iter_text()

    def certificate(self, job_id: str) -> Iterator[str]:
        with self._request("GET", f"/jobs/{check_id(job_id)}/certificate") as response:
            yield from response.iter_text()

    def _json(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        # Simultaneous first submissions of a user would otherwise be those of several clients.
        is_first = method == "POST" and self._is_remembered and not self._client.cookies
        with lock_cookies() if is_first else nullcontext():
            if is_first:
                self._client.cookies.update(load_cookies(self.url))
            with self._request(method, path, **options) as response:
                if self._is_remembered and response.cookies:
                    # The server does not know the stored cookie, for example after a reset.
                    self._client.cookies = response.cookies
                    try:
                        save_cookies(self.url, dict(response.cookies))
                    except OptionError as error:
                        self._warn(error.message)
                return self._read_json(response)

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


def options_in_request(**options: Any) -> dict[str, Any]:
    """Return a job's options in the form of a request; the server validates them."""
    from tilework.core.model.job_options import JobOptions

    model = JobOptions.model_construct(**options)
    return model.model_dump(mode="json", exclude_defaults=True, warnings=False)


def _ways(ways_id: str) -> str:
    return f"/ways/{check_id(ways_id)}"


def _brief(brief: bool) -> dict[str, str]:
    return {"brief": "true"} if brief else {}


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
