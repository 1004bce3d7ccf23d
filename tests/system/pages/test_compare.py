"""Comparisons in a real browser: the form, the table as it fills, charts, files, on two widths."""

from __future__ import annotations

import csv
import json
import re
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import DEVICES, OpenPage
from tests.system.pages.rules import faults
from tests.system.pages.scripts import with_scripts
from tests.system.pages.visitor import overflow, part

pytestmark = pytest.mark.browser

COMPARISON_ADDRESS = re.compile(r"/comparisons/[0-9a-f-]{36}$")
PNG = b"\x89PNG\r\n\x1a\n"

# A board for each device, of 27 and of 31 moves: runs known already would not be seen to end.
BOARDS = dict(zip(DEVICES, ("7 5 8 2 3 4 1 0 6", "8 6 7 2 5 4 3 0 1"), strict=True))
LENGTHS = dict(zip(DEVICES, ("27", "31"), strict=True))
LENGTH, OPTIMAL, VISITED, GENERATED = 2, 3, 4, 5


def cells(page: Page, method: str) -> list[str]:
    return page.locator(f'tr[data-key="{method}"] > *').all_inner_texts()


def order(page: Page) -> list[str]:
    return page.locator(".runs tbody tr").evaluate_all(
        "(rows) => rows.map((row) => row.dataset.key)"
    )


def wait_for_end(page: Page) -> None:
    expect(page).to_have_url(COMPARISON_ADDRESS)
    expect(page.locator('[data-live="state"]')).to_contain_text("finished", timeout=90_000)


def compare(page: Page, board: str, *methods: str) -> None:
    page.goto("/compare")
    expect(page.locator("#verdict")).to_contain_text("solvable")
    page.get_by_label("Your board").fill(board)
    if methods:
        page.get_by_role("button", name="None", exact=True).click()
        for method in methods:
            page.locator(f'[name="method"][value="{method}"]').check()
    page.locator("#run").click()
    wait_for_end(page)


def test_the_ten_are_compared_before_the_eyes(open_page: OpenPage, device: str) -> None:
    page = open_page("/compare", device=device)
    expect(page.locator("#verdict")).to_contain_text("3×3, solvable.")
    expect(page.locator("#run")).to_have_text("Compare 10 methods")
    page.get_by_label("Your board").fill(BOARDS[device])
    assert overflow(page) == []
    page.locator("#run").click()
    expect(page).to_have_url(COMPARISON_ADDRESS)
    expect(page.locator(".runs tbody tr")).to_have_count(10)
    expect(part(page, "charts").locator(".bars-optimal").first).to_be_visible()
    wait_for_end(page)
    length = LENGTHS[device]
    expect(page.locator('[data-live="state"]')).to_contain_text(
        f"shortest solution: {length} moves"
    )
    for method in ("a-star:manhattan", "a-star:linear-conflict", "a-star:hamming"):
        assert cells(page, method)[LENGTH : OPTIMAL + 1] == [length, "yes"]
    for method in ("ida-star:manhattan", "bidirectional", "breadth-first"):
        assert cells(page, method)[LENGTH : OPTIMAL + 1] == [length, "yes"]
    for chart in ("generated", "max_frontier", "seconds", "length"):
        panel = page.locator(f'[data-chart="{chart}"]')
        expect(panel.locator(".bars-name")).to_have_count(10)
        assert panel.locator('[data-part="chart-words"]').text_content().count("(") == 2
    assert overflow(page) == []
    before = cells(page, "breadth-first")
    page.reload()
    expect(part(page, "charts").locator(".bars-optimal").first).to_be_visible()
    assert cells(page, "breadth-first") == before


def test_every_column_sorts_by_click_and_by_key(open_page: OpenPage) -> None:
    page = open_page()
    compare(page, "1 2 3 4 5 0 6 7 8", "a-star:zero", "a-star:manhattan", "greedy:manhattan")
    asked = order(page)
    heads = page.locator(".runs thead th")
    assert heads.count() == 12
    page.get_by_role("button", name="Visited").click()
    expect(heads.nth(VISITED)).to_have_attribute("aria-sort", "ascending")
    rising = order(page)
    counts = [int(cells(page, key)[VISITED].replace(",", "")) for key in rising]
    assert counts == sorted(counts)
    page.keyboard.press("Enter")
    expect(heads.nth(VISITED)).to_have_attribute("aria-sort", "descending")
    assert order(page) == rising[::-1]
    names = page.locator('[data-chart="generated"] .bars-name').all_text_contents()
    assert names == [cells(page, key)[0] for key in order(page)]
    page.keyboard.press("Enter")
    assert order(page) == asked
    for place in range(12):
        heads.nth(place).get_by_role("button").click()
        expect(heads.nth(place)).to_have_attribute("aria-sort", "ascending")
        expect(page.locator("[aria-sort]")).to_have_count(1)


