"""``python -m tilework.core.solver.optimal.proof.recheck_process``: search slices again, apart.

A process of its own: it reads one JSON document from its standard input, and writes one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tilework.core.errors import ProofError, TileworkError
from tilework.core.formats.certificate import SliceRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.optimal.proof.claims import Claim
from tilework.core.solver.optimal.proof.redo import redo_all

_LOOK_EVERY_S: Final = 0.2


def redo_all_apart(
    board: Board,
    goal: Board,
    claims: Sequence[Claim],
    pdb_folder: Path,
    cancelled: Callable[[], bool],
) -> int:
    """Search slices again in another process; return how many could not be.

    Parameters are those of `redo_all`.

    Raises
    ------
    ProofError
        If one differs from what it claims.
    TileworkError
        If the process fails.
    """
    order = {
        "width": board.width,
        "board": board.cells.tolist(),
        "goal": goal.cells.tolist(),
        "folder": str(pdb_folder),
        "claims": [_document(claim) for claim in claims],
    }
    command = [sys.executable, "-m", "tilework.core.solver.optimal.proof.recheck_process"]
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
    """Do what the standard input says."""
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
