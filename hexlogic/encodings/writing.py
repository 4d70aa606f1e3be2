"""Write rewritten bodies into the text of an encoding; every other byte stays what it was."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hexlogic.encodings.blocks import Block
from hexlogic.encodings.reading import Encoding, concatenated
from hexlogic.encodings.source import Source
from hexlogic.language import Predicate, Rule


@dataclass(frozen=True)
class Edit:
    """A body with its new rules: auxiliary ones, and last the rule with its new body."""

    block: Block
    rules: tuple[Rule, ...]
    added: tuple[str, ...] = ()
    """Items of the new body that the rule language lacks."""


def written(
    encoding: Encoding,
    edits: Collection[Edit],
    removed: Collection[int] = (),
    shown: Collection[Predicate] = (),
    notes: Sequence[str] = (),
) -> str:
    """The text of the encoding with edits made and statements (by number) left out.

    Auxiliary rules stand before the statement that needs them; those of `#minimize` stand at the end. `shown` are
    predicates to show, and no others; `notes` are comments for the end.
    """
    parts = []
    for source in encoding.sources:
        edited = [edit for edit in edits if edit.block.source is source]
        gone = [place for place in removed if encoding.statements[place].source is source]
        parts.append(_source(encoding, source, edited, gone))
    text = concatenated(parts)
    last = [str(rule) for edit in edits if edit.block.kind == "minimize" for rule in edit.rules[:-1]]
    last += [f"#show {predicate}." for predicate in sorted(shown)]
    last = [*(["#program base.", *last] if last else []), *notes]
    if last:
        text += ("" if not text or text.endswith("\n") else "\n") + "\n".join(last) + "\n"
    return text


def _source(encoding: Encoding, source: Source, edits: Sequence[Edit], removed: Collection[int]) -> bytes:
    changes: list[tuple[int, int, Edit | None]] = [(edit.block.begin, edit.block.end, edit) for edit in edits]
    for place in removed:
        changes.append((*source.span(encoding.statements[place].node), None))
    for begin, rules in _insertions(encoding, source, edits):
        changes.append((begin, begin, Edit(edits[0].block, rules)))
    return _range(source.data, 0, len(source.data), changes)


def _insertions(encoding: Encoding, source: Source, edits: Sequence[Edit]) -> list[tuple[int, tuple[Rule, ...]]]:
    """Where auxiliary rules go."""
    inserted: dict[int, list[Rule]] = {}
    for edit in edits:
        if edit.block.kind != "minimize" and len(edit.rules) > 1:
            begin = source.span(encoding.statements[edit.block.statement].node)[0]
            inserted.setdefault(begin, []).extend(edit.rules[:-1])
    return [(begin, tuple(rules)) for begin, rules in inserted.items()]


def _range(data: bytes, begin: int, end: int, changes: Sequence[tuple[int, int, Edit | None]]) -> bytes:
    """The bytes of a range with the outermost changes in it made; those inside a kept item are made there."""
    inside = sorted(
        (change for change in changes if begin <= change[0] and change[1] <= end),
        key=lambda change: (change[0], change[1] > change[0], -change[1]),
    )
    text, place = b"", begin
    for first, last, edit in inside:
        if first < place:
            continue
        text += data[place:first]
        if edit is None:
            pass
        elif first == last:
            text += b"".join(str(rule).encode() + _line_end(data) for rule in edit.rules)
        else:
            text += _body(data, edit, [change for change in inside if change[2] is not edit])
        place = last
    return text + data[place:end]


def _body(data: bytes, edit: Edit, inner: Sequence[tuple[int, int, Edit | None]]) -> bytes:
    """The new body: its literals, then the items that were kept, one to a line where the old body had several lines."""
    block = edit.block
    items = [str(item).encode() for item in edit.rules[-1].body]
    items += [item.encode() for item in edit.added]
    items += [_range(data, begin, end, inner) for begin, end in block.kept]
    gap = b" "
    if b"\n" in data[block.begin : block.end]:
        line = data.rfind(b"\n", 0, block.begin) + 1
        gap = _line_end(data) + b" " * (block.begin - line)
    # a conditional literal reaches up to the next semicolon; inside an element a semicolon would begin the next element
    separator = b"," if block.kind in ("element", "minimize") or not block.kept else b";"
    return block.lead.encode() + (separator + gap).join(items)


def _line_end(data: bytes) -> bytes:
    """What the lines of a text end with."""
    return b"\r\n" if b"\r\n" in data else b"\n"
