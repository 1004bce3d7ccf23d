"""The reason for rejecting a form is shown immediately, and until the form is changed.

The site has no workers: jobs stay unfinished, so quotas and limits are reached reliably.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.app_server import serve_pages
from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import JOB_URL, find_overflow, open_options

REJECTION_ERRORS = r"status of (422|429|503)"
FAR_BOARD, NEAR_BOARD = "8 6 7 2 5 4 3 0 1", "1 2 3 4 5 6 0 7 8"

Serve = Callable[..., str]
FillForm = Callable[[Page], None]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve only the pages, with these settings; return the URL."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(serve_pages(tmp_path, **options))[0]


@pytest.fixture
def open_page(serve: Serve, open_page: OpenPage) -> OpenPage:
    """Opens pages that are closed before their server stops, so their requests do not fail."""
    return open_page


def press_and_wait_for_the_check(page: Page) -> None:
    """Submit the form with a key; wait until the board of the next page is checked.

    A click could miss the button, which moves when the result of the check appears.
    """
    with page.expect_response("**/board/check"):
        page.locator('main .button-main[type="submit"]').press("Enter")
    page.wait_for_load_state("networkidle")


def enter_negative_gap(page: Page) -> None:
    page.get_by_label("Your board").fill(NEAR_BOARD)
    open_options(page)
    page.locator("label").filter(has=page.locator('[value="gap"]')).click()
    page.get_by_label("Maximum gap").fill("-5")


def submit_and_enter_another_board(page: Page) -> None:
    page.get_by_label("Your board").fill(NEAR_BOARD)
    page.locator("#solve-it").press("Enter")
    expect(page).to_have_url(JOB_URL)
    page.goto("/")
    page.get_by_label("Your board").fill(FAR_BOARD)
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


def read_form(page: Page) -> dict[str, str]:
    """Return the values that the form would send."""
    form = page.locator("main form[method=post]")
    return form.evaluate("(form) => Object.fromEntries(new FormData(form))")


@pytest.mark.parametrize(("options", "fill_form", "error"), ERRORS)
def test_error_stays_visible_until_the_form_is_changed(
    open_page: OpenPage, serve: Serve, options: dict[str, object], fill_form: FillForm, error: str
) -> None:
    url = serve(**options)
    page = open_page(device="phone", base_url=url, expected=REJECTION_ERRORS)
    fill_form(page)
    values = read_form(page)
    press_and_wait_for_the_check(page)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(error)
    expect(alert).to_be_in_viewport(ratio=1)
    expect(alert).to_be_focused()
    assert read_form(page) == values
    assert find_overflow(page) == []
    assert find_violations(page) == []
    page.locator('main .button-main[type="submit"]').scroll_into_view_if_needed()
    expect(alert).to_be_in_viewport(ratio=1)
    page.get_by_label("Your board").fill("2 3 1 0")
    expect(page.locator("#verdict")).to_contain_text("2×2")
    expect(alert).to_have_count(0)

    plain_page = open_page(base_url=url, expected=REJECTION_ERRORS, java_script_enabled=False)
    plain_page.get_by_label("Your board").fill("")
    plain_page.locator("#solve-it").press("Enter")
    expect(plain_page.get_by_role("alert")).to_be_in_viewport(ratio=1)


def test_every_form_rejects_input_visibly_in_portuguese(open_page: OpenPage, web: str) -> None:
    page = open_page(device="phone", base_url=web, locale="pt-BR", expected=REJECTION_ERRORS)
    for path in ("/", "/compare", "/lab"):
        page.goto(path)
        page.locator("#verdict [data-tiles]").wait_for()
        page.locator("#board").fill("1 2 3 q")
        press_and_wait_for_the_check(page)
        error = page.get_by_role("alert")
        expect(error).to_contain_text("'q' não é")
        expect(error).to_be_in_viewport(ratio=1)
