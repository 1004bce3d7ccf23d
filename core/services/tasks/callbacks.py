"""Delivers callbacks: each at least once, and repeatedly until it succeeds.

A callback is a task, inserted by the transaction that ends its job. If a worker dies between the
delivery and the end of the task, the callback is sent again with the same ``webhook-id`` header.
The task keeps the outcome of its last attempt for the client.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

from tilework.core.errors import NotFoundError, OptionError
from tilework.core.messages import untranslated
from tilework.core.model.jobs import JobView
from tilework.core.model.leases import Holder
from tilework.core.model.states import RunState
from tilework.core.model.tasks import CLIENT_PREFIX, CallbackSpec, TaskClaim, TaskEnd
from tilework.core.services.callback_rules import CallbackRules, CallbackUrl, find_host
from tilework.core.services.webhooks import Webhooks
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

MAX_PARALLEL: Final = 64
"""Callbacks that one process sends at the same time."""

# Callbacks of all processes to one host, and of one client: those that hang leave room for others.
_MAX_BY_HOST: Final = 16
_MAX_BY_CLIENT: Final = 8

# How long a round waits for a callback to end before it looks for others that are due.
_ROUND_S: Final = 0.25

MAX_ERROR: Final = 200
"""Longer errors are cut."""

# Pause before the first retry (seconds); it doubles with each further one.
INITIAL_PAUSE_S: Final = 2.0
MAX_PAUSE_S: Final = 3_600.0
_JITTER: Final = 0.1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallbackRequest:
    """A POST request to send."""

    url: CallbackUrl
    headers: Mapping[str, str]
    body: bytes


CallbackSender = Callable[[CallbackRequest], int | str]
"""Sends a request; returns the status of the response, or why there is none."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The outcome of a callback.

    ``result``: the status of the response, or why there is none.
    ``is_permanent``: whether a retry would fail again.
    """

    claim: TaskClaim[CallbackSpec]
    result: int | str
    is_permanent: bool = False

    @property
    def error(self) -> str | None:
        """Why the callback failed; None if it succeeded."""
        if isinstance(self.result, str):
            return self.result
        return None if 200 <= self.result < 300 else f"it answered {self.result}"


class CallbackDelivery:
    """Notifies receivers that jobs have ended. Any number of instances can run in parallel.

    ``with_links``: adds the addresses of the API to a job.

    Raises OptionError if a host in the settings is invalid.
    """

    def __init__(
        self,
        storage: Database,
        settings: Settings,
        sender: CallbackSender,
        with_links: Callable[[JobView], JobView],
    ) -> None:
        self._storage = storage
        self._settings = settings
        self._sender = sender
        self._with_links = with_links
        self._rules = CallbackRules(settings)
        self._webhooks = Webhooks(storage, settings)
        self._clock = storage.clock
        self._pool = ThreadPoolExecutor(MAX_PARALLEL, thread_name_prefix="callback")
        self._running: set[Future[_Outcome]] = set()
        self._has_started = False

    @property
    def is_enabled(self) -> bool:
        """Whether callbacks are enabled."""
        return self._rules.is_enabled

    def run_once(self, owner: str) -> bool:
        """Store the outcomes of callbacks that have ended, and send others that are due.

        None waits for another. Return whether some have not ended.
        """
        # Each round starts one callback per queue, so the next round may start more.
        limit_s = 0.0 if self._has_started else _ROUND_S
        ended, _ = wait(self._running, limit_s, FIRST_COMPLETED)
        if ended:
            self._store([call.result() for call in ended])
            self._running -= ended
        claims = self._claim(owner)
        self._running |= {self._pool.submit(self._send, claim) for claim in claims}
        self._has_started = bool(claims)
        return bool(self._running)

    def _claim(self, owner: str) -> list[TaskClaim[CallbackSpec]]:
        now = self._clock()
        queues = self._choose(now)
        if not queues:
            return []
        # Every request has ended by then.
        holder = Holder(owner, now + self._settings.callback_timeout_s + self._settings.lease_s)
        with self._storage.writing() as session:
            return [
                claim
                for queue in queues
                for claim in session.tasks.claim(queue, holder, now, by=now)
            ]

    def _choose(self, now: float) -> list[str]:
        """Return the queues whose next callback to send, as all limits allow."""
        with self._storage.reading() as session:
            due = session.tasks.due_callbacks(now)
            running = session.tasks.running_callbacks() if due else []
        by_host = Counter(find_host(url) for _, url in running)
        by_client = Counter(queue[:CLIENT_PREFIX] for queue, _ in running)
        chosen: list[str] = []
        # Clients with few callbacks go first.
        for queue, url in sorted(due, key=lambda item: by_client[item[0][:CLIENT_PREFIX]]):
            host, client = find_host(url), queue[:CLIENT_PREFIX]
            if by_host[host] < _MAX_BY_HOST and by_client[client] < _MAX_BY_CLIENT:
                by_host[host] += 1
                by_client[client] += 1
                chosen.append(queue)
        return chosen[: MAX_PARALLEL - len(self._running)]

    def _send(self, claim: TaskClaim[CallbackSpec]) -> _Outcome:
        try:
            return _Outcome(claim, self._sender(self._make_request(claim)))
        # The settings have changed since the job was submitted, or the job is gone.
        except (OptionError, NotFoundError) as error:
            return _Outcome(claim, str(error), is_permanent=True)
        except Exception:
            _log.exception("the callback of job %s failed", claim.spec.job_id)
            return _Outcome(claim, "the service failed to send it")

    def _store(self, outcomes: list[_Outcome]) -> None:
        now = self._clock()
        with self._storage.writing() as session:
            for outcome in outcomes:
                lease, error = outcome.claim.lease, outcome.error
                if error is None:
                    session.tasks.finish(lease, TaskEnd(RunState.DONE), now)
                    continue
                reason = untranslated(error[:MAX_ERROR])
                if outcome.is_permanent or self._is_late(outcome, now):
                    session.tasks.finish(lease, TaskEnd(RunState.FAILED, message=reason), now)
                else:
                    session.tasks.retry(lease, now, now + pause_s(lease.attempts), reason)
        self._log_failures(outcomes, now)

    def _make_request(self, claim: TaskClaim[CallbackSpec]) -> CallbackRequest:
        url = self._rules.check(claim.spec.url)
        now = self._clock()
        view, salt = self._read(claim.spec.job_id)
        body = self._with_links(view).model_dump_json().encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Tilework",
            **self._webhooks.sign(view.client_id, salt, view.id, now, body),
        }
        return CallbackRequest(url, headers, body)

    def _read(self, job_id: str) -> tuple[JobView, str | None]:
        with self._storage.reading() as session:
            view = session.job_views.view(job_id, brief=True)
            return view, session.clients.webhook_secret(view.client_id).salt

    def _is_late(self, outcome: _Outcome, now: float) -> bool:
        return now >= outcome.claim.created_at + self._settings.callback_patience_s

    def _log_failures(self, outcomes: list[_Outcome], now: float) -> None:
        for outcome in outcomes:
            if outcome.error is None:
                continue
            is_final = outcome.is_permanent or self._is_late(outcome, now)
            _log.log(
                logging.WARNING if is_final else logging.INFO,
                "the callback of job %s to %s failed%s: %s",
                outcome.claim.spec.job_id,
                outcome.claim.spec.url.partition("?")[0],
                " and is not retried" if is_final else "",
                outcome.error,
            )


def pause_s(attempts: int) -> float:
    """Return the pause after this many attempts, with some jitter to spread the load."""
    doubled = INITIAL_PAUSE_S * 2.0 ** min(attempts - 1, 30)
    return min(doubled, MAX_PAUSE_S) * random.uniform(1 - _JITTER, 1 + _JITTER)
