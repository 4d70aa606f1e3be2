"""GDL in KIF, the prefix text that general game players read.

    wins(X) :- true(cell(X,b)), not lost(X), X != r.      (<= (wins ?x)
                                                              (true (cell ?x b))
                                                              (not (lost ?x))
                                                              (distinct ?x r))
    terminal.                                             terminal

The text is canonical and reads back to an equal program (`hexlogic.ggp.read_kif`). `=` is `(not (distinct ...))`. GDL
has no arithmetic and no order: a program with them has no text here until `ground` has computed them. Integrity
constraints become comments. HRF, the infix form, has the same structure and other signs (`Spelling`).

The words of GDL, any text without spaces and parentheses, are encoded as identifiers of the rule language:

    xplayer   xplayer          a name is itself
    Red       w''Red           what cannot begin a name stands behind w''
    a-b       a'2d'b           any other character is its code point, in hexadecimal, between quotes
    ?row      Row              a variable changes its first letter only

`symbol_name` and `word_of` are inverse. Capitals count, as they do for most players.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.language import Atom, BodyLiteral, Comparison, Function, Integer, Program, Rule, Symbol, Term, Variable
from hexlogic.language.constants import LARGEST
from hexlogic.language.dialects import Dialect, lower
from hexlogic.language.walk import body_terms, computes, substitute, variables

_BEHIND = "w''"
_PLAIN = re.compile(r"_*[a-z][A-Za-z0-9_']*")
_CODE = re.compile(r"'([0-9a-f]+)'")
_STRANGE = re.compile(r"[^A-Za-z0-9_]")
_WORD = re.compile(r"[^\s();?][^\s();]*")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,9}")
_KEPT = frozenset({"not"})


def symbol_name(word: str) -> str:
    """The identifier of a word.

    >>> symbol_name("xplayer"), symbol_name("Red"), symbol_name("a-b"), symbol_name("+")
    ('xplayer', "w''Red", "a'2d'b", "w'''2b'")
    """
    if _is_itself(word):
        return word
    coded = _STRANGE.sub(lambda match: f"'{ord(match[0]):x}'", word)
    return coded if _PLAIN.fullmatch(coded) and coded not in _KEPT else _BEHIND + coded


def word_of(name: str) -> str:
    """The word of an identifier. Raises HexlogicError for an identifier that no word has.

    >>> word_of("w''Red"), word_of("a'2d'b"), word_of("p'")
    ('Red', 'a-b', "p'")
    """
    if _is_itself(name):
        return name
    try:
        word = _CODE.sub(lambda match: chr(int(match[1], 16)), name.removeprefix(_BEHIND))
    except (OverflowError, ValueError):  # no such code point
        word = ""
    if _WORD.fullmatch(word) is None or symbol_name(word) != name:
        raise HexlogicError(f"the name {name} has no GDL spelling", hint="a name with quotes means a word in code here")
    return word


def _is_itself(word: str) -> bool:
    coded = word.startswith(_BEHIND) or _CODE.search(word) is not None
    return _PLAIN.fullmatch(word) is not None and not coded and word not in _KEPT


def constant(word: str) -> Integer | Symbol:
    """The constant that a word spells.

    >>> constant("12"), constant("012")
    (Integer(value=12), Symbol(name="w''012"))
    """
    # clingo counts in 32 bits: a longer number is a name
    if _INTEGER.fullmatch(word) and abs(int(word)) <= LARGEST:
        return Integer(int(word))
    return Symbol(symbol_name(word))


def constant_word(term: Integer | Symbol) -> str:
    """The word of a constant. Raises HexlogicError when that word would mean another one."""
    word = word_of(term.name) if isinstance(term, Symbol) else str(term.value)
    if str(constant(word)) != str(term):
        raise HexlogicError(f"the constant {term} has no GDL spelling", hint="numbers go up to 2147483647")
    return word


def variable_name(word: str) -> str:
    """The variable that the word of a variable, without its `?`, becomes; two words may become the same.

    >>> variable_name("x"), variable_name("Row"), variable_name("_m"), variable_name("2-3")
    ('X', 'Row', '_M', 'V2_3')
    """
    plain = re.sub(r"[^A-Za-z0-9_']", "_", word)
    bare = plain.lstrip("_")
    if bare[:1].isalpha():
        return plain[: len(plain) - len(bare)] + bare[0].upper() + bare[1:]
    return f"V{plain}"


def variable_word(name: str) -> str:
    """The word of a variable: the first letter small, and a question mark before it.

    >>> variable_word("Row"), variable_word("_M")
    ('?row', '?_m')
    """
    bare = name.lstrip("_")
    return f"?{name[: len(name) - len(bare)]}{bare[0].lower()}{bare[1:]}"


FORMULA_WORDS = frozenset({"<=", "and", "distinct", "not", "or"})
"""Words with a meaning of their own: no predicate has such a name."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """The signs of one syntax: how a variable, a word, a word with arguments, a negation and a rule are written, given
    the text of their parts; and what begins a comment."""

    variable: Callable[[str], str]
    word: Callable[[str], str]
    compound: Callable[[str, Sequence[str]], str]
    negated: Callable[[str], str]
    rule: Callable[[str, Sequence[str]], str]
    comment: str

    def program(self, program: Program) -> str:
        """The rules, an empty line between predicates. Raises HexlogicError, with the place of the rule."""
        plain = not program.constants and not any(map(_computes, program.rules))
        lines: list[str] = []
        previous = None
        for rule in program.rules if plain else lower(program).rules:
            if rule.head is None:
                continue
            if previous not in (None, rule.head.predicate):
                lines.append("")
            previous = rule.head.predicate
            try:
                rule = sayable(rule)
                head, body = self.atom(rule.conclusion), [self.literal(item) for item in rule.body]
                lines.append(self.rule(head, body) if body else head)
            except HexlogicError as error:
                raise rule.at(error) from None
        lines += [f"{self.comment} not run: {rule}" for rule in program.constraints]
        return "".join(f"{line}\n" for line in lines)

    def literal(self, item: BodyLiteral) -> str:
        """A body literal, `=` by the negation of `distinct`."""
        if isinstance(item, Comparison):
            apart = self.compound(self.word("distinct"), [self.term(item.left), self.term(item.right)])
            return apart if item.operator == "!=" else self.negated(apart)
        return self.atom(item.atom) if item.positive else self.negated(self.atom(item.atom))

    def atom(self, part: Atom | Function) -> str:
        """A word with its arguments."""
        word = self.word(word_of(part.name))
        return self.compound(word, list(map(self.term, part.arguments))) if part.arguments else word

    def term(self, term: Term) -> str:
        """A term, which computes nothing."""
        match term:
            case Variable(name):
                return self.variable(name)
            case Integer() | Symbol():
                return self.word(constant_word(term))
            case Function():
                return self.atom(term)
            case _:
                raise AssertionError(f"{term} is refused before")


def _computes(rule: Rule) -> bool:
    if any(isinstance(item, Comparison) and item.operator not in ("=", "!=") for item in rule.body):
        return True
    return any(computes(term) for item in rule.items for term in body_terms(item))


def sayable(rule: Rule) -> Rule:
    """The rule itself, a variable that is equal to a term replaced by it: validators refuse `(not (distinct ...))`.
    Raises HexlogicError for what GDL has not."""
    if _computes(rule):
        what = f"GDL has neither arithmetic nor an order, as in `{rule}`"
        raise HexlogicError(what, hint="the pass ground may compute them before")
    for atom in rule.atoms:
        if atom.name in FORMULA_WORDS:
            raise HexlogicError(f"{atom.name} is a word of GDL and no predicate", hint="rename it")
    known = variables(*(literal for literal in rule.literals if literal.positive))
    for item in rule.body:
        if isinstance(item, Comparison) and item.operator == "=":
            left, right = item.left, item.right
            variable, value = (left, right) if isinstance(left, Variable) else (right, left)
            if not isinstance(variable, Variable) or variable in variables(value):
                if variables(item) <= known:
                    continue
                raise HexlogicError(f"GDL has no `{item}` that gives a variable its value")
            rest = rule.with_body(tuple(other for other in rule.body if other is not item))
            return sayable(substitute(rest, {variable: value}))
    return rule


_KIF = Spelling(
    variable=variable_word,
    word=lambda word: word,
    compound=lambda word, arguments: f"({' '.join([word, *arguments])})",
    negated=lambda literal: f"(not {literal})",
    rule=lambda head, body: f"(<= {head}" + "".join(f"\n    {literal}" for literal in body) + ")",
    comment=";",
)


def render(program: Program) -> str:
    """The KIF text of a program. Raises HexlogicError for what GDL cannot say, with the place of the rule."""
    return _KIF.program(program)


def write_term(term: Term) -> str:
    """A term as KIF.

    >>> from hexlogic.language import Function, Integer, Symbol, Variable
    >>> write_term(Function("cell", (Integer(1), Variable("Y"), Symbol("b"))))
    '(cell 1 ?y b)'
    """
    return _KIF.term(term)


DIALECT = Dialect(
    "gdl",
    render,
    comment=";",
    stones="write them as (owns red 1) (owns blue 2) ...",
    describes_games=True,
    keeps_order=False,
)
