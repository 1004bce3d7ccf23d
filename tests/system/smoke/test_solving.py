import re
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import expect

from tests.support.rendered_boards import draw_picture_file
from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import (
    JOB_URL,
    JobSolution,
    download,
    find_overflow,
    open_options,
    part,
    read_tiles,
    wait_for_player,
)
from tilework.core.formats.certificate import read_certificate
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.scramble import scramble

HARDEST_3X3 = "8 6 7 2 5 4 3 0 1"
HARD_5X5 = "17 20 1 19 22 12 0 24 21 4 16 2 11 10 13 6 3 14 23 5 18 7 9 15 8"
LOYD = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0"


def test_board_is_edited_read_and_fixed(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    field, verdict = page.locator("#board"), page.locator("#verdict")
    expect(verdict).to_contain_text("3×3: solvable.")
    assert find_violations(page) == []
    page.locator('#editor-board [data-tile="5"]').click()
    expect(field).to_have_value("8 6 7\n2 0 4\n3 5 1")
    page.get_by_label("Type its number").check(force=True)
    page.locator('#editor-board [data-tile="8"]').click()
    page.keyboard.press("1")
    expect(field).to_have_value("1 6 7\n2 0 4\n3 5 8")
    expect(verdict).to_contain_text(": unsolvable")

    field.fill("1 2 3\n4 q5 6\n7 8 0")
    expect(verdict).to_contain_text("Line 2, column 3: 'q5' is not a tile")
    field.fill(LOYD)
    expect(verdict).to_contain_text("is odd, so the goal cannot be reached.")
    verdict.get_by_role("button", name="Swap 14 and 15").click()
    expect(verdict).to_contain_text("4×4: already solved.")

    (tmp_path / "a.txt").write_text("2\n3 1\n2 0\n")
    page.locator("#file").set_input_files(tmp_path / "a.txt")
    expect(verdict).to_contain_text("2×2: solvable.")
    (tmp_path / "board.png").write_bytes(draw_picture_file([[1, 2, 3], [4, 5, 6], [7, 0, 8]]))
    page.locator("#picture").set_input_files(tmp_path / "board.png")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Enter")
    expect(field).to_have_value("1 2 3\n4 5 6\n7 0 8")
    expect(verdict).to_contain_text("1 misplaced tile")

    page.locator("#width").fill("4")
    page.locator("#height").fill("2")
    page.locator("#height").press("Enter")
    expect(verdict).to_contain_text("4×2: solvable.")
    assert sorted(read_tiles(page)) == list(range(8))
    page.locator("#solve-it").click()
    expect(part(page, "verdict")).to_contain_text("proven optimal")
    wait_for_player(page)
    solution = JobSolution.read(page)
    for move in range(1, 3):
        part(page, "forward").click()
        assert read_tiles(page) == solution.tiles_after(move)


def test_solution_is_played_proved_and_shared(open_page: OpenPage) -> None:
    page = open_page(device="phone", locale="pt-BR")
    expect(page.locator("html")).to_have_attribute("lang", "pt")
    page.locator("#board").fill(HARDEST_3X3)
    page.locator("#solve-it").click()
    expect(page).to_have_url(JOB_URL)
    expect(part(page, "verdict")).to_have_text("31 movimentos — solução comprovadamente ótima")
    wait_for_player(page)
    url, solution = page.url, JobSolution.read(page)
    assert len(solution.letters) == 31
    assert read_tiles(page) == solution.tiles_after(0)
    page.locator("#scrub").fill("17")
    assert read_tiles(page) == solution.tiles_after(17)
    expect(page).to_have_url(re.compile("#move=17$"))
    page.keyboard.press("End")
    expect(part(page, "position")).to_have_text("Movimento 31 de 31")
    assert read_tiles(page) == blank_last(Size(3, 3)).cells.tolist()
    for name, text in (("udlr", solution.letters), ("text", "Mínimo número de movimentos = 31")):
        part(page, "format").select_option(name)
        assert download(page, part(page, "download")).text.startswith(text)
    page.get_by_role("tab", name="Certificado").click()
    certificate = read_certificate(download(page, part(page, "certificate").locator("a")).content)
    assert (certificate.lower_bound, certificate.length) == (31, 31)
    page.get_by_role("tab", name="Compartilhar").click()
    part(page, "sharing").locator("summary").click()
    image = page.locator("img.code")
    image.evaluate("image => image.decode()")  # wait until it is loaded
    pixels = np.frombuffer(image.screenshot(), np.uint8)
    code = cv2.imdecode(pixels, cv2.IMREAD_COLOR)
    assert cv2.QRCodeDetectorAruco().detectAndDecode(code)[0] == url  # the other misses 2%
    assert download(page, part(page, "animation")).content.startswith(b"GIF8")
    assert find_overflow(page) == []
    assert find_violations(page) == []

    page.locator('a[href$="/sheet"]').click()
    expect(page.locator("main img").first).to_be_visible()
    assert find_overflow(page) == []
    page.goto(url.replace("/jobs/", "/embed/jobs/"))
    part(page, "last").click()
    expect(part(page, "position")).to_have_text("Movimento 31 de 31")
    page.goto("/history")
    expect(page.locator(".entry")).to_have_count(1)
    page.locator('.languages [value="en"]').click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".entry .job-bounds")).to_contain_text("31")


