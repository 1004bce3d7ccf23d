"""What clients manage themselves: their webhook secret and headers, and repeated deliveries."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from tilework.core.errors import OptionError
from tilework.core.model.ids import foreign_job
from tilework.core.model.jobs import JobView
from tilework.core.model.tasks import new_callback
from tilework.core.model.webhooks import Delivery, WebhookSettings
from tilework.core.services.callback_rules import CallbackRules, check_headers
from tilework.core.services.webhook_signatures import WebhookSecrets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

_SALT_BYTES = 32


class Webhooks:
    """The webhook settings and deliveries of clients."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._rules = CallbackRules(settings)
        self._secrets = WebhookSecrets(settings)

    def settings(self, client_id: str) -> WebhookSettings:
        with self._storage.reading() as session:
            return session.webhooks.settings(client_id)

    def rotate_secret(self, client_id: str) -> str:
        """Create or replace a client's secret and return it; it cannot be retrieved later.

        Raises OptionError if this service does not send callbacks.
        """
        self._rules.check_enabled()
        salt, now = secrets.token_hex(_SALT_BYTES), self._clock()
        with self._storage.writing() as session:
            session.clients.add(client_id, now)
            session.webhooks.rotate(client_id, salt, now)
        return self._secrets.format(client_id, salt)

    def set_headers(self, client_id: str, headers: Mapping[str, str]) -> None:
        """Replace the headers that are added to a client's calls.

        Raises OptionError if one is invalid, or if this service does not send callbacks.
        """
        self._rules.check_enabled()
        check_headers(headers)
        now = self._clock()
        with self._storage.writing() as session:
            session.clients.add(client_id, now)
            session.webhooks.set_headers(client_id, headers, now)

    def deliveries(
        self, client_id: str, limit: int, before: str | None = None, job_id: str | None = None
    ) -> list[Delivery]:
        """Return a client's deliveries, optionally of one job, newest first.

        ``before``: the id of the last delivery of the previous page.
        """
        with self._storage.reading() as session:
            return session.webhooks.deliveries(client_id, limit, before, job_id)

    def redeliver(self, client_id: str, job_id: str) -> None:
        """Send the call of an ended job as soon as possible, even if it was delivered before.

        Raises NotFoundError, ForbiddenError if the job belongs to another client, and OptionError
        if it has not ended, or if its URL is missing or no longer allowed.
        """
        now = self._clock()
        view, url = self._read_job(job_id, now)
        if view.client_id != client_id:
            raise foreign_job(job_id)
        if url is None:
            raise OptionError(
                "no-callback-url", "the job {id!r} was submitted without callback_url", id=job_id
            )
        if not view.finished:
            raise OptionError(
                "callback-pending",
                "the job {id!r} is still running; callback_url is called when it ends",
                id=job_id,
            )
        self._rules.check(url)
        call = new_callback(job_id, client_id, url, now)
        with self._storage.writing() as session:
            task = session.tasks.get_or_create([call], now)[call.key]
            session.tasks.raise_priority(task.id, now)

    def _read_job(self, job_id: str, now: float) -> tuple[JobView, str | None]:
        with self._storage.reading() as session:
            view = session.job_views.view(job_id, now, brief=True)
            return view, session.jobs.callback_url(job_id)
