from itertools import pairwise

from playwright.sync_api import Locator, expect

from tests.system.browser import OpenPage
from tests.system.pages.scripts import resolve_scripts
from tests.system.pages.steps import (
    START,
    make_trace,
    method_part,
    panel,
    read_board,
    read_traces,
    watch,
)
from tests.system.pages.visitor import part
from tilework.core.lab.methods import LabAlgorithm
from tilework.core.lab.result import TraceWindow
from tilework.core.puzzle.board import Board

BUILD_TREES = resolve_scripts("""([traces]) =>
  import("SCRIPTS/lab/search_tree.js").then(({ SearchTree }) =>
  traces.map((trace) => {
    const tree = new SearchTree(trace);
    return {
      gaps: tree.gaps,
      path: tree.path.map(({ board }) => board),
      nodes: tree.nodes.map(({ number, board, parent, stub, backward, bornAt, expandedAt }) =>
        ({ number, board, parent: parent?.index ?? null, stub, backward, bornAt,
           expandedAt: Number.isFinite(expandedAt) ? expandedAt : null })),
    };
  }))""")
COUNT_WAITING = resolve_scripts("""async (trace) => {
  const { SearchTree } = await import("SCRIPTS/lab/search_tree.js");
  const { getNodeKind } = await import("SCRIPTS/lab/node_kinds.js");
  const tree = new SearchTree(trace);
  return tree.steps.map(({ node: current }, index) => tree.nodes.filter((node) =>
    node.bornAt <= index + 1
    && ["waiting", "cheaper"].includes(getNodeKind(node, index + 1, current))).length);
}""")


def count_different_cells(board: list[int], other: list[int]) -> int:
    """Return the number of cells in which two boards differ: two after one move."""
    return sum(a != b for a, b in zip(board, other, strict=True))


def test_tree_contains_the_trace(open_page: OpenPage, web: str) -> None:
    page = open_page("/statistics", base_url=web)
    documents = [make_trace(name) for name in LabAlgorithm]
    for name, document, tree in zip(
        LabAlgorithm, documents, page.evaluate(BUILD_TREES, [documents]), strict=True
    ):
        nodes, steps = tree["nodes"], document["steps"]
        roots = [node for node in nodes if node["parent"] is None]
        child_count = sum(len(step["children"]) for step in steps)
        assert len(nodes) == child_count + len(roots), name
        assert not any(node["stub"] for node in nodes), name
        start_count = sum(step["parent"] is None for step in steps)
        assert len(roots) == start_count, name
        for node in nodes:
            if node["parent"] is not None:
                parent = nodes[node["parent"]]
                assert count_different_cells(node["board"], parent["board"]) == 2
                assert node["bornAt"] >= parent["expandedAt"]
            if node["expandedAt"] is not None:
                assert node["expandedAt"] >= node["bornAt"]
        if len(steps) == document["expanded"] and document["path"]:
            assert tree["path"][0] == START.cells.tolist(), name
            assert tree["path"][-1] == [1, 2, 3, 4, 5, 6, 7, 8, 0], name
            assert all(count_different_cells(a, b) == 2 for a, b in pairwise(tree["path"])), name
    # A node whose parent was not recorded is attached to a stub.
    document = make_trace("breadth-first", window=TraceWindow(10, 5, 0))
    (tree,) = page.evaluate(BUILD_TREES, [[document]])
    assert tree["gaps"] == [[11, document["expanded"] - 5]]
    child_ids = {child["node"] for step in document["steps"] for child in step["children"]} | {0}
    orphan_ids = {step["node"] for step in document["steps"]} - child_ids
    assert {node["number"] for node in tree["nodes"] if node["stub"]} == orphan_ids
    assert len(orphan_ids) == 5


def test_replaced_nodes_leave_the_frontier(open_page: OpenPage, web: str) -> None:
    page = open_page("/statistics", base_url=web)
    start = Board([7, 5, 8, 2, 3, 4, 1, 0, 6])
    for name in (LabAlgorithm.A_STAR_DECREASE_KEY, LabAlgorithm.A_STAR_REPLACE):
        trace = make_trace(name, start, window=TraceWindow(250, 0))
        steps = trace["steps"]
        assert "cheaper" in {child["outcome"] for step in steps for child in step["children"]}
        assert page.evaluate(COUNT_WAITING, trace) == [step["frontier_size"] for step in steps]


def test_layout_is_tidy(open_page: OpenPage, web: str) -> None:
    page = open_page("/statistics", base_url=web)
    smallest_gap, off_centre, deepest = page.evaluate(
        resolve_scripts("""async () => {
          const { layOut } = await import("SCRIPTS/lab/tree_layout.js");
          let [smallest, offCentre, deepest] = [Infinity, 0, 0];
          let seed = 1;
          const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
          for (let tree = 0; tree < 60; tree += 1) {
            const reach = [1, 3, 20, 1000][tree % 4]; // from chains to bushes
            const nodes = [];
            for (let index = 0; index < 500; index += 1) {
              const parentIndex = Math.max(0, Math.floor(index - 1 - random() * reach));
              nodes.push({ index, parent: index < 2 ? null : nodes[parentIndex], children: [] });
              nodes[index].parent?.children.push(index);
            }
            const { x, y, depth } = layOut(nodes, nodes.length);
            deepest = Math.max(deepest, depth);
            const rows = new Map();
            for (const { index, parent, children } of nodes) {
              if (y[index] !== (parent ? y[parent.index] + 1 : 0)) throw new Error("depth");
              rows.set(y[index], [...(rows.get(y[index]) ?? []), x[index]]);
              if (!children.length) continue;
              const middle = (x[children[0]] + x[children.at(-1)]) / 2;
              offCentre = Math.max(offCentre, Math.abs(middle - x[index]));
              const left = (index) => x[children[index - 1]] ?? -Infinity;
              const unordered = children.some((child, index) => x[child] <= left(index));
              if (unordered) throw new Error("order");
            }
            for (const row of rows.values()) {
              row.sort((a, b) => a - b);
              row.slice(1).forEach((x, index) => (smallest = Math.min(smallest, x - row[index])));
            }
          }
          return [smallest, offCentre, deepest];
        }""")
    )
    assert smallest_gap >= 1 - 1e-9
    assert off_centre < 1e-6
    assert deepest > 200


