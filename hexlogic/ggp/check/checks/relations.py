"""Relations: those that players and rules ask for are there; roles by name, and what their goals are."""

from collections.abc import Iterator

from hexlogic.ggp.check.examined import WORDS, Examined, Mention, closest, did_you_mean
from hexlogic.ggp.check.finding import Finding, checks, error, warning
from hexlogic.ggp.language.expressions import Expression, Form, Word, words
from hexlogic.ggp.language.sheet import term_of
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Integer, Term

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
_OF_A_ROLE = ("legal", "goal", "does", "input")


def missing(sheet: Examined) -> Iterator[Finding]:
    """The relations that players ask for are there."""
    known = sheet.defined | frozenset(sheet.misspelt.values())
    for name, (what, hint) in (_NEEDED | _WANTED).items():
        if name not in known:
            make = error if name in _NEEDED else warning
            near = closest(name, sheet.defined - WORDS)
            yield make(None, f"no rule says {what}", did_you_mean(near) if near else hint)


def undefined(sheet: Examined) -> Iterator[Finding]:
    """A relation that a rule asks for has a rule or a fact."""
    reported = {mention.name for mention in sheet.misspelt}
    facts = _functors(sheet, ("init", "next"))
    for mention in sheet.mentions:
        if mention.is_head or mention.name in WORDS | sheet.defined | reported:
            continue
        reported.add(mention.name)
        text = mention.word.text
        meant = f"(true ({text} ...)) is what a state brings" if text in facts else None
        hint = meant or did_you_mean(closest(mention.name, sheet.defined - WORDS))
        yield warning(mention.word, f"no rule says what `{text}` is, so it is never true", hint)


def never(sheet: Examined) -> Iterator[Finding]:
    """What a rule asks of a state or a move can be there: some `init`, `next` or `legal` has a term of its form."""
    reported: set[tuple[str, str]] = set()
    functors = {name: _functors(sheet, origins) for name, origins in _ORIGINS.items()}
    for mention in sheet.read:
        origins, known = _ORIGINS.get(mention.name, ()), functors.get(mention.name, set())
        name = _functor(mention)
        if mention.is_head or name is None or None in known or not sheet.defined.intersection(origins):
            continue
        if name not in known and (mention.name, name) not in reported:
            reported.add((mention.name, name))
            what = f"no {' and no '.join(f'`{origin}`' for origin in origins)} has a term `{name}`"
            yield warning(mention.word, what, did_you_mean(closest(name, filter(None, known))))


def _functors(sheet: Examined, origins: tuple[str, ...]) -> set[str | None]:
    """Names of the last arguments of these heads, and of those meant to be such heads; None when one is a variable."""
    meant = sheet.misspelt
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


def roles(sheet: Examined) -> Iterator[Finding]:
    """The roles are written out as facts."""
    for rule in sheet.defining("role"):
        if rule.body:
            yield error(rule, "a role is derived by a rule", "players read the roles before they reason: (role ...)")


def strangers(sheet: Examined) -> Iterator[Finding]:
    """Who moves and has goals is a role. A player never asks about a stranger, so one is only a mistake in writing."""
    if any(rule.body for rule in sheet.defining("role")):
        return
    known = {write_term(rule.head.arguments[0]) for rule in sheet.defining("role") if rule.head is not None}
    for mention in sheet.read:
        if known and mention.name in _OF_A_ROLE and (term := _ground(mention.arguments[0])) is not None:
            text = write_term(term)
            if text not in known:
                hint = did_you_mean(closest(text, known)) or f"the roles are {', '.join(sorted(known))}"
                yield warning(mention.arguments[0], f"{text} is no role", hint)


def values(sheet: Examined) -> Iterator[Finding]:
    """A goal is a number from 0 to 100."""
    for mention in sheet.read:
        value = _ground(mention.arguments[1]) if mention.name == "goal" else None
        if value is not None and not (isinstance(value, Integer) and 0 <= value.value <= 100):
            yield error(mention.arguments[1], f"the goal {write_term(value)} is no number from 0 to 100")


def _ground(expression: Expression) -> Term | None:
    return None if any(word.text.startswith("?") for word in words(expression)) else term_of(expression)


CHECKS = checks("text", missing, undefined, never, roles, strangers, values)
