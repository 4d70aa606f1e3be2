"""Two programs side by side: which literal stayed, went, came or moved."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from itertools import zip_longest

from hexlogic.logic import Predicate, Program, Rule
from hexlogic.report.document import Kind, Piece
from hexlogic.report.grouping import grouped

__all__ = ["Line", "compare_programs"]

Line = tuple[tuple[Piece, ...], tuple[Piece, ...]]
"""A rule before and after; an empty side has no such rule."""

_FACTS = 3
"""More facts of a predicate than these are counted and not listed."""


def compare_programs(before: Program, after: Program) -> tuple[Line, ...]:
    """The rules of both, predicate by predicate in the order of the text, changed parts marked.

    >>> from hexlogic.logic.parser import parse
    >>> (left, right), = compare_programs(parse("p(X) :- q(X), r(X), t(X)."), parse("p(X) :- r(X), q(X)."))
    >>> [piece.text for piece in left if piece.kind == "gone"], [piece.text for piece in right if piece.kind == "moved"]
    (['t(X)'], ['r(X)'])
    """
    old, new = _by_head(before), _by_head(after)
    lines: list[Line] = []
    for predicate in dict.fromkeys([*old, *new]):
        lines += _compare(predicate, old.get(predicate, []), new.get(predicate, []))
    return tuple(lines)


def _by_head(program: Program) -> dict[Predicate | None, list[Rule]]:
    return grouped(program.rules, lambda rule: None if rule.head is None else rule.head.predicate)


def _compare(predicate: Predicate | None, old: list[Rule], new: list[Rule]) -> list[Line]:
    if old == new:
        return [(_whole(text), _whole(text)) for text in _texts(predicate, old)]
    if len(old) == len(new) and not any(rule.is_fact for rule in old + new):
        return [_pair(before, after) for before, after in zip(old, new, strict=True)]
    left, right = _texts(predicate, old), _texts(predicate, new)
    lines: list[Line] = []
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for gone, come in zip_longest(left[i:j], right[k:m]):
            if tag == "equal":
                lines.append((_whole(gone), _whole(come)))
            else:
                lines.append((_whole(gone, "gone") if gone else (), _whole(come, "new") if come else ()))
    return lines


def _texts(predicate: Predicate | None, rules: list[Rule]) -> list[str]:
    """The rules as text, with many facts as their number."""
    facts = [rule for rule in rules if rule.is_fact]
    texts = [str(rule) for rule in rules if not rule.is_fact]
    if len(facts) > _FACTS:
        return [f"{predicate}: {len(facts):,} facts", *texts]
    return [*map(str, facts), *texts]


def _whole(text: str, kind: Kind = "same") -> tuple[Piece, ...]:
    return (Piece(text, kind),)


def _pair(before: Rule, after: Rule) -> Line:
    """Two versions of one rule, literal by literal."""
    if before == after:
        return _whole(str(before)), _whole(str(after))
    if before.head != after.head:
        return _whole(str(before), "gone"), _whole(str(after), "new")
    old, new = _numbered(before), _numbered(after)
    kept = set(old) & set(new)
    left, right = [one for one in old if one in kept], [one for one in new if one in kept]
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    steady = {one for block in matcher.get_matching_blocks() for one in left[block.a : block.a + block.size]}
    return _pieces(before, kept, steady, "gone"), _pieces(after, kept, steady, "new")


def _numbered(rule: Rule) -> list[tuple[str, int]]:
    """The literals of a body as text, repeated ones told apart by their number."""
    seen: Counter[str] = Counter()
    found = []
    for text in map(str, rule.body):
        found.append((text, seen[text]))
        seen[text] += 1
    return found


def _pieces(rule: Rule, kept: set[tuple[str, int]], steady: set[tuple[str, int]], lone: Kind) -> tuple[Piece, ...]:
    head = f"{rule.head} :- " if rule.head is not None else ":- "
    pieces = [Piece(head if rule.body else f"{rule.head}")]
    for place, one in enumerate(_numbered(rule)):
        kind: Kind = "same" if one in steady else "moved" if one in kept else lone
        pieces += [*([Piece(", ")] if place else []), Piece(one[0], kind)]
    return (*pieces, Piece("."))
