"""What must be there: the relations that players ask for, and what rules ask for."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, error, warning
from hexlogic.ggp.check.mentions import Mention
from hexlogic.ggp.check.registry import check
from hexlogic.ggp.check.vocabulary import WORDS, closest, did_you_mean, slips
from hexlogic.ggp.language.tree import Expression, Form, Word

_NEEDED = {
    "role": ("who plays", "(role ...)"),
    "legal": ("which moves there are", "(<= (legal ...) ...)"),
    "next": ("what comes next", "(<= (next ...) ...)"),
    "terminal": ("when the game is over", "(<= terminal ...)"),
    "goal": ("what the end is worth", "(<= (goal ...) ...)"),
}
_WANTED = {
    "init": ("what is true at the beginning, so nothing is", "(init ...)"),
    "base": ("which facts there may be", "some players and validators want (base ...)"),
    "input": ("which moves there may be", "some players and validators want (input ...)"),
}
_ORIGINS = {"true": ("init", "next"), "does": ("legal",)}


@check("missing")
def missing(sheet: Examined) -> Iterator[Finding]:
    """The relations that players ask for are there."""
    known = sheet.defined | frozenset(slips(sheet).values())
    for name, (what, hint) in (_NEEDED | _WANTED).items():
        if name not in known:
            make = error if name in _NEEDED else warning
            near = closest(name, sheet.defined - WORDS)
            yield make(None, f"no rule says {what}", did_you_mean(near) if near else hint)


@check("undefined")
def undefined(sheet: Examined) -> Iterator[Finding]:
    """A relation that a rule asks for has a rule or a fact."""
    told = {mention.name for mention in slips(sheet)}
    facts = _functors(sheet, ("init", "next"))
    for mention in sheet.mentions:
        if mention.is_head or mention.name in WORDS | sheet.defined | told:
            continue
        told.add(mention.name)
        text = mention.word.text
        meant = f"(true ({text} ...)) is what a state brings" if text in facts else None
        hint = meant or did_you_mean(closest(mention.name, sheet.defined - WORDS))
        yield warning(mention.word, f"no rule says what `{text}` is, so it is never true", hint)


@check("never")
def never(sheet: Examined) -> Iterator[Finding]:
    """What a rule asks of a state or a move can be there: some `init`, `next` or `legal` has a term of its form."""
    told: set[tuple[str, str]] = set()
    functors = {name: _functors(sheet, origins) for name, origins in _ORIGINS.items()}
    for mention in sheet.read:
        origins, known = _ORIGINS.get(mention.name, ()), functors.get(mention.name, set())
        name = _functor(mention)
        if mention.is_head or name is None or None in known or not sheet.defined.intersection(origins):
            continue
        if name not in known and (mention.name, name) not in told:
            told.add((mention.name, name))
            what = f"no {' and no '.join(f'`{origin}`' for origin in origins)} has a term `{name}`"
            yield warning(mention.word, what, did_you_mean(closest(name, filter(None, known))))


def _functors(sheet: Examined, origins: tuple[str, ...]) -> set[str | None]:
    """Names of the last arguments of these heads, and of those meant to be such heads; None when one is a variable."""
    meant = slips(sheet)
    heads = [mention for mention in sheet.mentions if mention.is_head]
    return {_functor(mention) for mention in heads if {mention.name, meant.get(mention)}.intersection(origins)}


def _functor(mention: Mention) -> str | None:
    """The name of the fact or move that an atom is about; None for a variable, or none at all."""
    last: Expression | None = mention.arguments[-1] if mention.arguments else None
    match last:
        case Word(text) if not text.startswith("?"):
            return text
        case Form((Word(text), *_)):
            return text
    return None
