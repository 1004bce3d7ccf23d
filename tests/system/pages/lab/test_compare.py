from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.steps import STEPS_URL
from tests.system.pages.visitor import find_overflow

BOARD = "1 2 3 4 5 0 6 7 8"
LENGTH, OPTIMAL, VISITED = 2, 3, 4


def read_cells(page: Page, method: str) -> list[str]:
    return page.locator(f'tr[data-key="{method}"] > *').all_inner_texts()


def read_order(page: Page) -> list[str]:
    rows = page.locator(".runs tbody tr")
    return rows.evaluate_all("(rows) => rows.map((row) => row.dataset.key)")


def make_comparison(page: Page, *methods: str, **options: object) -> None:
    """Request a comparison and open its page when it has ended."""
    response = page.request.post("/api/v1/comparisons", data={"methods": methods} | options)
    assert response.ok, response.text()
    page.goto(f"/comparisons/{response.json()['id']}")
    expect(page.locator(".badge-finished")).to_be_visible()


def test_columns_sort_by_click_and_by_key(open_page: OpenPage) -> None:
    page = open_page("/compare")
    make_comparison(page, "a-star:zero", "a-star:manhattan", "greedy:manhattan", board=BOARD)
    # Charts with a logarithmic scale have dots, the others bars.
    for chart, name in (("generated", "circle"), ("length", "rect")):
        panel = page.locator(f'[data-chart="{chart}"]')
        expect(panel.locator(f"{name}.bars-optimal").first).to_be_visible()
    initial_order, headers = read_order(page), page.locator(".runs thead th")
    page.get_by_role("button", name="Visited").click()
    expect(headers.nth(VISITED)).to_have_attribute("aria-sort", "ascending")
    ascending_order = read_order(page)
    counts = [int(read_cells(page, key)[VISITED].replace(",", "")) for key in ascending_order]
    assert counts == sorted(counts)
    page.keyboard.press("Enter")
    expect(headers.nth(VISITED)).to_have_attribute("aria-sort", "descending")
    assert read_order(page) == ascending_order[::-1]
    names = page.locator('[data-chart="generated"] .bars-name')
    expect(names).to_have_text([read_cells(page, key)[0] for key in read_order(page)])
    page.keyboard.press("Enter")
    assert read_order(page) == initial_order
    for header in headers.all():
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", "ascending")
        expect(page.locator("[aria-sort]")).to_have_count(1)


def test_methods_are_chosen_by_presets_and_search(open_page: OpenPage, web: str) -> None:
    page = open_page("/compare?board=1+2+3+4+0+5+7+8+6", base_url=web)
    button = page.locator("#run")
    page.locator('#editor-board [data-tile="5"]').click()
    expect(page.get_by_label("Your board")).to_have_value("1 2 3\n4 5 0\n7 8 6")
    expect(button).to_have_text("Compare 3 methods")
    for preset, count in (("Heuristics of A*", 5), ("Uninformed", 4), ("A* and IDA*", 2)):
        page.get_by_role("button", name=preset, exact=True).click()
        expect(button).to_have_text(f"Compare {count} methods")
        expect(page.locator("#chosen :checked")).to_have_count(count)
        expect(page.locator(":checked[name=method]")).to_have_count(count)
    page.get_by_text("Add a method").click()
    page.get_by_role("searchbox").fill("greedy linear")
    page.keyboard.press("Enter")  # does not submit the form
    box = page.get_by_role("checkbox", name="Greedy best-first search · Linear conflict")
    expect(page.locator("#more-methods li:visible")).to_have_count(1)
    box.press("Space")
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page.locator("#chosen").get_by_role("checkbox").last).to_be_checked()
    expect(button).to_have_text("Compare 3 methods")
    for box in page.locator("#chosen :checked").all()[::-1]:
        box.uncheck()
    expect(button).to_have_text("Choose at least one method")
    expect(button).to_be_disabled()


def test_two_searches_are_compared_in_few_steps(open_page: OpenPage, web: str) -> None:
    page = open_page("/compare", base_url=web, viewport={"width": 1440, "height": 900})
    expect(page.locator("#verdict")).to_contain_text("solvable")
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    preset, run = page.get_by_role("button", name="A* and IDA*"), page.locator("#run")
    for _ in range(25):
        page.keyboard.press("Tab")
        if preset.evaluate("(element) => element === document.activeElement"):
            page.keyboard.press("Enter")
        if run.evaluate("(element) => element === document.activeElement"):
            break
    expect(run).to_be_focused()
    page.keyboard.press("Enter")
    rows = page.locator(".runs tbody tr")
    expect(rows).to_have_count(2)
    assert read_order(page) == ["a-star:manhattan", "ida-star:manhattan"]
    page.goto("/learn")
    page.get_by_role("button", name="Compare A* and IDA*").click()
    expect(rows).to_have_count(2)


def test_run_is_a_card_on_a_phone_and_is_watched_at_once(open_page: OpenPage) -> None:
    page = open_page("/compare", viewport={"width": 390, "height": 844}, device="phone")
    make_comparison(page, "a-star:manhattan", "greedy:manhattan", board=BOARD)
    card = page.locator('tr[data-key="greedy:manhattan"]')
    expect(card.locator(".figure:visible")).to_have_count(4)
    assert find_overflow(page) == []
    assert find_violations(page) == []
    assert page.locator(".table-scroll").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    card.get_by_role("button", name="Watch").tap()
    expect(page).to_have_url(STEPS_URL)
    expect(page.get_by_role("heading", name="Greedy best-first search · Manhattan")).to_be_visible()
    expect(page.locator(".clock")).to_be_visible()
    page.get_by_role("link", name="Results table").tap()
    expect(page.get_by_role("link", name="Watch")).to_have_count(1)
