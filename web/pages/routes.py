"""The pages' addresses, all in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response

from tilework.web.i18n import set_language_headers
from tilework.web.pages import (
    batch,
    board_checks,
    forms,
    history,
    home,
    job,
    pictures,
    play,
    sharing,
    site,
)
from tilework.web.pages.lab import compare, lab, steps
from tilework.web.pages.questions import games, ways

pages = Blueprint("pages", __name__)

_SHOWN: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("/", "home", home.show),
    # Where the list of jobs was.
    ("/jobs", "my_jobs", history.old_address),
    ("/history", "history", history.show),
    ("/history.csv", "history_csv", history.as_csv),
    ("/history.json", "history_json", history.as_json),
    # Where a refusal was shown, and is loaded again.
    ("/history/<uuid:entry_id>/name", "after_change", history.after_change),
    ("/jobs/<uuid:job_id>", "job", job.show),
    # As above.
    ("/jobs/<uuid:job_id>/again", "after_search_on", job.after_search_on),
    ("/batches/<uuid:batch_id>", "batch", batch.show),
    ("/jobs/<uuid:job_id>/board.svg", "job_board", pictures.board),
    ("/jobs/<uuid:job_id>/preview.png", "job_preview", pictures.preview),
    ("/jobs/<uuid:job_id>/solution.gif", "job_animation", pictures.animation),
    ("/jobs/<uuid:job_id>/qr.svg", "job_code", pictures.code),
    ("/jobs/<uuid:job_id>/sheet", "sheet", sharing.print_view),
    ("/embed/jobs/<uuid:job_id>", "embed", sharing.embed),
    ("/analyse", "analyse", games.ask),
    ("/analyses/<uuid:analysis_id>", "analysis", games.show),
    ("/ways", "ways", ways.ask),
    ("/ways/<uuid:ways_id>", "ways_found", ways.show),
    ("/compare", "compare", compare.ask),
    ("/comparisons/<uuid:comparison_id>", "comparison", compare.show),
    ("/comparisons/<uuid:comparison_id>/nodes.svg", "nodes_picture", pictures.nodes),
    ("/lab", "lab", lab.show),
    ("/lab/<uuid:comparison_id>", "steps", steps.show),
    ("/play", "play", play.show),
    ("/play/offline.js", "play_offline", play.worker),
    ("/statistics", "statistics", site.statistics),
)
_SENT: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("/jobs", "submit", home.submit),
    ("/history/<uuid:entry_id>/name", "rename_entry", history.rename),
    ("/history/<uuid:entry_id>/remove", "remove_entry", history.remove),
    ("/jobs/<uuid:job_id>/again", "search_on", job.search_on),
    ("/analyses", "submit_game", games.submit),
    ("/analyses/<uuid:analysis_id>/cancel", "cancel_analysis", games.cancel),
    ("/ways", "submit_ways", ways.submit),
    ("/ways/<uuid:ways_id>/cancel", "cancel_ways", ways.cancel),
    ("/comparisons", "submit_comparison", compare.submit),
    ("/comparisons/<uuid:comparison_id>/cancel", "cancel_comparison", compare.cancel),
    ("/lab", "watch", lab.submit),
    ("/board/check", "check", board_checks.check),
    ("/board/file", "read_file", board_checks.read_file),
    ("/board/upload", "upload", home.with_file),
    ("/board/scramble", "scramble_board", board_checks.scramble_board),
    ("/language", "choose_language", site.choose_language),
)
for address, name, view in _SHOWN:
    pages.add_url_rule(address, name, view)
for address, name, view in _SENT:
    pages.add_url_rule(address, name, view, methods=["POST"])

_IN_A_LANGUAGE = ("text/html", "application/json")


@pages.after_request
def _name_language(answer: Response) -> Response:
    return set_language_headers(answer) if answer.mimetype in _IN_A_LANGUAGE else answer


pages.before_request(forms.refuse_costly_forms)
pages.app_context_processor(site.template_context)
site.register_filters(pages)
