"""Why a form was rejected: shown immediately and visibly until the form is changed.

The site has no workers: jobs stay unfinished, so that quotas and limits are reached reliably.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.app_server import serve_pages
from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import JOB_ADDRESS, open_options, overflow

REJECTED = r"status of (422|429|503)"
FAR, NEAR = "8 6 7 2 5 4 3 0 1", "1 2 3 4 5 6 0 7 8"

Serve = Callable[..., str]
FillForm = Callable[[Page], None]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve the pages alone, with given settings; return the address."""
    with ExitStack() as endings:
        yield lambda **options: endings.enter_context(serve_pages(tmp_path, **options))[0]


@pytest.fixture
def open_page(serve: Serve, open_page: OpenPage) -> OpenPage:
    """Pages that are closed before their server ends, so that none sends failing requests."""
    return open_page


def press_and_wait_for_the_check(page: Page) -> None:
    """Submit the form by a key; wait until the board of the next page is checked.

    The text of a check moves the button away from a click.
    """
    with page.expect_response("**/board/check"):
        page.locator('main .button-main[type="submit"]').press("Enter")
    page.wait_for_load_state("networkidle")


def enter_negative_gap(page: Page) -> None:
    page.get_by_label("Your board").fill(NEAR)
    open_options(page)
    page.locator("label").filter(has=page.locator('[value="gap"]')).click()
    page.get_by_label("Maximum gap").fill("-5")


def submit_and_enter_another_board(page: Page) -> None:
    page.get_by_label("Your board").fill(NEAR)
    page.locator("#solve-it").press("Enter")
    expect(page).to_have_url(JOB_ADDRESS)
    page.goto("/")
    page.get_by_label("Your board").fill(FAR)
    open_options(page)
    page.get_by_label("Time limit").select_option("3600")


ERRORS = [
    pytest.param({}, enter_negative_gap, "Maximum gap, in percent: '-5' is too small", id="gap"),
    pytest.param(
        {"jobs_per_client": 1},
        submit_and_enter_another_board,
        "You have 1 unfinished job; 1 more would exceed the limit of 1.",
        id="quota",
    ),
    pytest.param(
        {"depth_cap": 1},
        submit_and_enter_another_board,
        "The service has 1 unfinished job and accepts no more for now.",
        id="overload",
    ),
]


def fields(page: Page) -> dict[str, str]:
    """Return what the form would send."""
    return page.locator("main form[method=post]").evaluate(
        "(form) => Object.fromEntries(new FormData(form))"
    )


@pytest.mark.parametrize(("options", "fill_form", "words"), ERRORS)
def test_error_stays_visible_until_the_form_is_changed(
    open_page: OpenPage, serve: Serve, options: dict[str, object], fill_form: FillForm, words: str
) -> None:
    path = serve(**options)
    page = open_page(device="phone", base_url=path, expected=REJECTED)
    fill_form(page)
    given = fields(page)
    press_and_wait_for_the_check(page)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(words)
    expect(alert).to_be_in_viewport(ratio=1)
    expect(alert).to_be_focused()
    assert fields(page) == given
    assert overflow(page) == []
    assert find_violations(page) == []
    page.locator('main .button-main[type="submit"]').scroll_into_view_if_needed()
    expect(alert).to_be_in_viewport(ratio=1)
    page.get_by_label("Your board").fill("2 3 1 0")
    expect(page.locator("#verdict")).to_contain_text("2×2")
    expect(alert).to_have_count(0)

    plain = open_page(base_url=path, expected=REJECTED, java_script_enabled=False)
    plain.get_by_label("Your board").fill("")
    plain.locator("#solve-it").press("Enter")
    expect(plain.get_by_role("alert")).to_be_in_viewport(ratio=1)


def test_every_form_rejects_input_visibly_in_portuguese(open_page: OpenPage, web: str) -> None:
    page = open_page(device="phone", base_url=web, locale="pt-BR", expected=REJECTED)
    for address in ("/", "/compare", "/lab"):
        page.goto(address)
        page.locator("#verdict [data-tiles]").wait_for()
        page.locator("#board").fill("")
        press_and_wait_for_the_check(page)
        error = page.get_by_role("alert")
        expect(error).to_contain_text("O tabuleiro está vazio")
        expect(error).to_be_in_viewport(ratio=1)
