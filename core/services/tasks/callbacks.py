"""Delivers callbacks: each at least once, and repeatedly until it succeeds.

A callback is a row, inserted by the transaction that ends its job and deleted once it is delivered.
If a worker dies between the delivery and the deletion, the callback is sent again with the same
``webhook-id`` header. Each attempt is logged for the client.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tilework.core.errors import NotFoundError, OptionError
from tilework.core.model.jobs import JobView
from tilework.core.model.leases import Holder
from tilework.core.model.task_specs import CallbackSpec
from tilework.core.model.tasks import CALLBACK_QUEUE, TaskClaim
from tilework.core.model.webhooks import WebhookSettings
from tilework.core.services.callback_rules import CallbackRules, CallbackUrl, check_headers
from tilework.core.services.farm.repair import Repair
from tilework.core.services.jobs.document import JobOutline
from tilework.core.services.webhook_signatures import WebhookSecrets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

# Callbacks sent in parallel, so that a slow receiver does not delay all others.
MAX_PARALLEL: Final = 16

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


CallbackSender = Callable[[Sequence[CallbackRequest]], Sequence[int | str]]
"""Sends requests in parallel; returns for each the status of the response, or why there is none."""


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
    def status(self) -> int | None:
        return self.result if isinstance(self.result, int) else None

    @property
    def error(self) -> str | None:
        """Why the callback failed; None if it succeeded."""
        if isinstance(self.result, str):
            return self.result
        return None if 200 <= self.result < 300 else f"it answered {self.result}"


class CallbackDelivery:
    """Notifies receivers that jobs have ended. Any number of instances can run in parallel.

    Raises OptionError if a host in the settings is invalid.
    """

    def __init__(self, storage: Database, settings: Settings, sender: CallbackSender) -> None:
        self._storage = storage
        self._settings = settings
        self._sender = sender
        self._rules = CallbackRules(settings)
        self._secrets = WebhookSecrets(settings)
        self._repair = Repair(storage, settings)
        self._clock = storage.clock

    @property
    def is_enabled(self) -> bool:
        """Whether callbacks are enabled."""
        return self._rules.is_enabled

    def run_once(self, owner: str) -> bool:
        """Send some of the callbacks that are due; return whether there may be more."""
        now = self._clock()
        with self._storage.reading() as session:
            if not session.tasks.has_due(CALLBACK_QUEUE, now):
                return False
        # Every request has ended by then.
        until = now + self._settings.callback_timeout_s + self._settings.lease_s
        claims = self._repair.run(partial(self._claim, Holder(owner, until), now))
        outcomes = self._send(claims)
        now = self._clock()
        with self._storage.writing() as session:
            for outcome in outcomes:
                lease, job_id = outcome.claim.lease, outcome.claim.spec.job_id
                session.webhooks.log(job_id, lease.attempts, outcome.status, outcome.error, now)
                if outcome.error is None or outcome.is_permanent or self._is_late(outcome, now):
                    session.tasks.drop(lease)
                else:
                    session.tasks.retry(lease, now, now + pause_s(lease.attempts))
        self._log_failures(outcomes, now)
        return len(claims) == MAX_PARALLEL

    def _claim(self, holder: Holder, now: float) -> list[TaskClaim[CallbackSpec]]:
        with self._storage.writing() as session:
            return session.tasks.claim(CALLBACK_QUEUE, holder, now, limit=MAX_PARALLEL, by=now)

    def _send(self, claims: list[TaskClaim[CallbackSpec]]) -> list[_Outcome]:
        requests: list[tuple[TaskClaim[CallbackSpec], CallbackRequest]] = []
        outcomes: list[_Outcome] = []
        for claim in claims:
            try:
                requests.append((claim, self._make_request(claim)))
            # The settings have changed since the job was submitted, or the job is gone.
            except (OptionError, NotFoundError) as error:
                outcomes.append(_Outcome(claim, str(error), is_permanent=True))
        results = self._sender([request for _, request in requests]) if requests else ()
        for (claim, _), result in zip(requests, results, strict=True):
            outcomes.append(_Outcome(claim, result))
        return outcomes

    def _make_request(self, claim: TaskClaim[CallbackSpec]) -> CallbackRequest:
        url = self._rules.check(claim.spec.url)
        now = self._clock()
        view, webhook = self._repair.run(partial(self._read, claim.spec.job_id, now))
        check_headers(webhook.headers)
        body = JobOutline.model_validate(view).model_dump_json().encode()
        headers = {
            **webhook.headers,
            "Content-Type": "application/json",
            "User-Agent": "Tilework",
            **self._secrets.sign(view.client_id, webhook, view.id, now, body),
        }
        return CallbackRequest(url, headers, body)

    def _read(self, job_id: str, now: float) -> tuple[JobView, WebhookSettings]:
        with self._storage.reading() as session:
            view = session.job_views.view(job_id, now, brief=True)
            return view, session.webhooks.settings(view.client_id)

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
