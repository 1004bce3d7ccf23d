"""Certificates: a job's solution with the proof of its lower bound, to be verified elsewhere."""

from __future__ import annotations

from flask import Response
from flask_openapi import APIBlueprint, Tag

from tilework.core.formats.certificate import Certificate
from tilework.core.messages import Message
from tilework.core.model.phrases import WITHDRAWN
from tilework.core.services.certificates.make import CertificateView
from tilework.web.api.documents import API
from tilework.web.api.jobs import JobPath
from tilework.web.api.lab.outcomes import problems
from tilework.web.api.request_models import checked
from tilework.web.clients import services
from tilework.web.problems import NO_SOLUTION, NOT_ENDED, ProblemError

api = APIBlueprint("certificates", __name__, url_prefix=API, abp_tags=[Tag(name="solutions")])


@api.get(
    "/jobs/<uuid:job_id>/certificate",
    operation_id="readCertificate",
    responses={200: Certificate, **problems(404, 409, 422)},
)
@checked
def certificate(path: JobPath) -> Response:
    """Write the certificate of a job that has ended, as a file.

    It proves the best bounds known of the job's board, which may be better than those at the job's
    end.
    """
    view = services().read.view(str(path.job_id))
    if not view.finished:
        raise ProblemError(
            NOT_ENDED,
            Message(
                "job-not-ended",
                "The job is {state}; there is a certificate once it has ended.",
                state=view.state,
            ),
        )
    found = services().certificate(view.id)
    if found is None:
        # What was there may have turned out to be damaged just now.
        if services().read.view(view.id).message == WITHDRAWN:
            raise ProblemError(NO_SOLUTION, WITHDRAWN)
        raise ProblemError(
            NO_SOLUTION,
            Message(
                "nothing-to-prove",
                "The job ended {state} without a solution; there is nothing to prove.",
                state=view.state,
            ),
        )
    response = Response(found.pieces, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{_file_name(found)}"'
    return response


def _file_name(found: CertificateView) -> str:
    width, height = found.solution.start.size
    return f"tilework-certificate-{width}x{height}-{len(found.solution.moves)}.json"
