"""Searching some slices of a threshold's record again, in a process of its own."""

from __future__ import annotations

import json
import logging
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tilework.core.errors import ProofError, TileworkError
from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.optimal.proof.claims import Claim, claims_of
from tilework.core.solver.optimal.proof.redo import redo_all

MOST_SLICES: Final = 10  # slices of a threshold that are searched again
SHARE: Final = 0.02  # of the threshold's nodes that they have, unless even the smallest has more

# From so many nodes on, a minute of one core, a process of its own costs little: some seconds
APART_NODES: Final = 2_000_000_000

_logger = logging.getLogger(__name__)


def fault_of(
    board: Board,
    goal: Board,
    record: ThresholdRecord,
    seed: str,
    *,
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> Message | None:
    """Return what is wrong with the record of a threshold's search; None if nothing was found."""
    try:
        claims = claims_of(board, goal, record.next, [record])
        # What was only cut in parts was searched in its parts.
        searched = [claim for claim in claims if claim.record.engine is not None]
        chosen = [searched[place] for place in drawn([one.record.nodes for one in searched], seed)]
        apart = record.nodes >= APART_NODES
        check = redo_all_apart if apart else redo_all
        left_out = check(board, goal, chosen, pdb_folder, cancelled)
    except ProofError as error:
        return error.message
    if left_out:
        _logger.warning(
            "%d slices of threshold %d could not be searched again: their databases are not there",
            left_out,
            record.threshold,
        )
    return None


def drawn(nodes: Sequence[int], seed: str) -> list[int]:
    """Draw some slices by their nodes, which together have few of them; return their places."""
    left = SHARE * sum(nodes)
    chosen: list[int] = []
    for place in random.Random(seed).sample(range(len(nodes)), len(nodes)):
        if nodes[place] <= left:
            chosen.append(place)
            left -= nodes[place]
        if len(chosen) == MOST_SLICES:
            break
    return chosen or sorted(range(len(nodes)), key=nodes.__getitem__)[:1]


_LOOK_EVERY_S: Final = 0.2


def redo_all_apart(
    board: Board,
    goal: Board,
    claims: Sequence[Claim],
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> int:
    """Search slices again in another process; return how many could not be."""
    order = {
        "width": board.width,
        "board": board.cells.tolist(),
        "goal": goal.cells.tolist(),
        "folder": str(pdb_folder),
        "claims": [_document(claim) for claim in claims],
    }
    command = [sys.executable, "-m", "tilework.core.solver.optimal.proof.recheck"]
    with subprocess.Popen(  # noqa: S603 -- our own command
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            said = _answer(process, json.dumps(order), cancelled)
        finally:
            process.kill()
    if said is None:
        return 0
    if not said:
        raise TileworkError(
            "recheck-process",
            "the process that searches slices again ended with code {code}",
            code=process.returncode,
        )
    answer = json.loads(said)
    if answer["fault"] is not None:
        raise ProofError(Message.from_json(answer["fault"]))
    return int(answer["left_out"])


def _answer(
    process: subprocess.Popen[str], order: str, cancelled: Callable[[], bool]
) -> str | None:
    """Return what a process says; None where nobody waits for it any more."""
    given: str | None = order
    while True:
        try:
            return process.communicate(given, timeout=_LOOK_EVERY_S)[0]
        except subprocess.TimeoutExpired:
            # What was given is on its way.
            given = None
        if cancelled():
            return None


def _document(claim: Claim) -> dict[str, Any]:
    return {
        "threshold": claim.threshold,
        "record": claim.record.model_dump(mode="json"),
        "children": [child.model_dump(mode="json") for child in claim.children],
    }


def _claim(document: dict[str, Any]) -> Claim:
    return Claim(
        document["threshold"],
        SliceRecord.model_validate(document["record"]),
        tuple(SliceRecord.model_validate(child) for child in document["children"]),
    )


def main() -> None:
    order = json.load(sys.stdin)
    width = order["width"]
    board, goal = (
        Board(order[name], width, len(order[name]) // width) for name in ("board", "goal")
    )
    fault, left_out = None, 0
    try:
        claims = [_claim(document) for document in order["claims"]]
        left_out = redo_all(board, goal, claims, Path(order["folder"]), lambda: False)
    except ProofError as error:
        fault = error.message.to_json()
    json.dump({"fault": fault, "left_out": left_out}, sys.stdout)


if __name__ == "__main__":
    main()
