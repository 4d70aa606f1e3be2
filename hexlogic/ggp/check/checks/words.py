"""Words: where those of GDL may stand, how names are spelt, and habits that some players and validators refuse."""

import re
from collections.abc import Iterable, Iterator

from hexlogic.ggp.check.examined import WORDS, Examined, compounds, did_you_mean, lists
from hexlogic.ggp.check.finding import Finding, checks, error, warning
from hexlogic.ggp.language.expressions import Expression, Form, Word, words

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


CHECKS = checks(
    "text",
    misspelt,
    heads,
    formulas,
    bodies,
    constants,
    functions,
    capitals,
    parentheses,
    bodiless,
    unused,
    characters,
    shared,
)
