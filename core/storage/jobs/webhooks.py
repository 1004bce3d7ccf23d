"""The ``webhook`` and ``delivery`` tables: clients' webhook settings, and attempted deliveries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import Double, Integer, String, bindparam, insert, select, update

from tilework.core.model.ids import new_id
from tilework.core.model.webhooks import Delivery, WebhookSettings
from tilework.core.storage.models import delivery, job, webhook
from tilework.core.storage.repository import Repository, insert_if_absent

MAX_ERROR = 200
"""Longer errors are cut."""

_HEADERS: Final = TypeAdapter(dict[str, str])

SETTINGS = (
    webhook.c.id,
    webhook.c.salt,
    webhook.c.previous_salt,
    webhook.c.secret_created_at,
    webhook.c.headers,
)
_DELIVERY = (
    delivery.c.id,
    delivery.c.job_id,
    delivery.c.attempt,
    delivery.c.attempted_at,
    delivery.c.status,
    delivery.c.error,
)
_is_own = webhook.c.id == bindparam("client_id")
_SETTINGS = select(*SETTINGS).where(_is_own)
_ROTATE = (
    update(webhook)
    .where(_is_own)
    .values(
        previous_salt=webhook.c.salt, salt=bindparam("new_salt"), secret_created_at=bindparam("now")
    )
)
_SET_HEADERS = update(webhook).where(_is_own).values(headers=bindparam("headers_json"))
# The lock keeps the job until its delivery refers to it.
_LOG = insert(delivery).from_select(
    ["id", "client_id", "job_id", "attempt", "attempted_at", "status", "error"],
    select(
        bindparam("new_id", type_=String),
        job.c.client_id,
        job.c.id,
        bindparam("attempt", type_=Integer),
        bindparam("attempted_at", type_=Double),
        bindparam("status", type_=Integer),
        bindparam("error", type_=String),
    )
    .where(job.c.id == bindparam("job_id"))
    .with_for_update(key_share=True, read=True),
)
_DELIVERIES = (
    select(*_DELIVERY)
    .where(delivery.c.client_id == bindparam("client_id"))
    .order_by(delivery.c.id.desc())
    .limit(bindparam("limit"))
)


class WebhookRepository(Repository):
    """Webhook settings and deliveries of one connection."""

    def settings(self, client_id: str) -> WebhookSettings:
        row = self._connection.execute(_SETTINGS, {"client_id": client_id}).first()
        return WebhookSettings() if row is None else read_settings(row)

    def rotate(self, client_id: str, salt: str, now: float) -> None:
        """Replace the salt of a client's secret, and keep the previous one."""
        self._ensure_row(client_id, now)
        values = {"client_id": client_id, "new_salt": salt, "now": now}
        self._connection.execute(_ROTATE, values)

    def set_headers(self, client_id: str, headers: Mapping[str, str], now: float) -> None:
        self._ensure_row(client_id, now)
        values = {"client_id": client_id, "headers_json": json.dumps(dict(headers))}
        self._connection.execute(_SET_HEADERS, values)

    def log(
        self, job_id: str, attempt: int, status: int | None, error: str | None, now: float
    ) -> None:
        """Store an attempt to deliver the call of a job, unless the job has been deleted."""
        values = {"new_id": new_id(), "job_id": job_id, "attempt": attempt, "attempted_at": now}
        values |= {"status": status, "error": error and error[:MAX_ERROR]}
        self._connection.execute(_LOG, values)

    def deliveries(
        self, client_id: str, limit: int, before: str | None, job_id: str | None
    ) -> list[Delivery]:
        """Return a client's deliveries, optionally of one job, newest first."""
        statement = _DELIVERIES
        if before is not None:
            statement = statement.where(delivery.c.id < before)
        if job_id is not None:
            statement = statement.where(delivery.c.job_id == job_id)
        rows = self._connection.execute(statement, {"client_id": client_id, "limit": limit})
        return [_read_delivery(row) for row in rows]

    def _ensure_row(self, client_id: str, now: float) -> None:
        insert_if_absent(self._connection, webhook, {"id": client_id, "created_at": now})


def read_settings(row: Sequence[Any]) -> WebhookSettings:
    _, salt, previous_salt, secret_created_at, headers = row
    parsed = {} if headers is None else _HEADERS.validate_json(headers)
    return WebhookSettings(salt, previous_salt, secret_created_at, parsed)


def _read_delivery(row: Sequence[Any]) -> Delivery:
    return Delivery(*row)
