"""The routes of all pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response

from tilework.web.i18n import set_language_headers
from tilework.web.pages import (
    board_validation,
    forms,
    history,
    home,
    learn,
    operator,
    pictures,
    play,
    site,
)
from tilework.web.pages.batches import batch
from tilework.web.pages.jobs import job, sharing
from tilework.web.pages.lab import compare, lab, steps, worksheet
from tilework.web.pages.questions import games, shortest_paths

pages = Blueprint("pages", __name__)

_GET_ROUTES: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("/", "home", home.show),
    # The former URL of the history.
    ("/jobs", "old_history", history.redirect_old_url),
    ("/history", "history", history.show),
    ("/history.csv", "history_csv", history.export_csv),
    ("/history.json", "history_json", history.export_json),
    # A form's error page has this URL, so it must be possible to open it.
    ("/history/<uuid:entry_id>/name", "redirect_to_history", history.redirect_to_list),
    ("/jobs/<uuid:job_id>", "job", job.show),
    # A form's error page has this URL, so it must be possible to open it.
    ("/jobs/<uuid:job_id>/again", "redirect_to_job", job.redirect_to_job),
    ("/batches/<uuid:batch_id>", "batch", batch.show),
    # A form's error page has this URL, so it must be possible to open it.
    ("/batches/<uuid:batch_id>/prove", "redirect_to_batch", batch.redirect_to_batch),
    ("/jobs/<uuid:job_id>/board.svg", "job_board", pictures.board),
    ("/jobs/<uuid:job_id>/thumbnail.png", "job_thumbnail", pictures.thumbnail),
    ("/jobs/<uuid:job_id>/preview.png", "job_preview", pictures.preview),
    ("/jobs/<uuid:job_id>/solution.gif", "job_animation", pictures.animation),
    ("/jobs/<uuid:job_id>/qr.svg", "job_qr_code", pictures.qr_code),
    ("/jobs/<uuid:job_id>/sheet", "print_view", sharing.show_print_view),
    ("/embed/jobs/<uuid:job_id>", "embed", sharing.show_embed),
    ("/analyse", "analyse", games.show_form),
    ("/analyses/<uuid:analysis_id>", "analysis", games.show),
    ("/analyses/<uuid:analysis_id>/replay.gif", "game_replay", pictures.game_replay),
    ("/ways", "shortest_paths", shortest_paths.show_form),
    ("/ways/<uuid:ways_id>", "shortest_paths_result", shortest_paths.show),
    ("/compare", "compare", compare.show_form),
    ("/comparisons/<uuid:comparison_id>", "comparison", compare.show),
    ("/comparisons/<uuid:comparison_id>/nodes.svg", "nodes_chart", pictures.nodes),
    ("/lab", "lab", lab.show),
    ("/lab/<uuid:comparison_id>", "steps", steps.show),
    ("/lab/<uuid:comparison_id>/worksheet", "worksheet", worksheet.show),
    ("/learn", "learn", learn.show),
    ("/play", "play", play.show),
    ("/play/offline.js", "play_offline", play.offline_worker),
    ("/statistics", "statistics", site.statistics),
    ("/operator", "operator", operator.show),
)
_POST_ROUTES: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("/jobs", "submit", home.submit),
    ("/history/<uuid:entry_id>/name", "rename_entry", history.rename),
    ("/history/<uuid:entry_id>/remove", "remove_entry", history.remove),
    ("/jobs/<uuid:job_id>/again", "continue_search", job.continue_search),
    ("/batches/<uuid:batch_id>/prove", "prove_rest", batch.prove_rest),
    ("/analyses", "submit_game", games.submit),
    ("/analyses/<uuid:analysis_id>/cancel", "cancel_analysis", games.cancel),
    ("/ways", "submit_shortest_paths", shortest_paths.submit),
    ("/ways/<uuid:ways_id>/cancel", "cancel_shortest_paths", shortest_paths.cancel),
    ("/comparisons", "submit_comparison", compare.submit),
    ("/comparisons/<uuid:comparison_id>/cancel", "cancel_comparison", compare.cancel),
    ("/lab", "submit_lab", lab.submit),
    ("/board/check", "check", board_validation.check_board),
    ("/board/file", "read_file", board_validation.read_file),
    ("/board/upload", "upload", home.upload_file),
    ("/board/scramble", "scramble_board", board_validation.scramble_board),
    ("/operator", "operate", operator.act),
    ("/operator/key", "operator_key", operator.enter_key),
    ("/language", "choose_language", site.choose_language),
)
for rule, name, view in _GET_ROUTES:
    pages.add_url_rule(rule, name, view)
for rule, name, view in _POST_ROUTES:
    pages.add_url_rule(rule, name, view, methods=["POST"])

_TRANSLATED_TYPES = ("text/html", "application/json")


@pages.after_request
def _set_language(response: Response) -> Response:
    return set_language_headers(response) if response.mimetype in _TRANSLATED_TYPES else response


pages.before_request(forms.reject_costly_forms)
pages.app_context_processor(site.make_template_context)
site.register_filters(pages)
