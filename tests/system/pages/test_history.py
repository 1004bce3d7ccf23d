from playwright.sync_api import expect

from tests.system.browser import OpenPage


def test_refreshed_list_keeps_the_focus_and_what_is_open_or_chosen(
    open_page: OpenPage, web: str
) -> None:
    page = open_page(base_url=web)
    boards = "8 6 7 2 5 4 3 0 1\n2 1 3 4 5 6 7 8 0\n1 2 3 4 5 6 8 7 0\n3x2: 1 2 3 4 0 5"
    batch = page.request.post("/jobs", form={"board": boards}, max_redirects=0)
    page.clock.install()
    page.goto(batch.headers["location"])
    reasons = page.locator("tbody details")
    reasons.nth(1).locator("summary").click()
    page.get_by_label("State").select_option("failed")
    link = page.get_by_role("link", name="Nodes")
    link.focus()
    old_link = link.element_handle()
    page.clock.run_for(2_100)
    page.wait_for_function("(link) => !link.isConnected", arg=old_link)
    expect(link).to_be_focused()
    expect(page.get_by_label("State")).to_have_value("failed")
    assert reasons.evaluate_all("(all) => all.map(({ open }) => open)") == [False, True]
