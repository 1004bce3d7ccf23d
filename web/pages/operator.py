"""The operator's page: the state of the service, and buttons for actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.arguments import check_choice, not_available
from tilework.core.errors import AuthenticationError, ForbiddenError, NotFoundError
from tilework.core.model.states import Priority, SuspensionKind
from tilework.web.clients import (
    is_operator,
    require_operator,
    services,
    sign_in_by_key,
    sign_in_by_token,
)
from tilework.web.pages.forms import FORM_ERRORS, describe_error
from tilework.web.pages.texts import queue_names, state_names


def show() -> BaseResponse:
    if (token := request.args.get("token")) is not None:
        return _sign_in(partial(sign_in_by_token, token=token))
    return _render_page() if is_operator() else _render_sign_in("", HTTPStatus.FORBIDDEN)


def enter_key() -> BaseResponse:
    return _sign_in(partial(sign_in_by_key, secret=request.form.get("key", "").strip()))


def _sign_in(set_cookie: Callable[[Response], object]) -> BaseResponse:
    response = make_response(redirect(url_for("pages.operator"), HTTPStatus.SEE_OTHER))
    try:
        set_cookie(response)
    except (AuthenticationError, ForbiddenError) as error:
        return _render_sign_in(describe_error(error), HTTPStatus.FORBIDDEN)
    return response


def act() -> BaseResponse:
    require_operator()
    try:
        _act(request.form.get("action", ""), request.form.get("name", "").strip())
    except (*FORM_ERRORS, NotFoundError) as error:
        return _render_page(describe_error(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect(url_for("pages.operator"), HTTPStatus.SEE_OTHER)


def _act(action: str, name: str) -> None:
    operation = services().operation
    verb, _separator, choice = action.partition("-")
    match verb:
        case "suspend":
            operation.suspend(check_choice(choice, SuspensionKind), name)
        case "resume":
            operation.resume(check_choice(choice, SuspensionKind), name)
        case "priority":
            operation.set_priority(name, check_choice(choice, Priority))
        case "cancel":
            operation.cancel(name)
        case "retry":
            operation.retry(name)
        case "drop":
            operation.drop(name)
        case "build":
            operation.databases.request_build(name)
        case "delete":
            operation.databases.delete(name)
        case _:
            raise not_available(
                action,
                ("suspend", "resume", "priority", "cancel", "retry", "drop", "build", "delete"),
            )


def _render_sign_in(problem: str, status: HTTPStatus) -> BaseResponse:
    return make_response(render_template("operator/sign_in.html", problem=problem), status)


def _render_page(problem: str = "", status: HTTPStatus = HTTPStatus.OK) -> BaseResponse:
    page = render_template(
        "operator/operator.html",
        view=services().operation.view(),
        problem=problem,
        queue_names=queue_names(),
        state_names=state_names(),
    )
    response = make_response(page, status)
    response.headers["Cache-Control"] = "private, no-store"
    return response