def test_data_and_pictures_can_be_taken_away(open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark")
    compare(page, "1 2 3 4 5 0 6 7 8", "breadth-first", "greedy:manhattan")
    kept = {}
    for name in ("CSV", "JSON"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name, exact=True).click()
        kept[name] = waiting.value.path().read_text(encoding="utf-8")
    table = list(csv.DictReader(kept["CSV"].splitlines()))
    assert [row["method"] for row in table] == order(page)
    for row in table:
        shown = cells(page, row["method"])
        assert (row["length"], row["generated"]) == (
            shown[LENGTH],
            shown[GENERATED].replace(",", ""),
        )
    assert [run["method"] for run in json.loads(kept["JSON"])] == order(page)

    panel = page.locator('[data-chart="generated"]')
    with page.expect_download() as waiting:
        panel.get_by_role("button", name="Nodes generated log scale SVG").click()
    assert waiting.value.suggested_filename == "generated.svg"
    drawing = ElementTree.fromstring(waiting.value.path().read_text(encoding="utf-8"))
    texts = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Nodes generated", "Breadth-first", "a shortest solution"} <= set(texts)
    bars = [rect for rect in drawing.iter("{http://www.w3.org/2000/svg}rect") if rect.get("rx")]
    assert all(re.match(r"rgb|#", bar.get("fill", "")) for bar in bars)
    assert "class" not in {name for element in drawing.iter() for name in element.attrib}
    with page.expect_download() as waiting:
        panel.get_by_role("button", name="Nodes generated log scale PNG").click()
    picture = waiting.value.path().read_bytes()
    assert picture.startswith(PNG)
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert width > 400
    assert height > 200
    expect(part(page, "not-drawn")).to_be_hidden()


def test_a_sweep_grows_lines_over_depth(open_page: OpenPage, device: str) -> None:
    page = open_page("/compare", device=device)
    page.locator('[name="kind"][value="sweep"]').check(force=True)
    expect(page.get_by_label("Your board")).to_be_hidden()
    for name, value in (("Boards", "6"), ("Longest walk", "18"), ("Seed", "3")):
        page.get_by_label(name, exact=True).fill(value)
    page.get_by_role("button", name="None", exact=True).click()
    for method in ("a-star:manhattan", "breadth-first", "greedy:manhattan"):
        page.locator(f'[name="method"][value="{method}"]').check()
    assert overflow(page) == []
    page.locator("#run").click()
    wait_for_end(page)
    expect(page.locator(".runs tbody tr")).to_have_count(3)
    assert cells(page, "breadth-first")[1] == "6 of 6 solved"
    expect(page.locator(".sweep-line")).to_have_count(3)
    expect(page.locator(".sweep-dot")).to_have_count(18)
    assert part(page, "chart-words").text_content().startswith("Nodes generated: 6 boards of ")
    page.get_by_role("button", name="Breadth-first", exact=True).click()
    expect(page.locator(".sweep-line")).to_have_count(2)
    page.get_by_role("button", name="Breadth-first", exact=True).click()
    expect(page.locator(".sweep-line")).to_have_count(3)
    page.get_by_text("As a table").click()
    assert part(page, "depths").locator("thead th").count() == 4
    assert overflow(page) == []
    assert faults(page) == []
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Nodes generated by depth log scale PNG").click()
    assert waiting.value.path().read_bytes().startswith(PNG)


def test_a_long_comparison_is_cancelled_by_its_owner(open_page: OpenPage) -> None:
    page = open_page("/compare")
    expect(page.locator("#verdict")).to_contain_text("solvable")
    page.get_by_label("Your board").fill("15 14 8 12 10 11 9 13 2 6 5 3 1 7 4 0")
    page.get_by_role("button", name="None", exact=True).click()
    for method in ("breadth-first", "uniform-cost", "iterative-deepening"):
        page.locator(f'[name="method"][value="{method}"]').check()
    page.get_by_text("Limits of each run").click()
    page.get_by_label("Seconds").fill("50")
    page.get_by_label("Generated nodes").fill("20000000")
    page.locator("#run").click()
    expect(page).to_have_url(COMPARISON_ADDRESS)
    expect(page.locator(".runs .badge-running")).to_have_count(1)
    guest = open_page(page.url)
    expect(guest.locator(".runs .badge-running")).to_have_count(1)
    expect(guest.get_by_role("button", name="Cancel")).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    for one in (page, guest):
        expect(one.locator('[data-live="state"]')).to_contain_text("cancelled")
        expect(one.locator(".runs .badge-cancelled")).to_have_count(3)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_boxes_can_be_ticked_by_the_dozen(open_page: OpenPage) -> None:
    page = open_page("/compare")
    run = page.locator("#run")
    for preset, words in (
        ("Every search", "Compare 19 methods"),
        ("A* with every heuristic", "Compare 13 methods"),
        ("None", "Choose at least one method"),
        ("Ten that differ", "Compare 10 methods"),
    ):
        page.get_by_role("button", name=preset, exact=True).click()
        expect(run).to_have_text(words)
        assert run.is_disabled() == (preset == "None")
    page.get_by_role("button", name="None", exact=True).click()
    page.get_by_label("Uniform cost").check()
    expect(run).to_have_text("Run 1 method")


def test_the_matrix_needs_no_mouse(open_page: OpenPage, device: str) -> None:
    page = open_page("/compare", device=device)
    expect(page.locator("#run")).to_have_text("Compare 10 methods")
    page.locator('[name="method"][value="a-star:manhattan"]').focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    box = page.locator('[name="method"][value="greedy:mean-blank"]')
    expect(box).to_be_focused()
    page.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(page.locator("#run")).to_have_text("Compare 11 methods")


def test_tiles_and_scrambles_fill_the_board(open_page: OpenPage) -> None:
    page = open_page("/compare?board=1+2+3+4+0+5+7+8+6")
    field = page.get_by_label("Your board")
    page.locator('#editor-board [data-tile="5"]').click()
    expect(field).to_have_value("1 2 3\n4 5 0\n7 8 6")
    page.get_by_role("button", name="Scramble").click()
    expect(field).not_to_have_value("1 2 3\n4 5 0\n7 8 6")
    expect(page.locator("#verdict")).to_contain_text("3×3, solvable.")


def test_all_of_it_works_without_a_script(open_page: OpenPage) -> None:
    page = open_page("/compare", java_script_enabled=False, expected="422")
    expect(page.locator("#editor-board")).to_be_hidden()
    page.get_by_label("Your board").fill("1 2 3 4 5 6 8 7 0")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("is odd, so the goal cannot be reached.")
    page.get_by_label("Your board").fill("1 2 3 4 5 6 0 7 8")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page).to_have_url(COMPARISON_ADDRESS)
    expect(page.locator(".runs tbody tr")).to_have_count(10)
    for _ in range(60):
        if "finished" in page.locator('[data-live="state"]').inner_text():
            break
        page.wait_for_timeout(500)
        page.reload()
    assert cells(page, "a-star:manhattan")[LENGTH : OPTIMAL + 1] == ["2", "yes"]


