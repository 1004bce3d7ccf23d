from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

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
  const { getNodeKind, SearchTree } = await import("SCRIPTS/lab/search_tree.js");
  const tree = new SearchTree(trace);
  return tree.steps.map(({ node: current }, index) => tree.nodes.filter((node) =>
    node.bornAt <= index + 1
    && ["waiting", "cheaper"].includes(getNodeKind(node, index + 1, current))).length);
}""")
FIND_MOMENTS = resolve_scripts("""async ([traces, exhausted]) => {
  const { SearchTree } = await import("SCRIPTS/lab/search_tree.js");
  const { findMoment } = await import("SCRIPTS/lab/pseudocode.js");
  return traces.map((trace) => {
    const tree = new SearchTree(trace);
    const findAt = (position, over) => {
      const step = !over && position > 0 ? tree.steps[position - 1] : null;
      const clock = { position, step, over, exhausted, selectedNode: null };
      const { current, counts } = findMoment(tree, clock);
      return { current, counts: Object.fromEntries(counts) };
    };
    const steps = tree.steps.map((_, index) => findAt(index + 1, false));
    return { start: findAt(0, false), steps, end: findAt(tree.steps.length, true) };
  });
}""")


def count_different_cells(board: list[int], other: list[int]) -> int:
    """Return the number of cells in which two boards differ: two after one move."""
    return sum(a != b for a, b in zip(board, other, strict=True))


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    """The trace of each algorithm."""
    return [make_trace(name) for name in LabAlgorithm]


def test_tree_contains_the_trace(
    open_page: OpenPage, web: str, documents: list[dict[str, Any]]
) -> None:
    page = open_page("/statistics", base_url=web)
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


def test_every_step_highlights_the_line_of_the_trace(
    open_page: OpenPage, web: str, documents: list[dict[str, Any]]
) -> None:
    page = open_page("/statistics", base_url=web)
    all_lines = page.evaluate(FIND_MOMENTS, [documents, False])
    for name, trace, lines in zip(LabAlgorithm, documents, all_lines, strict=True):
        assert lines["start"] == {"current": "start", "counts": {}}
        assert len(lines["steps"]) == len(trace["steps"])
        for step, moment in zip(trace["steps"], lines["steps"], strict=True):
            is_restart = step["parent"] is None and not step["backward"] and step["number"] > 1
            assert moment["current"] == ("again" if is_restart else "expand"), name
            counts = Counter(child["outcome"] for child in step["children"])
            assert {outcome: moment["counts"].get(outcome, 0) for outcome in counts} == counts, name
        assert lines["end"]["current"] == ("goal" if trace["path"] else None), name

    trace = make_trace(LabAlgorithm.BREADTH_FIRST, Board([1, 2, 3, 5, 4, 0], 3, 2))
    assert page.evaluate(FIND_MOMENTS, [[trace], True])[0]["end"]["current"] == "exhausted"
    # The line that undoes moves is highlighted.
    trace = make_trace(LabAlgorithm.DEPTH_FIRST_RECURSIVE, Board([0, 1, 2, 3, 5, 4], 3, 2))
    lines = page.evaluate(FIND_MOMENTS, [[trace], True])[0]["steps"]
    for previous, step, moment in zip(trace["steps"], trace["steps"][1:], lines[1:], strict=False):
        assert ("back" in moment["counts"]) == (step["parent"] != previous["node"])


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


def test_lists_link_to_nodes_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page, "a-star:manhattan")
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
