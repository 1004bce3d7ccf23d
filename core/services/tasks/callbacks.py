"""Making the calls that are due: each at least once, and again for as long as it fails.

A call is a row, written in the transaction that ends its job and deleted when it was answered. A
worker that dies between the answer and the deletion lets its lease run out, and the call is made
twice: its ``Tilework-Delivery`` tells that it is the same.
"""

from __future__ import annotations

import hmac
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tilework.core.errors import NotFoundError, OptionError
from tilework.core.model.job_views import JobView
from tilework.core.model.leases import Holder
from tilework.core.model.task_specs import CallbackSpec
from tilework.core.model.tasks import CALLS, TaskClaim
from tilework.core.services.callback_rules import CallbackAddress, CallbackRules
from tilework.core.services.farm.repair import Repair
from tilework.core.services.jobs.document import JobOutline
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

SIGNATURE: Final = "Tilework-Signature"
DELIVERY: Final = "Tilework-Delivery"

# Calls that are made side by side: a slow receiver does not hold up all others.
AT_ONCE: Final = 16

# From one attempt to the next (seconds): twice as long each time.
FIRST_PAUSE_S: Final = 2.0
LONGEST_PAUSE_S: Final = 3_600.0
_JITTER: Final = 0.1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallbackRequest:
    """A request to be sent by POST."""

    address: CallbackAddress
    headers: Mapping[str, str]
    body: bytes


CallbackSender = Callable[[Sequence[CallbackRequest]], Sequence[str | None]]
"""Sends calls side by side; says of each why it did not succeed, None where it did."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a claimed call: ``fault`` says why it failed, ``hopeless`` that it will."""

    claim: TaskClaim[CallbackSpec]
    fault: str | None
    hopeless: bool = False


class CallbackDelivery:
    """Tells receivers that jobs have ended; any number of instances may run at once.

    Raises
    ------
    OptionError
        If the settings' hosts cannot be used.
    """

    def __init__(self, storage: Database, settings: Settings, caller: CallbackSender) -> None:
        self._storage = storage
        self._settings = settings
        self._caller = caller
        self._rules = CallbackRules(settings)
        self._repair = Repair(storage, settings)
        self._clock = storage.clock

    @property
    def offered(self) -> bool:
        """Whether there may be calls at all."""
        return self._rules.offered

    def run_once(self, owner: str) -> bool:
        """Make some of the calls that are due; return whether there may be more."""
        now = self._clock()
        with self._storage.reading() as session:
            if not session.tasks.has_due(CALLS, now):
                return False
        # Every call has ended by then, one way or the other.
        until = now + self._settings.callback_timeout_s + self._settings.lease_s
        claims = self._repair.run(partial(self._claim, Holder(owner, until), now))
        outcomes = self._make(claims)
        now = self._clock()
        with self._storage.writing() as session:
            for outcome in outcomes:
                lease = outcome.claim.lease
                if outcome.fault is None or outcome.hopeless or self._is_late(outcome, now):
                    session.tasks.drop(lease)
                else:
                    session.tasks.retry(lease, now, now + pause_s(lease.attempts))
        self._tell(outcomes, now)
        return len(claims) == AT_ONCE

    def _claim(self, holder: Holder, now: float) -> list[TaskClaim[CallbackSpec]]:
        with self._storage.writing() as session:
            return session.tasks.claim(CALLS, holder, now, most=AT_ONCE, by=now)

    def _make(self, claims: list[TaskClaim[CallbackSpec]]) -> list[_Outcome]:
        calls: list[tuple[TaskClaim[CallbackSpec], CallbackRequest]] = []
        outcomes: list[_Outcome] = []
        for claim in claims:
            try:
                calls.append((claim, self._call(claim)))
            # The settings were others when the job was submitted, or it is there no longer.
            except (OptionError, NotFoundError) as error:
                outcomes.append(_Outcome(claim, str(error), hopeless=True))
        faults = self._caller([call for _, call in calls]) if calls else ()
        for (claim, _), fault in zip(calls, faults, strict=True):
            outcomes.append(_Outcome(claim, fault))
        return outcomes

    def _call(self, claim: TaskClaim[CallbackSpec]) -> CallbackRequest:
        address = self._rules.check(claim.spec.url)
        now = self._clock()
        view = self._repair.run(partial(self._view, claim.spec.job_id, now))
        body = JobOutline.model_validate(view).model_dump_json().encode()
        secret = self._settings.callback_secret
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Tilework",
            DELIVERY: claim.lease.id,
            SIGNATURE: signature(secret.get_secret_value() if secret else "", int(now), body),
        }
        return CallbackRequest(address, headers, body)

    def _view(self, job_id: str, now: float) -> JobView:
        with self._storage.reading() as session:
            return session.jobs.view(job_id, now, brief=True)

    def _is_late(self, outcome: _Outcome, now: float) -> bool:
        return now >= outcome.claim.created_at + self._settings.callback_patience_s

    def _tell(self, outcomes: list[_Outcome], now: float) -> None:
        for outcome in outcomes:
            if outcome.fault is None:
                continue
            ends = outcome.hopeless or self._is_late(outcome, now)
            _log.log(
                logging.WARNING if ends else logging.INFO,
                "the end of job %s could not be told to %s%s: %s",
                outcome.claim.spec.job_id,
                outcome.claim.spec.url.partition("?")[0],
                ", and it is not tried again" if ends else "",
                outcome.fault,
            )


def pause_s(attempts: int) -> float:
    """Return the pause after so many attempts, a little off so that calls spread out."""
    doubled = FIRST_PAUSE_S * 2.0 ** min(attempts - 1, 30)
    return min(doubled, LONGEST_PAUSE_S) * random.uniform(1 - _JITTER, 1 + _JITTER)


def signature(secret: str, sent_at: int, body: bytes) -> str:
    """Return the value of the header ``Tilework-Signature``.

    By it a receiver knows who sent a call, and that it is not an old one: ``t=1760000000,v1=5257…``
    has the seconds since 1970 at which it was sent, and the HMAC-SHA256 of those digits, a dot and
    the body, in hexadecimal digits.
    """
    digest = hmac.new(secret.encode(), b"%d." % sent_at + body, "sha256").hexdigest()
    return f"t={sent_at},v1={digest}"
