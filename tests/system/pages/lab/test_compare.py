from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage

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


def choose_methods(page: Page, *methods: str) -> None:
    page.get_by_role("button", name="None", exact=True).click()
    for method in methods:
        page.locator(f'[name="method"][value="{method}"]').check()


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


def test_methods_are_chosen_by_presets_and_keys(open_page: OpenPage, web: str) -> None:
    page = open_page("/compare?board=1+2+3+4+0+5+7+8+6", base_url=web)
    button = page.locator("#run")
    page.locator('#editor-board [data-tile="5"]').click()
    expect(page.get_by_label("Your board")).to_have_value("1 2 3\n4 5 0\n7 8 6")
    for preset, expected in (
        ("All searches", "Compare 19 methods"),
        ("A* with every heuristic", "Compare 13 methods"),
        ("None", "Choose at least one method"),
        ("Ten representative methods", "Compare 10 methods"),
    ):
        page.get_by_role("button", name=preset, exact=True).click()
        expect(button).to_have_text(expected)
        assert button.is_disabled() == (preset == "None")
    page.locator('[name="method"][value="a-star:manhattan"]').focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    box = page.locator('[name="method"][value="greedy:mean-blank"]')
    expect(box).to_be_focused()
    page.keyboard.press("Space")
    expect(button).to_have_text("Compare 11 methods")
