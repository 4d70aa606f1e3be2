"""Words: where those of GDL may stand, how names are spelt, and habits that some players and validators refuse. And
relations: those that players and rules ask for are there; roles by name, and what their goals are."""

import re
from collections.abc import Iterable, Iterator

from hexlogic.ggp.check.examined import WORDS, Examined, Mention, closest, compounds, did_you_mean, lists
from hexlogic.ggp.check.finding import Finding, checks, error, warning
from hexlogic.ggp.language.expressions import Expression, Form, Word, words
from hexlogic.ggp.language.sheet import term_of
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Integer, Term

_USUAL = re.compile(r"\??[A-Za-z0-9_+*/<=>.!$%&@~^-]+")


def misspelt(sheet: Examined) -> Iterator[Finding]:
    """No name is a misspelt word of GDL."""
    for mention, meant in sheet.misspelt.items():
        yield error(mention.word, f"GDL has no word `{mention.word.text}`", did_you_mean(meant))


def heads(sheet: Examined) -> Iterator[Finding]:
    """What a state and a move bring, `true` and `does`, is never derived."""
    for mention in sheet.read:
        if mention.is_head and mention.name in ("true", "does"):
            hint = "(init ...) and (next ...) say what is true" if mention.name == "true" else "players do"
            yield error(mention.word, f"`{mention.name}` is derived by no rule", hint)


def formulas(sheet: Examined) -> Iterator[Finding]:
    """`not` stands before an atom, and a body is its literals: validators refuse other formulas."""
    for expression in sheet.expressions:
        match expression:
            case Form((Word("<="), _, *body)):
                for part in body:
                    yield from _formulas(part)


def _formulas(part: Expression) -> Iterator[Finding]:
    match part:
        case Form((Word() as word, *parts)) if word.text.lower() in ("and", "or", "not"):
            name = word.text.lower()
            if name == "and" and (word.line, word.column) != (part.line, part.column):  # not `&` of the infix form
                yield warning(part, "validators refuse `(and ...)`", "write its parts as literals of the body")
            for inner in parts:
                match inner:
                    case Form((Word(inside), *_)) if name == "not" and inside.lower() in _REWRITTEN:
                        hint = _REWRITTEN[inside.lower()]
                        yield warning(part, f"validators refuse `(not ({inside.lower()} ...))`", hint)
                yield from _formulas(inner)


_REWRITTEN = {
    "or": "the reference prover reads it wrongly: write `(not a) (not b)`",
    "distinct": "write the same variable in both places",
    "not": "leave both out",
    "and": "give what is negated a name",
}
"""What `not` must not stand before, and what to write."""


def bodies(sheet: Examined) -> Iterator[Finding]:
    """`init`, `next`, `base` and `input` are for players, never for other rules."""
    for mention in sheet.read:
        if not mention.is_head and mention.name in ("init", "next", "base", "input"):
            yield error(mention.word, f"`{mention.name}` is not for bodies", "give the condition a name of its own")


def constants(sheet: Examined) -> Iterator[Finding]:
    """No word of GDL is a constant or a function; in a rulesheet of Epilog most of them are words like others."""
    for mention in () if sheet.file.lower().endswith(".epilog") else sheet.read:
        for word in (word for term in mention.arguments for word in words(term)):
            if word.text.lower() in WORDS:
                yield error(word, f"`{word.text}` is a word of GDL, not a term", "rename it, or look for a parenthesis")


def functions(sheet: Examined) -> Iterator[Finding]:
    """A function has one arity."""
    seen: dict[str, int] = {}
    for mention in sheet.read:
        for term in compounds(mention.arguments):
            name, count = term.items[0], len(term.items) - 1
            if isinstance(name, Word) and count != seen.setdefault(name.text, count):
                message = f"the function `{name.text}` has {count} arguments here and {seen[name.text]} before"
                yield error(term, message, "a function has one arity in a sheet")


def capitals(sheet: Examined) -> Iterator[Finding]:
    """A name is spelt in one way: some players tell capitals apart, some do not."""
    every = [list(words(expression)) for expression in sheet.expressions]
    yield from _spellings(word for rule in every for word in rule if not word.text.startswith("?"))
    for rule in every:
        yield from _spellings(word for word in rule if word.text.startswith("?"))


def _spellings(spelt: Iterable[Word]) -> Iterator[Finding]:
    """One finding for each further spelling of a word, where it comes first."""
    first: dict[str, str] = {}
    reported: set[str] = set()
    for word in spelt:
        text = word.text
        before = first.setdefault(text.lower(), text)
        if text != before and text not in reported:
            reported.add(text)
            yield warning(word, f"`{text}` is `{before}` in other capitals", "spell it in one way, or rename one")


def parentheses(sheet: Examined) -> Iterator[Finding]:
    """A proposition or a term without arguments stands without parentheses."""
    for mention in sheet.read:
        terms = [items[0] for items in (term.items for term in lists(mention.arguments)) if len(items) == 1]
        for word in [mention.word, *terms] if mention.in_list and not mention.arguments else terms:
            if isinstance(word, Word):
                yield warning(word, f"`({word.text})` has no arguments", f"some validators want {word.text} alone")


def bodiless(sheet: Examined) -> Iterator[Finding]:
    """A rule has a body; what always holds is a fact."""
    for expression in sheet.expressions:
        match expression:
            case Form((Word("<="), _)):
                yield warning(expression, "a rule without a body", "some validators want a fact, its head alone")


def unused(sheet: Examined) -> Iterator[Finding]:
    """A relation that a rule defines is asked for by some rule or by players."""
    asked = {mention.name for mention in sheet.mentions if not mention.is_head}
    reported = {mention.name for mention in sheet.misspelt}
    for mention in sheet.mentions:
        if mention.is_head and mention.name not in WORDS | asked | reported:
            reported.add(mention.name)
            yield warning(mention.word, f"nothing asks for `{mention.word.text}`", "leave it out, or look for a slip")


def characters(sheet: Examined) -> Iterator[Finding]:
    """Names have letters, digits and the usual signs: other characters are read differently by players."""
    reported: set[str] = set()
    for word in (word for expression in sheet.expressions for word in words(expression)):
        if word.text not in reported and not _USUAL.fullmatch(word.text):
            reported.add(word.text)
            yield warning(word, f"{word.text!r} has characters that some players cannot read", "a to z, 0 to 9 and _")


def shared(sheet: Examined) -> Iterator[Finding]:
    """No name is a relation and a function as well."""
    relations = sheet.defined - WORDS
    reported: set[str] = set()
    for mention in sheet.read:
        for term in compounds(mention.arguments):
            name = term.items[0]
            if isinstance(name, Word) and name.text.lower() in relations and name.text not in reported:
                reported.add(name.text)
                yield warning(
                    name, f"`{name.text}` is a function here and a relation elsewhere", "some validators refuse it"
                )


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


CHECKS = (
    *checks("text", misspelt, heads, formulas, bodies, constants, functions, shared),
    *checks("text", capitals, parentheses, bodiless, characters),
    *checks("text", missing, undefined, unused, never, roles, strangers, values),
)
