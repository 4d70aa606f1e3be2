"""`base` and `input` name everything that can come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from hexlogic.errors import EngineError
from hexlogic.gdl.checking.examined import Examined
from hexlogic.gdl.checking.finding import Finding, error, warning
from hexlogic.gdl.checking.registry import check
from hexlogic.logic.model import to_term
from hexlogic.logic.names import fresh_predicate
from hexlogic.logic.printers.gdl import write_term
from hexlogic.logic.syntax import Program, Rule, Term

__all__ = ["base", "inputs"]


@check("base", "ground")
def base(sheet: Examined) -> Iterator[Finding]:
    """`base` names every fact that a state may have."""
    yield from _uncovered(sheet, "base", ("init", "next"), {(fact,) for fact in sheet.games.facts})


@check("inputs", "ground")
def inputs(sheet: Examined) -> Iterator[Finding]:
    """`input` names every move that may be legal."""
    yield from _uncovered(sheet, "input", ("legal",), sheet.games.legal)


def _uncovered(
    sheet: Examined, declaration: str, origins: Sequence[str], seen: Collection[tuple[Term, ...]]
) -> Iterator[Finding]:
    """One finding for each rule that leads out of what is declared: an error when a game went there, otherwise a
    warning, since the rules alone do not tell which facts come together."""
    if not {"base", "input"} <= sheet.defined:
        return
    for rule, atoms in _outside(sheet.program, declaration, origins):
        played = [atom for atom in atoms if atom in seen]
        shown = " ".join(map(write_term, (played or atoms)[0]))
        more = f" and {len(atoms) - 1} more" if len(atoms) > 1 else ""
        if played:
            yield error(rule, f"`{declaration}` does not name {shown}{more}", "it came up in a random game")
        else:
            hint = "no random game came there, and perhaps none can"
            yield warning(rule, f"`{declaration}` does not name {shown}{more}, which this rule may bring", hint)


def _outside(sheet: Program, declaration: str, origins: Sequence[str]) -> Iterator[tuple[Rule, list[tuple[Term, ...]]]]:
    """For each rule of the origins what it derives, as arguments, beyond what is declared, from a state that is not.

    Whatever is declared and derived may be true or done. So the steps stay within the declarations and grounding ends
    even where a state could grow without them.
    """
    import clingo

    marker = fresh_predicate(sheet, "outside", 0).name
    rules = [rule for rule in sheet.rules if rule.head is not None and rule.head.name in origins]
    text = [
        str(sheet),
        "{ true(F) } :- init(F), base(F). { true(F) } :- next(F), base(F). { does(R,M) } :- legal(R,M), input(R,M).\n",
    ]
    for number, rule in enumerate(rules):
        assert rule.head is not None
        arguments = ",".join(map(str, rule.head.arguments))
        body = [*map(str, rule.body), f"not {declaration}({arguments})"]
        text.append(f"{marker}({number},{arguments}) :- {', '.join(body)}.\n")
    messages: list[str] = []
    control = clingo.Control(["--warn=none"], logger=lambda _, line: messages.append(" ".join(line.split())))
    try:
        control.add("base", [], "".join(text))
        control.ground([("base", [])])
    except RuntimeError as problem:
        raise EngineError(f"clingo: {'; '.join(messages) or problem}") from None
    found: dict[int, list[tuple[Term, ...]]] = defaultdict(list)
    for entry in control.symbolic_atoms:
        if entry.symbol.name == marker:
            which, *terms = entry.symbol.arguments
            found[which.number].append(tuple(map(to_term, terms)))
    for number in sorted(found):
        yield rules[number], sorted(found[number], key=str)
