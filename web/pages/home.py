"""The home page: submit a board, typed or from a file, as a job."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from http import HTTPStatus

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import BoardError, InputError, UnsolvableError
from tilework.core.lab.methods import LabAlgorithm, LabHeuristic
from tilework.core.model.history import EntryKind
from tilework.core.model.job_options import Algorithm, Heuristic, JobOptions, Metric, TargetKind
from tilework.core.model.jobs import JobView
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import GoalName, explain
from tilework.core.services.jobs.submit import Submission
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import gettext as _
from tilework.web.i18n import translate
from tilework.web.pages import batches
from tilework.web.pages.board_validation import (
    decode_upload,
    parse_board_list,
    suggest_fixes,
    swap_tiles,
)
from tilework.web.pages.examples import FIRST_MOVE, examples
from tilework.web.pages.forms import (
    FORM_ERRORS,
    MAX_PROVABLE_CELLS,
    BoardForm,
    describe_error,
    error_response,
    format_board,
    format_sentence,
    goal_choices,
    parse_board,
    parse_goal,
    read_options,
)
from tilework.web.pages.lab.texts import algorithm_names, heuristic_names
from tilework.web.pages.play import MAX_PLAYABLE_SIDE, play_url, too_large_message
from tilework.web.pages.texts import format_length

_BOARDS = ("board", "goal_board")


@dataclass(frozen=True)
class SolveForm(BoardForm):
    metric: str = Metric.MOVES
    target: str = TargetKind.OPTIMAL
    gap: str = "5"
    time_limit_s: str = "600"
    algorithm: str = Algorithm.AUTO
    heuristic: str = Heuristic.AUTO

    def submission(self) -> Submission:
        boards = [self.read_puzzle(services().settings.max_cells)]
        return Submission(client_id=current_client_id(), boards=boards, options=self.options())

    def options(self) -> JobOptions:
        options = read_options(
            JobOptions,
            {"gap": _("Maximum gap, in percent"), "time_limit_s": _("Time limit")},
            metric=self.metric,
            target=self.target,
            gap=self.gap if self.target == TargetKind.GAP else "",
            time_limit_s=self.time_limit_s,
            algorithm=self.algorithm,
            heuristic=self.heuristic,
        )
        if options.gap is None:
            return options
        return options.model_copy(update={"gap": options.gap / 100})

    def submit_batch(self) -> str | None:
        """Submit a list of boards and return its URL, or None if the text is a single board."""
        board_list = parse_board_list(self.board)
        if board_list is None:
            return None
        return batches.submit_batch(
            board_list, lambda size: parse_goal(size, self.goal, self.goal_board), self.options()
        )

    def apply_fix(self, fix: str | None) -> SolveForm:
        """Return the form with a suggested fix: another goal, or two tiles swapped."""
        if not fix:
            return self
        if fix in set(map(str, GoalName)):
            return replace(self, goal=fix)
        board = parse_board(self.board, services().settings.max_cells)
        return replace(self, board=format_board(swap_tiles(board, fix)))


def show() -> str:
    form = SolveForm.from_query(request.args)
    return _render_page(replace(form, board=form.board or examples()[0].text))


def submit() -> Response:
    form = SolveForm.from_form(request.form)
    try:
        form = form.apply_fix(request.form.get("remedy"))
        url = _submit(form)
    except UnsolvableError as error:
        return error_response(_render_unsolvable(form), error)
    except FORM_ERRORS as error:
        return error_response(_render_page(form, problem=describe_error(error)), error)
    return redirect(url, HTTPStatus.SEE_OTHER)


def _submit(form: SolveForm) -> str:
    try:
        submission = form.submission()
    except BoardError:
        url = form.submit_batch()
        if url is None:
            raise
        return url
    return url_for("pages.job", job_id=services().submit(submission).id)


def _render_unsolvable(form: SolveForm) -> str:
    start, goal = form.read_puzzle(services().settings.max_cells)
    explanation = explain(start, goal)
    return _render_page(
        form,
        problem=_("%(size)s: unsolvable.", size=start.size),
        fixes=suggest_fixes(start, goal, explanation),
        reason=translate(explanation.message),
    )


def _render_page(form: SolveForm, **error: object) -> str:
    defaults = {name: value for name, value in asdict(SolveForm()).items() if name not in _BOARDS}
    return render_template(
        "home.html",
        form=asdict(form),
        picture=form.picture(),
        defaults=defaults,
        changed=any(value != defaults.get(name, value) for name, value in asdict(form).items()),
        play=_play_url(form),
        playable_side=MAX_PLAYABLE_SIDE,
        too_large=format_sentence(too_large_message("{size}")),
        size=_board_size(form),
        guide=FIRST_MOVE,
        search=_find_search(),
        max_cells=services().settings.max_cells,
        example_text="14 13 15  7\n11 12  9  5\n 6  0  2  1\n 4  8 10  3",
        examples=examples(),
        goals=goal_choices(),
        algorithms=_algorithm_choices(),
        heuristics=_heuristic_choices(),
        **error,
    )


def _find_search() -> tuple[str, str] | None:
    """Return the id of the visitor's newest unfinished job, and what it has found so far."""
    client_id = known_client_id()
    if client_id is None:
        return None
    for _kind, job in services().history.searched(client_id, (EntryKind.JOB,), limit=1):
        if isinstance(job, JobView):
            return job.id, _describe_progress(job)
    return None


def _describe_progress(job: JobView) -> str:
    size = f"{job.width}×{job.height}"
    if job.upper_bound is None:
        return _("Your %(size)s: still searching", size=size)
    length = format_length(job.upper_bound, job.options.metric)
    if job.width * job.height > MAX_PROVABLE_CELLS:
        return _("Your %(size)s: %(length)s, still improving", size=size, length=length)
    return _("Your %(size)s: %(length)s, not yet proven", size=size, length=length)


def _algorithm_choices() -> list[tuple[str, str]]:
    titles = algorithm_names()
    special_names = {Algorithm.AUTO: _("Automatic"), Algorithm.CONSTRUCTIVE: _("Constructive")}
    return [(name, special_names.get(name) or titles[LabAlgorithm(name)]) for name in Algorithm]


def _heuristic_choices() -> list[tuple[str, str]]:
    titles = heuristic_names()
    return [
        (name, _("Automatic") if name is Heuristic.AUTO else titles[LabHeuristic(name)])
        for name in Heuristic
    ]


def _board_size(form: SolveForm) -> Size:
    try:
        return parse_board(form.board, services().settings.max_cells).size
    except BoardError:
        return Size(4, 4)


def _play_url(form: SolveForm) -> str | None:
    try:
        board, goal = form.read_puzzle(services().settings.max_cells)
    except BoardError:
        return None
    return play_url(board, goal) if board.is_solvable(goal) else None


def upload_file() -> Response | str:
    """Show the home page with the text of a file, which is validated when it is submitted."""
    upload = request.files.get("file")
    content = b"" if upload is None else upload.read()
    name = (upload.filename or "") if upload is not None else ""
    try:
        return _render_page(SolveForm(board=decode_upload(content, name[:80])))
    except InputError as error:
        return error_response(_render_page(SolveForm(), problem=describe_error(error)), error)
