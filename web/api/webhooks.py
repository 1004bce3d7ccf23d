"""``/webhooks``: a client's webhook secret, and the calls for its jobs."""

from __future__ import annotations

from typing import Annotated

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import Field

from tilework.core.links import API_ROOT
from tilework.core.model.views import Seconds
from tilework.core.model.webhooks import DeliveryView, WebhookSecret
from tilework.web.api.documents import Document, json_response
from tilework.web.api.operation_decorator import operation
from tilework.web.clients import current_client_id, known_client_id, services

MAX_LISTED = 100

api = APIBlueprint(
    "webhooks", __name__, url_prefix=f"{API_ROOT}/webhooks", abp_tags=[Tag(name="webhooks")]
)


class WebhookDocument(Document):
    """When a client's webhook secret was created."""

    secret_created_at: Seconds | None = Field(
        description="When the secret was created or replaced. null if there is none; calls are "
        "then not signed."
    )


class NewSecretDocument(WebhookDocument):
    """A client's new webhook secret."""

    secret: str = Field(
        description="The secret, which is not shown again.",
        examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
    )


class DeliveriesDocument(Document):
    """The calls for a client's jobs, newest first."""

    deliveries: list[DeliveryView]


@operation(api.get, "", "readWebhooks", WebhookDocument, 401)
def settings() -> Response:
    """Retrieve when this client's webhook secret was created."""
    client_id = known_client_id()
    none = WebhookSecret(None, None)
    secret = none if client_id is None else services().webhooks.secret(client_id)
    document = WebhookDocument(secret_created_at=secret.created_at)
    return json_response(document, Cache_Control="private, no-store")


@operation(api.post, "/secret", "rotateWebhookSecret", NewSecretDocument)
def rotate_secret() -> Response:
    """Create this client's webhook secret, or replace it."""
    client_id, webhooks = current_client_id(), services().webhooks
    secret = webhooks.rotate_secret(client_id)
    created_at = webhooks.secret(client_id).created_at
    document = NewSecretDocument(secret=secret, secret_created_at=created_at)
    return json_response(document, Cache_Control="private, no-store")


@operation(api.get, "/deliveries", "listDeliveries", DeliveriesDocument, 401)
def deliveries(limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 50) -> Response:
    """List the calls for this client's jobs, newest first."""
    client_id = known_client_id()
    calls = services().webhooks.deliveries(client_id, limit) if client_id else []
    document = DeliveriesDocument(deliveries=calls)
    return json_response(document, Cache_Control="private, no-store")
