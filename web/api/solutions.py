"""Solutions: of a job in every format and with its proof, or of any board that was solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field

from tilework.core.formats.certificate import Certificate
from tilework.core.formats.solution_boards import Effort
from tilework.core.formats.solution_formats import SolutionFormat, write_solution
from tilework.core.formats.solution_moves import letters
from tilework.core.messages import Message
from tilework.core.model.jobs import WITHDRAWN
from tilework.core.model.solutions import SolutionView
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import count_slides
from tilework.core.services.certificates.reader import CertificateView
from tilework.core.services.jobs.document import API_ROOT
from tilework.web.api.board_inputs import Width, parse_board, parse_goal
from tilework.web.api.documents import Document, Letters, Tiles
from tilework.web.api.jobs import JobPath
from tilework.web.api.request_parsing import parsed_request, problem_responses
from tilework.web.clients import services
from tilework.web.problems import NO_SOLUTION, NO_SOLUTION_YET, NOT_ENDED, ProblemError

_RETRY_AFTER_S: Final = 1
_MEDIA_TYPES: Final = {SolutionFormat.JSON: "application/json"}
_TEXT: Final = "text/plain; charset=utf-8"
_TELLING: Final = (SolutionFormat.EIGHTPUZZLE, SolutionFormat.EIGHTPUZZLE_SHORT)
_EXTENSIONS: Final = {SolutionFormat.JSON: "json"}

api = APIBlueprint("solutions", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="solutions")])


class SolutionDocument(Document):
    """A known solution."""

    start: Tiles
    goal: Tiles
    moves: Letters
    lower_bound: int
    optimal: bool
    length: int = Field(description="How many moves there are")
    slides: int = Field(description="Those of tiles of a line that go together count once")

    @classmethod
    def of(cls, solution: SolutionView) -> SolutionDocument:
        return cls(
            start=solution.start,  # type: ignore[arg-type]
            goal=solution.goal,  # type: ignore[arg-type]
            moves="",
            lower_bound=solution.lower_bound,
            optimal=solution.optimal,
            length=len(solution.moves),
            slides=count_slides(solution.moves),
        )


class FormatQuery(BaseModel):
    """How to write a solution."""

    format: SolutionFormat = SolutionFormat.JSON
    lang: Literal["en", "pt"] = Field("en", description="Of the words in text and princeton")
    by: Literal["tile", "blank"] = Field(
        "tile", description="Whose way names a move, in udlr, runs and json"
    )
    download: bool = Field(False, description="Ask the browser to save it as a file")


class KnownQuery(BaseModel):
    """Which board's solution; both are given as text."""

    board: str
    goal: str = GoalName.BLANK_LAST
    width: Width = None


@api.get(
    "/jobs/<uuid:job_id>/solution",
    operation_id="readSolution",
    responses={
        200: {
            "description": "The best solution so far, as a stream",
            "content": {
                "application/json": {"schema": {"type": "object"}},
                "text/plain": {"schema": {"type": "string"}},
            },
        },
        **problem_responses(404, 409, 422),
    },
)
@parsed_request
def solution_of_job(path: JobPath, query: FormatQuery) -> Response:
    """Write a job's best solution in a format."""
    job_id = str(path.job_id)
    solution = services().read.solution(job_id)
    if solution is None:
        raise none_of(job_id)
    pieces = write_solution(
        query.format,
        solution.start,
        solution.moves,
        solution.goal,
        language=query.lang,
        blank_moves=query.by == "blank",
        lower_bound=solution.lower_bound,
        metric=solution.metric,
        effort=_effort(job_id) if query.format in _TELLING else None,
    )
    response = Response(pieces, content_type=_MEDIA_TYPES.get(query.format, _TEXT))
    name = _file_name(solution, query.format)
    kind = "attachment" if query.download else "inline"
    response.headers["Content-Disposition"] = f'{kind}; filename="{name}"'
    if query.format is SolutionFormat.UDLR:
        # The page shows how much of a long solution has been loaded.
        response.content_length = len(solution.moves) + 1
    return response


@api.get(
    "/solutions",
    operation_id="findSolution",
    responses={200: SolutionDocument, **problem_responses(404, 422)},
)
@parsed_request
def known_solution(query: KnownQuery) -> Response:
    """Look up whether a board, or an equivalent puzzle, has been solved by anyone."""
    board = parse_board(query.board, query.width)
    solution = services().read.find_solution(board, parse_goal(query.goal, board.size))
    if solution is None:
        raise ProblemError(
            NO_SOLUTION,
            Message("never-solved", "This board has not been solved yet; submit it as a job."),
        )
    return Response(_known(solution), content_type=_MEDIA_TYPES[SolutionFormat.JSON])


def _known(solution: SolutionView) -> Iterator[str]:
    """Write a `SolutionDocument`, whose moves may be millions, as a stream."""
    head = SolutionDocument.of(solution).model_dump_json(exclude={"moves"})
    yield head[:-1] + ',"moves":"'
    yield from letters(solution.moves)
    yield '"}'


def _effort(job_id: str) -> Effort | None:
    run = services().read.view(job_id).run
    return None if run is None else run.effort


def none_of(job_id: str) -> ProblemError:
    view = services().read.view(job_id)
    if view.message == WITHDRAWN:
        return ProblemError(NO_SOLUTION, WITHDRAWN)
    if view.finished:
        return ProblemError(
            NO_SOLUTION,
            Message(
                "ended-without-solution",
                "The job ended {state} without a solution; submit the board again.",
                state=view.state,
            ),
        )
    return ProblemError(
        NO_SOLUTION_YET,
        Message(
            "no-solution-yet",
            "The job is {state}; a solution has at least {moves}.",
            state=view.state,
            moves=view.options.metric.describe(view.lower_bound),
        ),
        retry_after_s=_RETRY_AFTER_S,
    )


def _file_name(solution: SolutionView, solution_format: SolutionFormat) -> str:
    width, height = solution.start.size
    extension = _EXTENSIONS.get(solution_format, "txt")
    return f"tilework-{width}x{height}-{len(solution.moves)}-{solution_format}.{extension}"


certificates_api = APIBlueprint(
    "certificates", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="solutions")]
)


@certificates_api.get(
    "/jobs/<uuid:job_id>/certificate",
    operation_id="readCertificate",
    responses={200: Certificate, **problem_responses(404, 409, 422)},
)
@parsed_request
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
    response.headers["Content-Disposition"] = f'attachment; filename="{_certificate_name(found)}"'
    return response


def _certificate_name(found: CertificateView) -> str:
    width, height = found.solution.start.size
    return f"tilework-certificate-{width}x{height}-{len(found.solution.moves)}.json"
