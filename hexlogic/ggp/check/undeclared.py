"""What the rules derive beyond what `base` and `input` declare.

A fact or move that is declared and derived may hold or be made; one that is derived and not declared is reported. Only
declared ones lead to further states, so grounding ends even where states could grow without the declarations.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from hexlogic.language.ground.least_model import to_term
from hexlogic.language.ground.solving import grounded
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Program, Rule, Term

_DECLARATIONS = {"init": "base", "next": "base", "legal": "input"}
_MAY_COME = (
    "{ true(F) } :- init(F), base(F). { true(F) } :- next(F), base(F). { does(R,M) } :- legal(R,M), input(R,M).\n"
)


@dataclass(frozen=True, slots=True)
class Undeclared:
    """A rule of `init`, `next` or `legal`, and what it derives beyond the declaration, as arguments, sorted by text."""

    rule: Rule
    declaration: str
    beyond: tuple[tuple[Term, ...], ...]


def undeclared(sheet: Program) -> tuple[Undeclared, ...]:
    """Every rule that derives something undeclared, in the order of the text; none when all that can come is declared.

    Raises EngineError when clingo cannot ground the sheet.

    >>> from hexlogic.ggp.language.reading import read_kif
    >>> text = "(base (n 1)) (input r up) (init (n 1)) (legal r up) (<= (next (n 2)) (true (n 1)) (does r up))"
    >>> for found in undeclared(read_kif(text)): print(found.rule, *map(str, found.beyond[0]))
    next(n(2)) :- true(n(1)), does(r,up). n(2)
    """
    marker = internal_name("outside")
    rules = [
        (rule, rule.head.arguments, _DECLARATIONS[rule.head.name])
        for rule in sheet.rules
        if rule.head is not None and rule.head.name in _DECLARATIONS
    ]
    text = [str(sheet), _MAY_COME]
    for number, (rule, terms, declaration) in enumerate(rules):
        arguments = ",".join(map(str, terms))
        body = [*map(str, rule.body), f"not {declaration}({arguments})"]
        text.append(f"{marker}({number},{arguments}) :- {', '.join(body)}.\n")
    control, _ = grounded("".join(text))
    found: dict[int, list[tuple[Term, ...]]] = defaultdict(list)
    for entry in control.symbolic_atoms:
        if entry.symbol.name == marker:
            which, *beyond = entry.symbol.arguments
            found[which.number].append(tuple(map(to_term, beyond)))
    return tuple(
        Undeclared(rule, declaration, tuple(sorted(found[number], key=str)))
        for number, (rule, _, declaration) in enumerate(rules)
        if number in found
    )
