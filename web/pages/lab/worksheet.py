"""A printable worksheet: a board, questions, a search tree to fill in, and the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.lab.result import Outcome
from tilework.core.model.comparisons import ComparedRun
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import explain
from tilework.web.clients import services
from tilework.web.i18n import format_decimal, ngettext, translate
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import describe_goal
from tilework.web.pages.lab.lab import MAX_PANELS, has_worksheet
from tilework.web.pages.lab.texts import heuristic_names, method_title

_EXPANSIONS: Final = 4


@dataclass(slots=True)
class Node:
    """A node of the drawn tree; ``x`` and ``y`` count columns and levels."""

    tiles: Sequence[int]
    g: int
    h: float | None
    f: float | None
    is_known: bool = False
    order: int | None = None  # the position in the order of expansion, from 1
    children: list[Node] = field(default_factory=list)
    x: float = 0.0
    y: int = 0


class Tree(NamedTuple):
    nodes: list[Node]
    columns: float
    levels: int


def show(comparison_id: UUID) -> str | Response:
    """Show the worksheet of a run whose steps are stored; otherwise the page of the steps."""
    comparison = services().comparisons.view(str(comparison_id))
    index = request.args.get("method", 0, type=int)
    run = comparison.runs[index] if 0 <= index < len(comparison.runs) else comparison.runs[0]
    start = comparison.start
    trace = services().comparisons.trace(run.id) if has_worksheet(comparison) else None
    steps = [] if trace is None else _first_steps(trace["steps"])
    if start is None or trace is None or not steps:
        url = url_for("pages.steps", comparison_id=comparison_id)
        return redirect(url, HTTPStatus.SEE_OTHER)
    heuristic = run.method.heuristic
    return render_template(
        "lab/worksheet.html",
        comparison=comparison,
        method=method_title(run.method),
        others=[
            (index, method_title(other.method))
            for index, other in enumerate(comparison.runs[:MAX_PANELS])
            if other != run
        ],
        goal=describe_goal(comparison.goal),
        heuristic=None if heuristic is None else heuristic_names()[heuristic],
        weight=run.method.weight,
        tree=make_tree(steps),
        questions=_make_questions(start, comparison.goal, run, trace["expanded"]),
    )


def _first_steps(steps: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the steps of a trace before the first step that it does not contain."""
    return [step for number, step in enumerate(steps, 1) if step["number"] == number]


def make_tree(steps: Sequence[Mapping[str, Any]]) -> Tree:
    """Return the tree of the first expansions of a search from the start."""
    first = steps[0]
    root = _make_node(first)
    nodes = {first["node"]: root}
    forward = [step for step in steps if not step["backward"]]
    for order, step in enumerate(forward[:_EXPANSIONS], 1):
        node = nodes[step["node"]]
        if node.order is not None:
            break  # a search that starts again
        node.order = order
        for child in step["children"]:
            if child["outcome"] != Outcome.FORBIDDEN:
                child_node = _make_node(child, is_known=child["outcome"] == Outcome.DUPLICATE)
                node.children.append(child_node)
                nodes[child["node"]] = child_node
    columns = _lay_out(root, 0, 0.0)
    tree_nodes = _list_nodes(root)
    return Tree(tree_nodes, columns, 1 + max(node.y for node in tree_nodes))


def _make_node(record: Mapping[str, Any], *, is_known: bool = False) -> Node:
    return Node(record["board"], record["g"], record["h"], record["f"], is_known)


def _lay_out(node: Node, level: int, left: float) -> float:
    """Place a subtree to the right of a column, parents centred above their children.

    Return the right edge of the subtree.
    """
    node.y = level
    right = left
    for child in node.children:
        right = _lay_out(child, level + 1, right)
    if not node.children:
        node.x = left
        return left + 1
    node.x = (node.children[0].x + node.children[-1].x) / 2
    return right


def _list_nodes(node: Node) -> list[Node]:
    return [node, *(descendant for child in node.children for descendant in _list_nodes(child))]


def _make_questions(
    start: Board, goal: Board, run: ComparedRun, expanded: int
) -> list[tuple[str, str]]:
    """Return the questions with their answers."""
    informed, weight = run.method.heuristic is not None, run.method.weight
    estimate = "h" if weight is None else f"{format_decimal(weight)}·h"
    misplaced = start.hamming(goal)
    explanation = explain(start, goal)
    return [
        (
            _("How many tiles are misplaced, and what is the Manhattan distance?"),
            ngettext(
                "%(hamming)s tile; Manhattan distance %(manhattan)s.",
                "%(hamming)s tiles; Manhattan distance %(manhattan)s.",
                misplaced,
                hamming=misplaced,
                manhattan=start.manhattan(goal),
            ),
        ),
        (_("Can the goal be reached? Give a reason."), translate(explanation.message)),
        (
            _(
                "Fill in the boards of the tree, and write %(sum)s = f below each of them.",
                sum=f"g + {estimate}",
            )
            if informed
            else _("Fill in the boards of the tree, and write the depth below each of them."),
            _("See the tree below."),
        ),
        (
            _("Number the boards in the order in which the search expands them."),
            _("See the tree below."),
        ),
        (_("Cross out the boards that were already known."), _("They are dashed in the tree.")),
        (
            ngettext(
                "The search expands %(count)s node. How long is its solution?",
                "The search expands %(count)s nodes. How long is its solution?",
                expanded,
                count=format_decimal(expanded),
            ),
            _describe_solution(run),
        ),
    ]


def _describe_solution(run: ComparedRun) -> str:
    if run.length is None:
        return _("No solution was found.")
    length = ngettext("%(count)s move.", "%(count)s moves.", run.length, count=run.length)
    if run.optimal is None:
        return str(length)
    shortest = _("It is optimal.") if run.optimal else _("A shorter solution exists.")
    return f"{length} {shortest}"