@pytest.mark.parametrize(("device", "light"), [("desktop", "dark"), ("phone", "light")])
def test_the_pages_keep_the_rules_of_access(open_page: OpenPage, device: str, light: str) -> None:
    page = open_page("/compare", device=device, color_scheme=light)
    expect(page.locator("#verdict")).to_contain_text("solvable")
    assert faults(page) == []
    compare(page, "1 2 3 4 5 0 6 7 8", "breadth-first", "greedy:manhattan", "beam:zero")
    expect(part(page, "charts").locator(".bars-optimal").first).to_be_visible()
    assert faults(page) == []
    page.goto("/compare?lang=pt")
    expect(page.locator("#run")).to_have_text("Comparar 10 métodos")
    expect(page.locator(".recent .job-line").first).to_be_visible()
    assert overflow(page) == []
    assert faults(page) == []


@pytest.mark.parametrize("values", [[0.0004, 0.0007], [0.3, 0.31], [1, 1], [27, 51]])
def test_the_longest_bar_takes_most_of_its_chart(open_page: OpenPage, values: list[float]) -> None:
    page = open_page("/statistics")
    longest, last = page.evaluate(
        with_scripts("""async (values) => {
          const { fittingScale } = await import("SCRIPTS/compare/scale.js");
          const { ticks, share } = fittingScale(values);
          return [share(Math.max(...values)), share(ticks.at(-1))];
        }"""),
        values,
    )
    assert 0.5 < longest <= 1
    assert last == pytest.approx(1)
