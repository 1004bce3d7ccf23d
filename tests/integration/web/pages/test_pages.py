import html
import re

from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3, DoWork

ABSENT_JOB = "/jobs/01890000-0000-7000-8000-000000000000"
BOARD = "1 2 3\n4 5 6\n0 7 8"
OWN_GOAL = "0 1 2 3 4 5 6 8 7"


def find_faults(page: str) -> list[str]:
    """Return violations of the content policy, and elements without accessible names."""
    tags = re.findall(r"<[a-z][^>]*>", page)
    inline = re.compile(r"<script(?! src=|[^>]* src=)|<style| (?:style|on\w+)=")
    faults = [tag for tag in tags if inline.search(tag)]
    faults += [name for name in ("header", "nav", "main", "footer", "h1") if f"<{name}" not in page]
    ids = [id_ for tag in tags for id_ in re.findall(r' id="([^"]*)"', tag)]
    faults += {id_ for id_ in ids if ids.count(id_) > 1}
    labelled = re.findall(r'<label[^>]* for="([^"]*)"', page)
    outside = re.sub(r"<label.*?</label>", "", page, flags=re.DOTALL)
    for field in re.findall(r"<(?:input|select|textarea)[^>]*>", outside):
        name = re.search(r' id="([^"]*)"', field)
        if 'type="hidden"' not in field and "aria-label" not in field:
            faults += [] if name and name[1] in labelled else [field]
    return faults


def test_nothing_is_inline_and_everything_has_a_name(client: FlaskClient, work: DoWork) -> None:
    job = client.post("/jobs", data={"board": EASY_3X3}).location
    steps = client.post("/lab", data={"board": EASY_3X3}).location
    sweep = {"method": "breadth-first", "kind": "sweep", "boards": "2", "moves": "4"}
    created = [
        job,
        f"{job}/sheet",
        steps,
        steps.replace("/lab/", "/comparisons/"),
        client.post("/comparisons", data=sweep).location,
        client.post("/analyses", data={"board": EASY_3X3, "moves": "LL"}).location,
        client.post("/ways", data={"board": EASY_3X3}).location,
    ]
    work()
    own = ("/", "/play", "/compare", "/lab", "/analyse", "/ways", "/history", "/statistics")
    for path in (*own, *created, "/learn", "/openapi", "/nowhere", ABSENT_JOB):
        for language in ("en", "pt"):
            assert find_faults(client.get(f"{path}?lang={language}").text) == [], path


def test_menu_has_four_sections(client: FlaskClient) -> None:
    for path, section in (("/learn", "Learn"), ("/lab", "Learn"), ("/analyse", "Play")):
        menu = client.get(path).text.partition('class="menu"')[2].partition("</ul>")[0]
        assert re.findall(r">([^<]+)</a>", menu) == ["Solve", "Play", "Learn", "History"]
        assert re.findall(r" aria-current=[^>]+>([^<]+)<", menu) == [section]


def field(page: str, name: str) -> str:
    """Return what the browser would send for a field: its text or its choice."""
    text = re.search(rf'<textarea[^>]* name="{name}"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    if text is not None:
        return html.unescape(text[1])
    choices = re.search(rf'<select[^>]* name="{name}".*?</select>', page, re.DOTALL)
    [chosen] = re.findall(r'<option value="([^"]*)" selected', choices[0])
    return str(chosen)


def test_board_and_goal_of_an_address_or_a_rejected_form_fill_the_form(client: FlaskClient) -> None:
    goals = (("spiral", "spiral", ""), (OWN_GOAL, "own", OWN_GOAL), (None, "blank-last", ""))
    for path in ("/", "/lab", "/compare", "/analyse", "/ways"):
        for goal, chosen, own in goals:
            query = {"board": BOARD} | ({} if goal is None else {"goal": goal})
            page = client.get(path, query_string=query).text
            assert field(page, "board") == BOARD
            assert (field(page, "goal"), field(page, "goal_board")) == (chosen, own)
    form = {"board": BOARD, "goal": "own", "goal_board": OWN_GOAL, "moves": "L", "method": "a-star"}
    for path in ("/jobs", "/lab", "/comparisons", "/analyses", "/ways"):
        response = client.post(path, data=form | {"algorithm": "a-star"})
        assert response.status_code == 422
        assert "3×3: unsolvable." in response.text
        for name in ("board", "goal", "goal_board"):
            assert field(response.text, name) == form[name]


def test_unknown_address_is_a_page_and_an_unsolvable_board_is_explained(
    client: FlaskClient,
) -> None:
    fields = {"board": UNSOLVABLE_3X3, "method": "breadth-first", "moves": "LL"}
    for path in ("/comparisons", "/lab", "/analyses", "/ways"):
        response = client.post(path, data=fields)
        assert response.status_code == 422
        assert "1 is odd, so the goal cannot be reached." in response.text
        absent = client.get(f"{path}/01890000-0000-7000-8000-000000000000")
        assert absent.status_code == 404
        assert "Page not found" in absent.text


def test_only_the_owner_is_offered_to_cancel(app: Flask) -> None:
    owner, guest = app.test_client(), app.test_client()
    job = owner.post("/jobs", data={"board": EASY_3X3}).location
    assert 'data-part="cancel"' in owner.get(job).text
    assert 'data-part="cancel"' not in guest.get(job).text
    compared = {"board": EASY_3X3, "method": "breadth-first"}
    comparison = owner.post("/comparisons", data=compared).location
    assert f'action="{comparison}/cancel"' in owner.get(comparison).text
    assert "/cancel" not in guest.get(comparison).text
    assert guest.post(f"{comparison}/cancel").status_code == 403
    response = owner.post(f"{comparison}/cancel")
    assert (response.status_code, response.location) == (303, comparison)
    assert "/cancel" not in owner.get(comparison).text
    assert 'badge-cancelled">cancelled' in owner.get("/compare").text
