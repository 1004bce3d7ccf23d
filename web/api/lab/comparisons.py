"""``/comparisons``: having methods compared, following that, downloading the results."""

from __future__ import annotations

from functools import partial
from typing import Literal
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel

from tilework.web.api.documents import API, answer
from tilework.web.api.lab.comparison_documents import (
    ComparisonDocument,
    comparison_address,
    comparison_document,
)
from tilework.web.api.lab.comparison_requests import ComparisonFields
from tilework.web.api.lab.comparison_results import json_pieces, results_schema, table
from tilework.web.api.lab.outcomes import problems
from tilework.web.api.polling import FollowQuery, followed, tagged, taken
from tilework.web.api.request_models import checked
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import name_language
from tilework.web.long_poll import follow_comparison

api = APIBlueprint(
    "comparisons", __name__, url_prefix=f"{API}/comparisons", abp_tags=[Tag(name="lab")]
)


class ComparisonPath(BaseModel):
    """A comparison's address."""

    comparison_id: UUID


class ResultsQuery(BaseModel):
    """How to write the results."""

    format: Literal["csv", "json"] = "csv"


@api.post(
    "",
    operation_id="submitComparison",
    responses={
        200: ComparisonDocument,
        202: ComparisonDocument,
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
@checked
def submit(body: ComparisonFields) -> Response:
    """Have methods compared on a board, or on the boards of a sweep.

    200 where every run has ended, as they are shared among all who ask for them; else 202. The
    comparison is at Location. The same request of the same client is the same comparison.
    """
    view = services().compare(body.request_of(current_client_id()))
    return taken(comparison_document(view), comparison_address(view.id), finished=view.finished)


@api.get(
    "/<uuid:comparison_id>",
    operation_id="readComparison",
    responses={
        200: ComparisonDocument,
        304: {"description": "The version is still the one named"},
        **problems(404, 422),
    },
)
@checked
def comparison(path: ComparisonPath, query: FollowQuery) -> Response:
    """Show where a comparison stands; with wait, once that has changed.

    The ETag is the version, with the language where that is not English. Anyone who has the
    address may look.
    """
    comparison_id = str(path.comparison_id)
    return followed(
        query,
        partial(services().comparisons.version, comparison_id),
        partial(follow_comparison, comparison_id),
        lambda view: answer(comparison_document(view)),
    )


@api.delete(
    "/<uuid:comparison_id>",
    operation_id="cancelComparison",
    responses={200: ComparisonDocument, **problems(401, 403, 404, 429)},
)
@checked
def cancel(path: ComparisonPath) -> Response:
    """Cancel a comparison of this client; runs that others want too go on."""
    client_id = known_client_id() or ""
    view = services().cancel_comparison(str(path.comparison_id), client_id)
    return tagged(answer(comparison_document(view)), view.version)


@api.get(
    "/<uuid:comparison_id>/results",
    operation_id="readComparisonResults",
    responses={
        200: {
            "description": "A record for each run, in their order, as a stream",
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                "application/json": {"schema": results_schema()},
            },
        },
        **problems(404, 422),
    },
)
@checked
def results(path: ComparisonPath, query: ResultsQuery) -> Response:
    """Write every run of a comparison as a file, with its board."""
    view = services().comparisons.view(str(path.comparison_id))
    if query.format == "csv":
        response = Response(table(view), content_type="text/csv; charset=utf-8")
    else:
        response = Response(json_pieces(view), content_type="application/json")
    name = f"tilework-comparison-{view.id}.{query.format}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-cache"
    return name_language(response)
