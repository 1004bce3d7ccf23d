"""``/webhooks``: a client's webhook secret, headers and deliveries."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from tilework.core.model.webhooks import WebhookSettings
from tilework.core.services.callback_rules import MAX_HEADERS
from tilework.core.services.jobs.document import API_ROOT, Seconds
from tilework.web.api.documents import (
    Document,
    NextPage,
    json_response,
    next_page,
    problem_responses,
)
from tilework.web.api.request_parsing import parsed_request
from tilework.web.clients import current_client_id, known_client_id, services

MAX_PAGE = 100

api = APIBlueprint(
    "webhooks", __name__, url_prefix=f"{API_ROOT}/webhooks", abp_tags=[Tag(name="webhooks")]
)


class WebhookDocument(Document):
    """The webhook settings of a client, without its secret."""

    secret_created_at: Seconds | None = Field(
        description="When the secret was created or replaced. null if there is none; calls are "
        "then not signed."
    )
    previous_secret_until: Seconds | None = Field(
        description="When calls are no longer signed with the previous secret as well."
    )
    headers: list[str] = Field(description="The names of the headers that are added to calls.")


class NewSecretDocument(WebhookDocument):
    """The webhook settings of a client, with its new secret."""

    secret: str = Field(
        description="The secret, which is not shown again.",
        examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
    )


class DeliveryDocument(Document):
    """An attempt to deliver a call."""

    id: str
    job_id: str
    attempt: int = Field(description="The number of the attempt, from 1.")
    attempted_at: Seconds
    status: int | None = Field(
        description="The status of the response. null if there was none.", examples=[503]
    )
    error: str | None = Field(
        description="Why the attempt failed, in English. null if it succeeded.",
        examples=["it answered 503"],
    )


class DeliveriesDocument(Document):
    """A page of deliveries, newest first."""

    deliveries: list[DeliveryDocument]
    next: NextPage


class HeadersRequest(BaseModel):
    """Headers for calls."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"headers": {"Authorization": "Bearer a-token"}}]},
    )

    headers: Annotated[
        dict[str, str],
        Field(
            description=f"At most {MAX_HEADERS} headers, which replace the previous ones. Headers "
            "that the service or a proxy sets are not allowed."
        ),
    ]


class RedeliveryRequest(BaseModel):
    """A call to repeat."""

    model_config = ConfigDict(extra="forbid")

    job_id: UUID = Field(description="The id of a job that has ended.")


class DeliveriesQuery(BaseModel):
    """Which deliveries to return."""

    job_id: UUID | None = Field(None, description="Return only deliveries for this job.")
    limit: int = Field(50, ge=1, le=MAX_PAGE)
    before: UUID | None = Field(
        None, description="The id of the last delivery of the previous page."
    )


@api.get(
    "", operation_id="readWebhooks", responses={200: WebhookDocument, **problem_responses(401)}
)
def settings() -> Response:
    """Retrieve this client's webhook settings."""
    client_id = known_client_id()
    settings = WebhookSettings() if client_id is None else services().webhooks.settings(client_id)
    return _respond(WebhookDocument, settings)


@api.post(
    "/secret",
    operation_id="rotateWebhookSecret",
    responses={200: NewSecretDocument, **problem_responses(401, 403, 422, 429)},
)
def rotate_secret() -> Response:
    """Create this client's webhook secret, or replace it.

    For one day, calls are also signed with the previous secret, if there was one.
    """
    client_id, webhooks = current_client_id(), services().webhooks
    secret = webhooks.rotate_secret(client_id)
    return _respond(NewSecretDocument, webhooks.settings(client_id), secret=secret)


@api.put(
    "/headers",
    operation_id="setWebhookHeaders",
    responses={200: WebhookDocument, **problem_responses(400, 401, 403, 413, 415, 422, 429)},
)
@parsed_request
def set_headers(body: HeadersRequest) -> Response:
    """Replace the headers that are added to this client's calls."""
    client_id, webhooks = current_client_id(), services().webhooks
    webhooks.set_headers(client_id, body.headers)
    return _respond(WebhookDocument, webhooks.settings(client_id))


@api.get(
    "/deliveries",
    operation_id="listDeliveries",
    responses={200: DeliveriesDocument, **problem_responses(401, 422)},
)
@parsed_request
def deliveries(query: DeliveriesQuery) -> Response:
    """List the attempts to deliver this client's calls, newest first."""
    client_id = known_client_id()
    before, job_id = (str(value) if value else None for value in (query.before, query.job_id))
    webhooks = services().webhooks
    page = webhooks.deliveries(client_id, query.limit, before, job_id) if client_id else []
    next_url = None
    if len(page) == query.limit:
        next_url = next_page(page[-1].id, job_id=job_id, limit=query.limit)
    document = DeliveriesDocument.model_validate({"deliveries": page, "next": next_url})
    return json_response(document, Cache_Control="private, no-store")


@api.post(
    "/deliveries",
    operation_id="redeliver",
    responses={
        202: RedeliveryRequest,
        **problem_responses(400, 401, 403, 404, 413, 415, 422, 429),
    },
)
@parsed_request
def redeliver(body: RedeliveryRequest) -> Response:
    """Repeat the call for one of this client's jobs, with the same webhook-id.

    A call that is waiting for its next attempt is made immediately.
    """
    services().webhooks.redeliver(known_client_id() or "", str(body.job_id))
    return json_response(body, 202)


def _respond(
    document_type: type[WebhookDocument], settings: WebhookSettings, **values: str
) -> Response:
    document = document_type(
        secret_created_at=settings.secret_created_at,
        previous_secret_until=settings.previous_secret_until,
        headers=list(settings.headers),
        **values,
    )
    return json_response(document, Cache_Control="private, no-store")
