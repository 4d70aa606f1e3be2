"""What is right, but refused by some players and validators, or likely to be a slip."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, warning
from hexlogic.ggp.check.mentions import compounds, lists
from hexlogic.ggp.check.registry import check
from hexlogic.ggp.check.vocabulary import WORDS, slips
from hexlogic.ggp.language.tree import Form, Word, words

_USUAL = re.compile(r"\??[A-Za-z0-9_+*/<=>.!$%&@~^-]+")


@check("parentheses")
def parentheses(sheet: Examined) -> Iterator[Finding]:
    """A proposition or a term without arguments stands without parentheses."""
    for mention in sheet.read:
        terms = [items[0] for items in (term.items for term in lists(mention.arguments)) if len(items) == 1]
        for word in [mention.word, *terms] if mention.in_list and not mention.arguments else terms:
            if isinstance(word, Word):
                yield warning(word, f"`({word.text})` has no arguments", f"some validators want {word.text} alone")


@check("bodiless")
def bodiless(sheet: Examined) -> Iterator[Finding]:
    """A rule has a body; what always holds is a fact."""
    for expression in sheet.expressions:
        match expression:
            case Form((Word("<="), _)):
                yield warning(expression, "a rule without a body", "some validators want a fact, its head alone")


@check("unused")
def unused(sheet: Examined) -> Iterator[Finding]:
    """A relation that a rule defines is asked for by some rule or by players."""
    asked = {mention.name for mention in sheet.mentions if not mention.is_head}
    told = {mention.name for mention in slips(sheet)}
    for mention in sheet.mentions:
        if mention.is_head and mention.name not in WORDS | asked | told:
            told.add(mention.name)
            yield warning(mention.word, f"nothing asks for `{mention.word.text}`", "leave it out, or look for a slip")


@check("characters")
def characters(sheet: Examined) -> Iterator[Finding]:
    """Names have letters, digits and the usual signs: other characters are read differently by players."""
    told: set[str] = set()
    for word in (word for expression in sheet.expressions for word in words(expression)):
        if word.text not in told and not _USUAL.fullmatch(word.text):
            told.add(word.text)
            yield warning(word, f"{word.text!r} has characters that some players cannot read", "a to z, 0 to 9 and _")


@check("shared")
def shared(sheet: Examined) -> Iterator[Finding]:
    """No name is a relation and a function as well."""
    relations = sheet.defined - WORDS
    told: set[str] = set()
    for mention in sheet.read:
        for term in compounds(mention.arguments):
            name = term.items[0]
            if isinstance(name, Word) and name.text.lower() in relations and name.text not in told:
                told.add(name.text)
                yield warning(
                    name, f"`{name.text}` is a function here and a relation elsewhere", "some validators refuse it"
                )
