"""What a visitor meets first: all that is needed on one screen, kept when it is loaded again.

The pages alone serve for it: nothing here is solved.
"""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from tests.system.browsing import OpenPage
from tests.system.pages.rules import faults
from tests.system.pages.visitor import open_options, overflow, shown_tiles

pytestmark = pytest.mark.browser

SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}},
}
LANGUAGES = ["en-US", "pt-BR"]
KORF_1 = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3"
LOYD = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0"
AT_REST = "() => document.getAnimations().every((one) => one.playState !== 'running')"
LARGE = " ".join(map(str, [*range(1, 10_000), 0]))


def checked(page: Page, words: str) -> None:
    expect(page.locator("#verdict")).to_contain_text(words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_needed_lies_on_the_first_screen(
    open_page: OpenPage, web: str, device: str, language: str
) -> None:
    page = open_page(device=device, base_url=web, locale=language, **SCREENS[device])
    page.locator("#verdict [data-tiles]").wait_for()
    height = SCREENS[device]["viewport"]["height"]
    needed = ["#editor-board", ".presets [data-size]", "#scramble", "#solve-it", "#play"]
    for selector in needed:
        for place in page.locator(selector).all():
            box = place.bounding_box()
            assert box is not None
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, selector
    assert not page.locator("#goal").is_visible()
    assert page.evaluate("scrollY") == 0
    assert overflow(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_smallest_phone_has_room(open_page: OpenPage, web: str, language: str) -> None:
    small = {"viewport": {"width": 320, "height": 640}}
    page = open_page(device="phone", base_url=web, locale=language, **small)
    page.locator("#verdict [data-tiles]").wait_for()
    open_options(page)
    assert overflow(page) == []
    for button in page.locator(".presets button, #scramble").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
        assert page.evaluate("(b) => b.scrollWidth <= b.clientWidth", button.element_handle())


def test_a_size_is_one_click_and_play_follows_the_board(
    open_page: OpenPage, web: str, device: str
) -> None:
    page = open_page(device=device, base_url=web)
    checked(page, "3×3, solvable.")
    for side in (4, 5, 6, 3):
        page.locator(f'.presets [data-size="{side}"]').click()
        checked(page, f"{side}×{side}, solvable.")
        assert sorted(shown_tiles(page)) == list(range(side * side))
        pressed = page.locator('.presets [aria-pressed="true"]')
        expect(pressed).to_have_text(f"{side}×{side}")
        address = page.locator("#play").get_attribute("href")
        assert address is not None
        assert "+".join(map(str, shown_tiles(page))) in address
    page.get_by_label("Your board").fill(LOYD)
    checked(page, "not solvable")
    expect(page.locator("#play")).to_have_attribute("aria-disabled", "true")
    assert page.locator("#play").get_attribute("href") is None


def keep(page: Page) -> dict[str, str]:
    return page.locator("#solve").evaluate("(form) => Object.fromEntries(new FormData(form))")


@pytest.mark.parametrize("board", [KORF_1, LARGE], ids=["15-puzzle", "100x100"])
@pytest.mark.parametrize("again", ["reload", "back", "language"])
def test_board_and_goal_are_kept(open_page: OpenPage, web: str, again: str, board: str) -> None:
    page = open_page(base_url=web)
    checked(page, "3×3, solvable.")
    page.get_by_label("Your board").fill(board)
    open_options(page)
    page.get_by_label("Goal", exact=True).select_option("blank-first")
    page.locator("#time-limit").select_option("3600")
    expect(page.locator("#verdict [data-solvable]")).to_have_attribute(
        "data-goal", re.compile("^0 1 2 3 ")
    )
    given = keep(page)
    if again == "reload":
        page.reload()
    elif again == "back":
        page.goto("/statistics")
        page.go_back()
    else:
        page.get_by_role("button", name="Português").click()
        expect(page.locator("html")).to_have_attribute("lang", "pt")
    page.locator("#verdict [data-tiles]").wait_for()
    assert keep(page) == given
    expect(page.locator("#goal")).to_be_visible()
    # Who comes anew begins anew.
    page.goto("/")
    checked(page, "3×3")
    assert keep(page)["goal"] == "blank-last"


def test_what_helps_an_unsolvable_board_is_a_click(
    open_page: OpenPage, web: str, device: str
) -> None:
    page = open_page(device=device, base_url=web)
    checked(page, "3×3, solvable.")
    page.get_by_label("Your board").fill(LOYD)
    verdict = page.locator("#verdict")
    checked(page, "4×4, not solvable.")
    told = verdict.inner_text()
    assert told.index("Swap 14 and 15") < told.index("Inversions")
    verdict.get_by_role("button", name="Swap 14 and 15").click()
    checked(page, "4×4, already solved.")
    page.get_by_label("Your board").fill(LOYD)
    verdict.get_by_role("button", name="Use blank first").click()
    checked(page, "4×4, solvable.")
    expect(page.get_by_label("Goal", exact=True)).to_be_visible()
    assert page.locator("#goal").input_value() == "blank-first"


def test_what_helps_is_in_a_refusal_too(open_page: OpenPage, web: str, device: str) -> None:
    page = open_page(device=device, base_url=web, locale="pt-BR", expected="422")
    page.locator("#verdict [data-tiles]").wait_for()
    page.locator("#board").fill(LOYD)
    page.locator("#solve-it").press("Enter")
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("4×4, irresolvível.")
    expect(refusal).to_be_in_viewport(ratio=1)
    page.locator("#verdict [data-tiles]").wait_for()
    refusal.get_by_role("button", name="Trocar 14 e 15").click()
    checked(page, "4×4, já resolvido.")
    expect(refusal).to_have_count(0)
    assert faults(page) == []


def test_what_is_no_text_is_told_in_a_sentence(
    open_page: OpenPage, web: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = open_page(base_url=web)
    checked(page, "3×3, solvable.")
    folder = tmp_path_factory.mktemp("files")
    (folder / "nothing.txt").write_bytes(b"")
    (folder / "program.txt").write_bytes(b"\x7fELF\x02\x01\x01\x00\x00")
    (folder / "sheet.txt").write_bytes("1\t2\n3\t".encode("utf-16"))
    for name, words in (
        ("nothing.txt", "nothing.txt is empty; choose a file with a board in it."),
        ("program.txt", "program.txt cannot be read: it holds neither text nor a picture."),
    ):
        page.locator("#file").set_input_files(folder / name)
        expect(page.get_by_role("alert")).to_contain_text(words)
        expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
        checked(page, "3×3, solvable.")
    page.locator("#file").set_input_files(folder / "sheet.txt")
    checked(page, "2×2, already solved.")
    page.get_by_label("Your board").fill("\ufffdPNG\r\n\x1a")
    checked(page, "This is not text but the content of another file")


def test_several_boards_become_a_batch(open_page: OpenPage, web: str, device: str) -> None:
    page = open_page(device=device, base_url=web)
    checked(page, "3×3, solvable.")
    page.get_by_label("Your board").fill("1 2 3 4 5 6 7 0 8\n1 2 q\n0 1 2 3\n")
    checked(page, "2 boards, to be solved together.")
    checked(page, "Line 2, column 5: 'q' is not a tile")
    # A click on a tile would put one board in the place of all.
    page.locator('#editor-board [data-tile="8"]').click()
    expect(page.get_by_role("button", name="Solve all 2")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Solve all 2").click()
    expect(page).to_have_url(re.compile(r"/batches/[0-9a-f-]{36}"))
    expect(page.get_by_role("heading", name="2 boards")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Line 2 was left out")
    expect(page.locator(".batch-rows tbody tr")).to_have_count(2)
    assert overflow(page) == []
    assert faults(page) == []


@pytest.mark.parametrize("scale", [1, 1.25, 1.5, 2, 3])
@pytest.mark.parametrize("width", [390, 1280])
def test_gaps_between_tiles_are_even(
    open_page: OpenPage, web: str, scale: float, width: int
) -> None:
    viewport = {"width": width, "height": 900}
    page = open_page(base_url=web, device_scale_factor=scale, viewport=viewport)
    for side in (3, 6):
        page.locator(f'.presets [data-size="{side}"]').click()
        checked(page, f"{side}×{side}, solvable.")
        page.get_by_role("button", name="In order").click()
        checked(page, "already solved")
        page.mouse.move(0, 0)
        page.wait_for_timeout(400)
        page.wait_for_function(AT_REST)
        picture = page.locator("#editor-board .board-field").screenshot(scale="device")
        assert len(set(gaps_of(picture, side))) == 1


def test_the_board_asked_for_last_counts(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    checked(page, "3×3, solvable.")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/board/scramble", hold_the_first)
    page.locator("#scramble").click()
    page.get_by_role("button", name="In order").click()
    checked(page, "already solved")
    with page.expect_response("**/board/scramble") as answer:
        held[0].continue_()
    answer.value.finished()
    page.wait_for_timeout(500)
    checked(page, "already solved")


def gaps_of(picture: bytes, side: int) -> list[int]:
    """The widths of the gaps between tiles, in pixels of the screen, along the first row."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    row = image.height // (2 * side) // 2
    dark = [sum(image.getpixel((x, row))) < 200 for x in range(image.width)]
    runs = re.finditer("1+", "".join("1" if one else "0" for one in dark))
    inner = [run for run in runs if run.start() > 0 and run.end() < image.width]
    assert len(inner) == side - 1
    return [run.end() - run.start() for run in inner]


def test_the_face_is_ours_and_its_figures_have_one_width(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    checked(page, "3×3, solvable.")
    assert page.evaluate("document.fonts.check('600 40px Fraunces')")
    widths = page.evaluate(
        """() => [400, 600, 700].flatMap((weight) => [..."0123456789"].map((figure) => {
          const span = document.createElement("span");
          span.style.cssText = `font: ${weight} 100px Fraunces; font-variant-numeric: tabular-nums`;
          span.textContent = figure.repeat(4);
          document.body.append(span);
          const { width } = span.getBoundingClientRect();
          span.remove();
          return width;
        }))"""
    )
    assert len(set(widths)) == 1


def test_numbers_lie_in_the_middle_of_their_tiles(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    page.locator('.presets [data-size="4"]').click()
    checked(page, "4×4, solvable.")
    page.wait_for_timeout(400)
    tile = page.locator('#editor-board [data-tile="8"] .tile-face')
    image = Image.open(BytesIO(tile.screenshot())).convert("L")
    width, height = image.size
    middle = image.crop((width // 4, height // 4, 3 * width // 4, 3 * height // 4))
    ground = middle.getpixel((0, 0))
    marked = middle.point(lambda value: 255 if abs(value - ground) > 90 else 0).getbbox()
    assert marked is not None
    left, top, right, bottom = marked
    assert abs((top + bottom) - middle.height) <= 4
    assert abs((left + right) - middle.width) <= 4


@pytest.mark.parametrize("calm", [False, True])
def test_the_last_slide_is_a_moment(open_page: OpenPage, web: str, calm: bool) -> None:
    page = open_page(base_url=web, reduced_motion="reduce" if calm else "no-preference")
    checked(page, "3×3, solvable.")
    page.get_by_label("Your board").fill("1 2 3\n4 5 6\n7 0 8")
    checked(page, "1 tile away")
    board = page.locator("#editor-board")
    expect(board).not_to_have_class(re.compile("board-solved"))
    page.locator('#editor-board [data-tile="8"]').click()
    expect(board).to_have_class(re.compile("board-solved"))
    running = page.evaluate(
        "document.getAnimations().filter(({ animationName }) => animationName === 'glaze').length"
    )
    assert (running == 0) == calm
    page.locator('#editor-board [data-tile="8"]').click()
    expect(board).not_to_have_class(re.compile("board-solved"))


def test_without_a_script_the_form_solves_all_the_same(
    open_page: OpenPage, web: str, device: str
) -> None:
    page = open_page(device=device, base_url=web, java_script_enabled=False)
    expect(page.locator("#scramble")).to_be_hidden()
    page.get_by_label("Your board").fill("1 2 3\n4 5 6\n0 7 8")
    page.locator("#solve-it").click()
    expect(page).to_have_url(re.compile("/jobs/"))
