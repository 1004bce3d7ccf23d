"""Whether records of slices prove that no shorter solution exists: the algebra of cursors.

Nothing is searched here. A slice claims that what its cursor covers, without what it handed back,
holds no solution. If the first cursor is the whole tree, and what each slice handed back is, piece
by piece, what the next ones began with, then all claims together cover the tree. Whether a claim is
true is checked by repeating its search: ``tilework.core.solver.optimal.proof.redo``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilework.core.errors import InputError, ProofError
from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.solver.optimal.cursor import Cursor, moves_along


@dataclass(frozen=True, slots=True)
class Claim:
    """That what a cursor covers, without its remains, holds no solution of a length.

    Attributes
    ----------
    threshold : int
        The length: no solution of at most so many moves.
    remains : tuple of Cursor
        What the slice handed back, as it was given out; empty where the slice was exhausted.
    """

    threshold: int
    record: SliceRecord
    cursor: Cursor
    remains: tuple[Cursor, ...]

    def refuted(self, fault: Message) -> ProofError:
        """Return the error that says what is wrong with the slice."""
        return in_slice(self.threshold, self.record.id, fault)


def in_slice(threshold: int, slice_id: int, fault: Message) -> ProofError:
    """Return the error that says what is wrong with a slice."""
    return ProofError(
        Message(
            fault.code,
            "threshold {threshold}, slice {slice}: {fault}",
            threshold=threshold,
            slice=slice_id,
            fault=fault,
        )
    )


def claims_of(board: Board, lower_bound: int, thresholds: Sequence[ThresholdRecord]) -> list[Claim]:
    """Return all that has to be true for the records to prove a lower bound.

    Each threshold stands by itself: a tree that was searched to its end proves that no solution
    is that short, whatever was known before. So nothing is required of the first one.

    Parameters
    ----------
    board : Board
        The canonical board.
    lower_bound : int
        What is to be proved.

    Raises
    ------
    ProofError
        If claims are missing, or contradict each other.
    """
    if not thresholds:
        raise ProofError("no-thresholds", "the record has no thresholds")
    claims = []
    following = [record.threshold for record in thresholds[1:]]
    for record, after in zip(thresholds, [*following, lower_bound], strict=True):
        if (lower_bound - record.threshold) % 2:
            raise ProofError(
                "threshold-parity",
                "threshold {threshold} and the lower bound {lower} differ in parity",
                threshold=record.threshold,
                lower=lower_bound,
            )
        if not record.threshold < record.next == after:
            raise ProofError(
                "next-threshold",
                "threshold {threshold} leads to {next}, but {after} follows it",
                threshold=record.threshold,
                next=record.next,
                after=after,
            )
        claims += _claims_of_tree(board, record)
    return claims


def splits_into(whole: Cursor, pieces: Sequence[Cursor]) -> bool:
    """Whether cutting a cursor in two, again and again, gives just these pieces."""
    left = list(pieces)
    waiting = [whole]
    while waiting:
        cursor = waiting.pop()
        if cursor in left:
            left.remove(cursor)
        elif (halves := cursor.split()) is not None and left:
            waiting += halves
        else:
            return False
    return not left


def _claims_of_tree(board: Board, tree: ThresholdRecord) -> list[Claim]:
    here = tree.threshold
    records = {record.id: record for record in tree.slices}
    if len(records) < len(tree.slices):
        raise ProofError(
            "slice-ids", "threshold {threshold} has two slices with one id", threshold=here
        )
    if sum(record.nodes for record in tree.slices) != tree.nodes:
        raise ProofError(
            "threshold-nodes",
            "threshold {threshold}: the nodes of its slices do not add up to {nodes}",
            threshold=here,
            nodes=tree.nodes,
        )
    least = [record.next_threshold for record in tree.slices if record.next_threshold is not None]
    if min(least, default=None) != tree.next:
        raise ProofError(
            "threshold-least",
            "threshold {threshold}: the least f over the threshold in its slices is not {next}",
            threshold=here,
            next=tree.next,
        )
    children = defaultdict(list)
    for record in tree.slices:
        children[record.parent].append(record)
    roots = children[None]
    if len(roots) != 1 or _cursor(here, roots[0]) != Cursor.root():
        raise ProofError(
            "threshold-root",
            "threshold {threshold} does not begin with the whole tree",
            threshold=here,
        )
    claims = []
    waiting = [(roots[0], roots[0].engine)]
    while waiting:
        record, maker = waiting.pop()
        remains = tuple(_cursor(here, child) for child in children[record.id])
        claim = Claim(tree.threshold, record, _cursor(here, record), remains)
        _check_claim(board, claim, maker == record.engine)
        claims.append(claim)
        waiting += [(child, record.engine or maker) for child in children[record.id]]
    if len(claims) < len(records):
        lost = min(records.keys() - {claim.record.id for claim in claims})
        raise in_slice(
            here,
            lost,
            Message("slice-origin", "it does not come from the whole tree"),
        )
    return claims


def _check_claim(board: Board, claim: Claim, same_rules: bool) -> None:
    """Check one slice's claim by itself.

    Parameters
    ----------
    same_rules : bool
        Whether its cursor comes from the engine that it was searched with: else some of what is
        untried may be forbidden by the rules of this one, and so be left out of what remains.
    """
    record = claim.record
    least = record.next_threshold
    if least is not None and (least <= claim.threshold or (least - claim.threshold) % 2):
        raise claim.refuted(
            Message("slice-least", "{least} cannot be its least f over the threshold", least=least)
        )
    if record.engine is None and (record.nodes or not splits_into(claim.cursor, claim.remains)):
        raise claim.refuted(
            Message("slice-engine", "it does not record the engine that searched it")
        )
    try:
        before = _untried(board, claim.cursor)
        if claim.remains:
            whole = _put_together(claim)
            after = _untried(board, whole)
            if not _is_later(claim.cursor.path, before, whole.path, after, same_rules):
                raise claim.refuted(
                    Message("slice-remains", "the remaining cursors do not follow from its cursor")
                )
    except InputError as error:
        raise claim.refuted(error.message) from None


def _put_together(claim: Claim) -> Cursor:
    """Return the one cursor that was cut into a slice's remains."""
    longest = max(len(piece.path) for piece in claim.remains)
    for whole in claim.remains:
        if len(whole.path) < longest:
            continue
        untried = bytearray(longest + 1)
        for piece in claim.remains:
            for depth, rest in enumerate(piece.untried):
                untried[depth] |= rest
        found = replace(whole, untried=bytes(untried))
        if splits_into(found, claim.remains):
            return found
    raise claim.refuted(
        Message("slice-parts", "the remaining cursors are not one cursor split into parts")
    )


def _is_later(
    path: bytes, untried: list[int], later_path: bytes, later_untried: list[int], same_rules: bool
) -> bool:
    """Whether a depth-first search comes from one state to another.

    It leaves the path at some depth. Above, everything is as it was; there, it went by a move that
    was untried, if it went any further, and left others; below, anything may be.
    """
    pairs = zip(path, later_path, strict=False)
    parting = next(
        (depth for depth, (move, other) in enumerate(pairs) if move != other),
        min(len(path), len(later_path)),
    )
    left = [*later_untried[: parting + 1]]
    if parting < len(later_path):
        left[parting] |= 1 << later_path[parting]
    if same_rules and left[:parting] != untried[:parting]:
        return False
    return not any(rest & ~before for rest, before in zip(left, untried, strict=False))


def _untried(board: Board, cursor: Cursor) -> list[int]:
    """Return by depth the untried moves that can be made."""
    legal = moves_along(board, cursor.path)
    return [rest & moves for rest, moves in zip(cursor.untried, legal, strict=True)]


def _cursor(here: int, record: SliceRecord) -> Cursor:
    try:
        return Cursor.from_bytes(bytes.fromhex(record.cursor))
    except InputError as error:
        raise in_slice(here, record.id, error.message) from None