def test_fewest_slides(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#board").fill(HARDEST_3X3)
    open_options(page)
    page.get_by_role("radio", name="Slides", exact=True).check(force=True)
    page.locator("#solve-it").click()
    expect(part(page, "verdict")).to_have_text("20 slides — proven optimal")
    expect(part(page, "slides")).to_have_text("31")  # its length in moves is shown next to it


def test_long_search_is_watched_and_cancelled(open_page: OpenPage) -> None:
    page = open_page(expected="422|net::ERR_INTERNET_DISCONNECTED")
    page.locator("#board").fill(LOYD)
    page.locator("#solve-it").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("4×4: unsolvable.")
    page.locator("#board").fill(HARD_5X5)
    with page.expect_response("**/events?*") as stream:
        page.locator("#solve-it").click()
    assert stream.value.status == 200
    expect(page).to_have_url(JOB_URL)
    expect(part(page, "state")).to_have_text("searching")
    verdict = re.compile(r"^Best: \d+ moves · optimal: at least \d+$")
    expect(part(page, "verdict")).to_have_text(verdict)
    for line in ("lower", "upper"):
        path = part(page, "chart").locator(f".chart-{line}")
        expect(path).to_have_attribute("d", re.compile(r"^M[\d.]+ [\d.]+L"))
    guest = open_page(page.url, device="phone")
    expect(part(guest, "cancel")).to_have_count(0)
    assert find_overflow(guest) == []
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(part(page, "connection-lost")).to_be_visible()
    page.context.set_offline(False)
    expect(part(page, "connection-lost")).to_be_hidden()
    page.get_by_role("button", name="Stop").click()
    for visitor in (page, guest):
        expect(part(visitor, "state")).to_have_text("cancelled")
    upper, lower = map(int, re.findall(r"\d+", part(page, "verdict").text_content()))
    wait_for_player(page)
    solution = JobSolution.read(page)
    distance = solution.start.manhattan(blank_last(Size(5, 5)))
    assert distance < lower <= len(solution.letters) <= upper


def test_large_board_improves_and_its_search_is_continued(open_page: OpenPage) -> None:
    page = open_page("/statistics", device="phone", locale="pt-BR")
    size = Size(16, 15)
    board = scramble(size, blank_last(size), seed=7)
    text = f"16x15: {' '.join(map(str, board.cells.tolist()))}"
    response = page.request.post("/api/v1/jobs", data={"board": text, "time_limit_s": 600})
    page.goto(f"/jobs/{response.json()['id']}")
    expect(part(page, "controls")).to_be_visible()
    expect(part(page, "improved")).to_be_visible()
    expect(page.locator(".board canvas")).to_be_visible()
    expect(part(page, "chart-box")).to_be_visible()
    part(page, "cancel").click()
    expect(part(page, "again")).to_be_visible()
    solution = JobSolution.read(page)
    assert from_letters(solution.letters).size > 500
    page.keyboard.press("End")
    expect(page.locator(".board")).to_have_attribute("aria-label", re.compile("16×15.* 239 .*239"))
    assert find_overflow(page) == []
    part(page, "again").locator("button").click()
    expect(part(page, "cancel")).to_be_visible()
    expect(page).to_have_url(re.compile(response.json()["id"]))
    part(page, "cancel").click()
    expect(part(page, "again")).to_be_visible()