def read_picture(method: Locator, unlike: str = "") -> str:
    """Return the drawing of the tree once it has stopped moving and differs from `unlike`."""
    canvas = method_part(method, "tree")
    current, previous = "", unlike
    while current != previous or current == unlike:
        previous = current
        canvas.page.wait_for_timeout(100)
        current = canvas.evaluate("(canvas) => canvas.toDataURL()")
    return current


def find_start_node(method: Locator) -> tuple[float, float]:
    """Return a point within the topmost symbol of the tree, the start node."""
    x, y = method_part(method, "tree").evaluate(
        """(canvas) => {
          const { width, height } = canvas;
          const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
          const pixel = data.findIndex((value, at) => at % 4 === 3 && value > 200) >> 2;
          return [pixel % width, Math.floor(pixel / width)].map((at) => at / devicePixelRatio);
        }"""
    )
    return x, y + 8


def test_zoom_and_pan_change_the_view(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page)
    page.locator("#scrub").fill("20")
    method = panel(page, "A* · Manhattan")
    follow_button, canvas = method_part(method, "follow"), method_part(method, "tree")
    canvas.evaluate("(canvas) => canvas.scrollIntoView({ behavior: 'instant', block: 'center' })")
    initial = current = read_picture(method)
    for name in ("Zoom in", "Zoom out", "Zoom out"):
        method.get_by_role("button", name=name).click()
        current = read_picture(method, unlike=current)
    method.get_by_role("button", name="Follow the search").click()
    assert read_picture(method, unlike=current) == initial
    expect(follow_button).to_have_attribute("aria-pressed", "true")

    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 150, box["y"] + 120)
    page.mouse.wheel(0, -300)
    current = read_picture(method, unlike=initial)
    expect(follow_button).to_have_attribute("aria-pressed", "true")
    page.mouse.down()
    page.mouse.move(box["x"] + 230, box["y"] + 170, steps=4)
    page.mouse.up()
    current = read_picture(method, unlike=current)
    expect(follow_button).to_have_attribute("aria-pressed", "false")
    canvas.focus()
    for key in ("Shift+ArrowLeft", "-", "0"):
        page.keyboard.press(key)
        current = read_picture(method, unlike=current)
    expect(part(page, "position")).to_have_text("Step 20 of 1,665")


def test_pinch_zooms_and_a_tap_on_a_node_shows_its_board(open_page: OpenPage) -> None:
    page = open_page("/lab", device="phone")
    watch(page, second_algorithm="")
    page.locator("#scrub").fill("12")
    method = panel(page, "A* · Manhattan")
    canvas = method_part(method, "tree")
    canvas.evaluate("(canvas) => canvas.scrollIntoView({ behavior: 'instant', block: 'center' })")
    initial = read_picture(method)
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    devtools = page.context.new_cdp_session(page)
    for kind, reach in (("touchStart", 30), ("touchMove", 60), ("touchMove", 90), ("touchEnd", 0)):
        points = [{"x": x - reach, "y": y, "id": 0}, {"x": x + reach, "y": y, "id": 1}]
        event = {"type": kind, "touchPoints": points if reach else []}
        devtools.send("Input.dispatchTouchEvent", event)
    zoomed_picture = read_picture(method, unlike=initial)

    method.get_by_role("button", name="Show the whole tree").click()
    read_picture(method, unlike=zoomed_picture)
    x, y = find_start_node(method)
    canvas.click(position={"x": x, "y": y})
    expect(method_part(method, "node-description")).to_have_text("Start")
    assert read_board(method) == START.cells.tolist()
    expect(method_part(method, "to-parent")).to_be_hidden()
    method_part(method, "to-step").click()
    (document,) = read_traces(page)
    assert read_board(method) == document["steps"][11]["board"]


def test_lists_link_to_nodes_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page, second_algorithm="")
    page.locator("#scrub").fill("6")
    method = panel(page, "A* · Manhattan")
    (document,) = read_traces(page)
    step = document["steps"][5]
    method.locator(".waiting").nth(1).focus()
    page.keyboard.press("Enter")
    expect(method_part(method, "node-description")).to_have_text("In the frontier")
    assert read_board(method) == step["frontier"][1]["board"]
    expect(method.locator(".waiting").nth(1)).to_be_focused()
    method_part(method, "to-parent").focus()
    page.keyboard.press("Enter")
    expect(method_part(method, "node-description")).to_have_text("Already expanded")
    method_part(method, "to-step").focus()
    page.keyboard.press("Enter")
    expect(method_part(method, "node-description")).to_have_text("Expanded in step 6")
    expect(method_part(method, "board")).to_be_focused()
    method.locator(".child").first.click()
    assert read_board(method) == step["children"][0]["board"]
