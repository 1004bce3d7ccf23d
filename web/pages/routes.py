"""The routes of all pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response

from tilework.web.i18n import set_language_headers
from tilework.web.pages import (
    batches,
    board_validation,
    forms,
    history,
    home,
    jobs,
    operator,
    pictures,
    play,
    site,
)
from tilework.web.pages.lab import compare, form, lab, worksheet
from tilework.web.pages.questions import games, shortest_paths

pages = Blueprint("pages", __name__)

_GET_ROUTES: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("/", "home", home.show),
    ("/history", "history", history.show),
    ("/jobs/<uuid:job_id>", "job", jobs.show),
    ("/batches/<uuid:batch_id>", "batch", batches.show),
    ("/jobs/<uuid:job_id>/board.svg", "job_board", pictures.board),
    ("/jobs/<uuid:job_id>/thumbnail.png", "job_thumbnail", pictures.thumbnail),
    ("/jobs/<uuid:job_id>/preview.png", "job_preview", pictures.preview),
    ("/jobs/<uuid:job_id>/solution.gif", "job_animation", pictures.animation),
    ("/jobs/<uuid:job_id>/qr.svg", "job_qr_code", pictures.qr_code),
    ("/jobs/<uuid:job_id>/sheet", "print_view", jobs.show_print_view),
    ("/embed/jobs/<uuid:job_id>", "embed", jobs.show_embed),
    ("/analyse", "analyse", games.show_form),
    ("/analyses/<uuid:analysis_id>", "analysis", games.show),
    ("/analyses/<uuid:analysis_id>/replay.gif", "game_replay", pictures.game_replay),
    ("/ways", "shortest_paths", shortest_paths.show_form),
    ("/ways/<uuid:ways_id>", "shortest_paths_result", shortest_paths.show),
    ("/compare", "compare", form.show_comparison_form),
    ("/comparisons/<uuid:comparison_id>", "comparison", compare.show),
    ("/lab", "lab", form.show_steps_form),
    ("/lab/<uuid:comparison_id>", "steps", lab.show_steps),
    ("/lab/<uuid:comparison_id>/worksheet", "worksheet", worksheet.show),
    ("/learn", "learn", site.learn),
    ("/play", "play", play.show),
    ("/play/offline.js", "play_offline", play.offline_worker),
    ("/statistics", "statistics", site.statistics),
    ("/operator", "operator", operator.show),
)
# An error page has the URL of its form; opened again, it leads to the page that has the form.
_POST_ROUTES: tuple[tuple[str, str, Callable[..., Any], str | None], ...] = (
    ("/jobs", "submit", home.submit, "home"),
    ("/jobs/<uuid:job_id>/again", "continue_search", jobs.continue_search, "job"),
    ("/jobs/<uuid:job_id>/cancel", "cancel_job", jobs.cancel, "job"),
    ("/batches/<uuid:batch_id>/prove", "prove_rest", batches.prove_rest, "batch"),
    ("/analyses", "submit_game", games.submit, "analyse"),
    ("/analyses/<uuid:analysis_id>/cancel", "cancel_analysis", games.cancel, "analysis"),
    ("/ways", "submit_shortest_paths", shortest_paths.submit, None),
    (
        "/ways/<uuid:ways_id>/cancel",
        "cancel_shortest_paths",
        shortest_paths.cancel,
        "shortest_paths_result",
    ),
    ("/comparisons", "submit_comparison", form.submit, "compare"),
    (
        "/comparisons/<uuid:comparison_id>/cancel",
        "cancel_comparison",
        compare.cancel,
        "comparison",
    ),
    ("/lab", "submit_lab", form.submit, None),
    ("/board/check", "check", board_validation.check_board, None),
    ("/board/file", "read_file", board_validation.read_file, None),
    ("/board/upload", "upload", home.upload_file, "home"),
    ("/operator", "operate", operator.act, None),
    ("/operator/key", "operator_key", operator.enter_key, "operator"),
    ("/language", "choose_language", site.choose_language, "home"),
)
for rule, name, view in _GET_ROUTES:
    pages.add_url_rule(rule, name, view)
for rule, name, view, page in _POST_ROUTES:
    pages.add_url_rule(rule, name, view, methods=["POST"])
    if page is not None:
        pages.add_url_rule(rule, f"{name}_page", site.make_redirect(f"pages.{page}"))

_TRANSLATED_TYPES = ("text/html", "application/json")


@pages.after_request
def _set_language(response: Response) -> Response:
    return set_language_headers(response) if response.mimetype in _TRANSLATED_TYPES else response


pages.before_request(forms.reject_costly_forms)
pages.app_context_processor(site.make_template_context)
site.register_filters(pages)
