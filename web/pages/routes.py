"""The pages' addresses, all in one table."""

from __future__ import annotations

from flask import Blueprint, Response

from tilework.web.i18n import name_language
from tilework.web.pages import (
    batch,
    filters,
    forms,
    language,
    statistics,
)
from tilework.web.pages.games import analyse, analysis
from tilework.web.pages.history import export, history
from tilework.web.pages.home import board_file, boards, home
from tilework.web.pages.jobs import embed, job, pictures, sheet
from tilework.web.pages.lab import compare, comparison, lab, picture, steps
from tilework.web.pages.play import offline, play
from tilework.web.pages.ways import ask, found

pages = Blueprint("pages", __name__)

pages.add_url_rule("/", "home", home.show)
pages.add_url_rule("/jobs", "submit", home.submit, methods=["POST"])
# Where the list of jobs was.
pages.add_url_rule("/jobs", "my_jobs", history.old_address)
pages.add_url_rule("/history", "history", history.show)
pages.add_url_rule("/history.csv", "history_csv", export.as_csv)
pages.add_url_rule("/history.json", "history_json", export.as_json)
pages.add_url_rule(
    "/history/<uuid:entry_id>/name", "rename_entry", history.rename, methods=["POST"]
)
pages.add_url_rule(
    "/history/<uuid:entry_id>/remove", "remove_entry", history.remove, methods=["POST"]
)
# Where a refusal was shown, and is loaded again.
pages.add_url_rule("/history/<uuid:entry_id>/name", "after_change", history.after_change)
pages.add_url_rule("/jobs/<uuid:job_id>", "job", job.show)
pages.add_url_rule("/jobs/<uuid:job_id>/again", "search_on", job.search_on, methods=["POST"])
# Where a refusal was shown, and is loaded again.
pages.add_url_rule("/jobs/<uuid:job_id>/again", "after_search_on", job.after_search_on)
pages.add_url_rule("/batches/<uuid:batch_id>", "batch", batch.show)
pages.add_url_rule("/jobs/<uuid:job_id>/board.svg", "job_board", pictures.board)
pages.add_url_rule("/jobs/<uuid:job_id>/preview.png", "job_preview", pictures.preview)
pages.add_url_rule("/jobs/<uuid:job_id>/solution.gif", "job_animation", pictures.animation)
pages.add_url_rule("/jobs/<uuid:job_id>/qr.svg", "job_code", pictures.code)
pages.add_url_rule("/jobs/<uuid:job_id>/sheet", "sheet", sheet.show)
pages.add_url_rule("/embed/jobs/<uuid:job_id>", "embed", embed.show)
pages.add_url_rule("/analyse", "analyse", analyse.show)
pages.add_url_rule("/analyses", "submit_game", analyse.submit, methods=["POST"])
pages.add_url_rule("/analyses/<uuid:analysis_id>", "analysis", analysis.show)
pages.add_url_rule(
    "/analyses/<uuid:analysis_id>/cancel", "cancel_analysis", analysis.cancel, methods=["POST"]
)
pages.add_url_rule("/ways", "ways", ask.show)
pages.add_url_rule("/ways", "submit_ways", ask.submit, methods=["POST"])
pages.add_url_rule("/ways/<uuid:ways_id>", "ways_found", found.show)
pages.add_url_rule("/ways/<uuid:ways_id>/cancel", "cancel_ways", found.cancel, methods=["POST"])
pages.add_url_rule("/compare", "compare", compare.show)
pages.add_url_rule("/comparisons", "submit_comparison", compare.submit, methods=["POST"])
pages.add_url_rule("/comparisons/<uuid:comparison_id>", "comparison", comparison.show)
pages.add_url_rule("/comparisons/<uuid:comparison_id>/nodes.svg", "nodes_picture", picture.nodes)
pages.add_url_rule(
    "/comparisons/<uuid:comparison_id>/cancel",
    "cancel_comparison",
    comparison.cancel,
    methods=["POST"],
)
pages.add_url_rule("/lab", "lab", lab.show)
pages.add_url_rule("/lab", "watch", lab.submit, methods=["POST"])
pages.add_url_rule("/lab/<uuid:comparison_id>", "steps", steps.show)
pages.add_url_rule("/play", "play", play.show)
pages.add_url_rule("/play/offline.js", "play_offline", offline.worker)
pages.add_url_rule("/statistics", "statistics", statistics.show)
pages.add_url_rule("/board/check", "check", boards.check, methods=["POST"])
pages.add_url_rule("/board/file", "read_file", boards.read_file, methods=["POST"])
pages.add_url_rule("/board/upload", "upload", board_file.show, methods=["POST"])
pages.add_url_rule("/board/scramble", "scramble_board", boards.scramble_board, methods=["POST"])
pages.add_url_rule("/language", "choose_language", language.choose, methods=["POST"])


_IN_A_LANGUAGE = ("text/html", "application/json")


@pages.after_request
def _name_language(answer: Response) -> Response:
    return name_language(answer) if answer.mimetype in _IN_A_LANGUAGE else answer


pages.before_request(forms.refuse_costly_forms)
pages.app_context_processor(language.template_context)
filters.register(pages)
