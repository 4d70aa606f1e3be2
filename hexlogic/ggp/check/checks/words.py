"""Words: where those of GDL may stand, and how names are spelt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexlogic.ggp.check.examined import Examined
from hexlogic.ggp.check.finding import Finding, error, warning
from hexlogic.ggp.check.mentions import compounds, term_words
from hexlogic.ggp.check.registry import check
from hexlogic.ggp.check.vocabulary import WORDS, did_you_mean, slips
from hexlogic.ggp.language.tree import Word, words


@check("misspelt")
def misspelt(sheet: Examined) -> Iterator[Finding]:
    """No name is a word of GDL with a slip in it."""
    for mention, meant in slips(sheet).items():
        yield error(mention.word, f"GDL has no word `{mention.word.text}`", did_you_mean(meant))


@check("heads")
def heads(sheet: Examined) -> Iterator[Finding]:
    """What a state and a move bring, `true` and `does`, is never derived."""
    for mention in sheet.read:
        if mention.is_head and mention.name in ("true", "does"):
            hint = "(init ...) and (next ...) say what is true" if mention.name == "true" else "players do"
            yield error(mention.word, f"`{mention.name}` is derived by no rule", hint)


@check("bodies")
def bodies(sheet: Examined) -> Iterator[Finding]:
    """`init`, `next`, `base` and `input` are for players, never for other rules."""
    for mention in sheet.read:
        if not mention.is_head and mention.name in ("init", "next", "base", "input"):
            yield error(mention.word, f"`{mention.name}` is not for bodies", "give the condition a name of its own")


@check("constants")
def constants(sheet: Examined) -> Iterator[Finding]:
    """No word of GDL is a constant or a function."""
    for mention in sheet.read:
        for word in term_words(mention.arguments):
            if word.text.lower() in WORDS:
                yield error(word, f"`{word.text}` is a word of GDL, not a term", "rename it, or look for a parenthesis")


@check("functions")
def functions(sheet: Examined) -> Iterator[Finding]:
    """A function has one arity."""
    seen: dict[str, int] = {}
    for mention in sheet.read:
        for term in compounds(mention.arguments):
            name, count = term.items[0], len(term.items) - 1
            if isinstance(name, Word) and count != seen.setdefault(name.text, count):
                message = f"the function `{name.text}` has {count} arguments here and {seen[name.text]} before"
                yield error(term, message, "a function has one arity in a sheet")


@check("capitals")
def capitals(sheet: Examined) -> Iterator[Finding]:
    """A name is spelt in one way: some players tell capitals apart, some do not."""
    every = [list(words(expression)) for expression in sheet.expressions]
    yield from _spellings(word for rule in every for word in rule if not word.text.startswith("?"))
    for rule in every:
        yield from _spellings(word for word in rule if word.text.startswith("?"))


def _spellings(found: Iterable[Word]) -> Iterator[Finding]:
    """One finding for each further spelling of a word, where it comes first."""
    first: dict[str, str] = {}
    told: set[str] = set()
    for word in found:
        text = word.text
        before = first.setdefault(text.lower(), text)
        if text != before and text not in told:
            told.add(text)
            yield warning(word, f"`{text}` is `{before}` in other capitals", "spell it in one way, or rename one")
