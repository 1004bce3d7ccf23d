"""Talking to a Tilework server over HTTP: one method a use, errors out of the project's tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import quote

import httpx2

from tilework.core.errors import (
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InputError,
    NotFoundError,
    TileworkError,
    UnavailableError,
    UnsolvableError,
)
from tilework.core.languages import Language
from tilework.core.messages import Message, as_told
from tilework.core.redaction import hide, hide_secrets_of
from tilework.core.remote.identity import load_cookies, save_cookies

_LONGEST_POLL_S = 20.0
_CONNECT_TIMEOUT_S = 5.0
_ANSWER_TIMEOUT_S = 60.0

_ERRORS: dict[int, type[TileworkError]] = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
}


class Server:
    """A server's API under ``/api/v1``.

    Parameters
    ----------
    url : str
        Where the server is, without the path of the API.
    key : str or None
        An API key; without it, whoever the server takes us for.
    language : Language
        Of what the server says.
    is_remembered : bool
        Whether without a key we are whom the server took this user for before, and will be later:
        its cookie is kept in the user's folder.

    Raises
    ------
    InputError
        If the address is none.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        language: Language = Language.ENGLISH,
        is_remembered: bool = False,
    ) -> None:
        hide_secrets_of(url)
        self.url = _checked(url).rstrip("/")
        self._is_remembered = is_remembered and not key
        self._tag: str | None = None
        headers = {
            "Accept": "application/json, application/problem+json",
            "Accept-Language": language.value,
        }
        if key:
            hide(key)
            headers["Authorization"] = f"Bearer {key}"
        self._client = httpx2.Client(
            base_url=f"{self.url}/api/v1",
            headers=headers,
            cookies=load_cookies(self.url) if self._is_remembered else None,
            timeout=httpx2.Timeout(_ANSWER_TIMEOUT_S, connect=_CONNECT_TIMEOUT_S),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._client.close()

    def submit(self, request: dict[str, Any], *, brief: bool = False) -> dict[str, Any]:
        """Submit a job; return its view, as `job` does."""
        return self._json("POST", "/jobs", json=request, params=_brief(brief))

    def hint(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the next move of a board, after at most so many seconds."""
        wait = {"wait": min(seconds, _LONGEST_POLL_S)}
        return self._json("POST", "/hints", json=request, params=wait)

    def job(self, job_id: str, *, brief: bool = False) -> dict[str, Any]:
        """Return a job's view; a brief one is without the boards, which may be large."""
        return self._json("GET", f"/jobs/{quote(job_id, safe='')}", params=_brief(brief))

    def changed_job(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return a job's view once it is another than the one given, or after so many seconds.

        It is without the boards, which may be large.
        """
        with self._request(
            "GET",
            f"/jobs/{quote(job['id'], safe='')}",
            params={"wait": min(seconds, _LONGEST_POLL_S), "brief": "true"},
            headers={"If-None-Match": self._tag or f'"{job["version"]}"'},
        ) as response:
            if response.status_code == 304:
                return job
            response.read()
            self._tag = response.headers.get("ETag")
            view: dict[str, Any] = response.json()
            return view

    def cancel(self, job_id: str, *, brief: bool = False) -> dict[str, Any]:
        """Cancel a job of ours; return its view, as `job` does."""
        return self._json("DELETE", f"/jobs/{quote(job_id, safe='')}", params=_brief(brief))

    def submit_batch(self, request: dict[str, Any]) -> dict[str, Any]:
        """Submit many boards; return the view of the batch."""
        return self._json("POST", "/batches", json=request)

    def batch(self, batch_id: str) -> dict[str, Any]:
        """Return a batch's view."""
        return self._json("GET", f"/batches/{quote(batch_id, safe='')}")

    def results(self, batch_id: str) -> Iterator[str]:
        """Yield what is known of each board of a batch: JSON, a line each."""
        path = f"/batches/{quote(batch_id, safe='')}/results"
        with self._request("GET", path, params={"format": "jsonl"}) as response:
            yield from response.iter_lines()

    def submit_game(self, request: dict[str, Any]) -> dict[str, Any]:
        """Submit a game to be analysed; return the view of the analysis."""
        return self._json("POST", "/analyses", json=request)

    def analysis(self, analysis_id: str, seconds: float) -> dict[str, Any]:
        """Return an analysis's view once it has ended, or after so many seconds."""
        path = f"/analyses/{quote(analysis_id, safe='')}"
        return self._json("GET", path, params={"wait": min(seconds, _LONGEST_POLL_S)})

    def submit_ways(self, request: dict[str, Any]) -> dict[str, Any]:
        """Submit a board whose shortest solutions are all asked for; return the search's view."""
        return self._json("POST", "/ways", json=request)

    def ways(self, ways_id: str, seconds: float) -> dict[str, Any]:
        """Return the view of a search for ways once it has ended, or after so many seconds."""
        return self._json("GET", _ways(ways_id), params={"wait": min(seconds, _LONGEST_POLL_S)})

    def ways_solutions(self, ways_id: str) -> Iterator[str]:
        """Yield the shortest solutions that the server lists, each as letters."""
        with self._request("GET", f"{_ways(ways_id)}/solutions") as response:
            yield from response.iter_lines()

    def ways_graph(self, ways_id: str) -> dict[str, Any]:
        """Return the graph of all shortest solutions."""
        return self._json("GET", f"{_ways(ways_id)}/graph")

    def ways_dot(self, ways_id: str) -> Iterator[str]:
        """Yield the same graph for Graphviz."""
        with self._request("GET", f"{_ways(ways_id)}/graph", params={"format": "dot"}) as response:
            yield from response.iter_text()

    def statistics(self) -> dict[str, Any]:
        """Return what the service has done so far."""
        return self._json("GET", "/statistics")

    def solution(self, job_id: str, **options: str) -> Iterator[str]:
        """Yield a job's best solution as the server writes it."""
        path = f"/jobs/{quote(job_id, safe='')}/solution"
        with self._request("GET", path, params=options) as response:
            yield from response.iter_text()

    def certificate(self, job_id: str) -> Iterator[str]:
        """Yield the certificate of a job that has ended."""
        with self._request("GET", f"/jobs/{quote(job_id, safe='')}/certificate") as response:
            yield from response.iter_text()

    def _json(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        with self._request(method, path, **options) as response:
            response.read()
            self._tag = response.headers.get("ETag")
            if self._is_remembered and response.cookies:
                # What was kept is no longer known there: a server with new data, say.
                self._client.cookies = response.cookies
                save_cookies(self.url, dict(response.cookies))
            try:
                view: dict[str, Any] = response.json()
            except ValueError:
                raise UnavailableError(
                    "not-tilework", "the server at {url} is not Tilework", url=self.url
                ) from None
            return view

    @contextmanager
    def _request(self, method: str, path: str, **options: Any) -> Iterator[httpx2.Response]:

        try:
            with self._client.stream(method, path, **options) as response:
                if response.status_code >= 400:
                    response.read()
                    raise _error_of(self.url, response)
                yield response
        except httpx2.TransportError as error:
            raise UnavailableError(
                "no-server", "no server answers at {url}: {reason}", url=self.url, reason=error
            ) from None


def _ways(ways_id: str) -> str:
    return f"/ways/{quote(ways_id, safe='')}"


def _brief(brief: bool) -> dict[str, str]:
    return {"brief": "true"} if brief else {}


def _checked(url: str) -> str:

    try:
        address = httpx2.URL(url)
    except httpx2.InvalidURL:
        address = httpx2.URL("")
    if address.scheme not in ("http", "https") or not address.host:
        raise InputError(
            "server-address",
            "{url!r} is not the address of a server; give one as in http://127.0.0.1:8000",
            url=url[:200],
        )
    return url


def _error_of(url: str, response: httpx2.Response) -> TileworkError:
    """Turn problem details (RFC 9457) into the error that they tell of."""
    status = response.status_code
    try:
        problem = response.json()
        words = str(problem.get("detail") or problem["title"])
        told = Message(str(problem.get("code", "")), "{words}", words=words)
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
            told, explanation=None if explanation is None else as_told(str(explanation))
        )
    if status in _ERRORS:
        return _ERRORS[status](told)
    if status == 429 or status >= 500:
        return UnavailableError(
            Message(told.code, "{url} refuses for now: {reason}", url=url, reason=told)
        )
    return InputError(told)
