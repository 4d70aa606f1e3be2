"""Encode the words of GDL as identifiers of the rule language, and decode them.

A GDL word is any text without spaces and parentheses.

    xplayer   xplayer          a name is itself
    Red       w''Red           what cannot begin a name stands behind w''
    a-b       a'2d'b           any other character is its code point, in hexadecimal, between quotes
    ?row      Row              a variable changes its first letter only

`symbol_name` and `word_of` are inverse. Capitals count, as they do for most players.
"""

from __future__ import annotations

import re

from hexlogic.errors import HexlogicError
from hexlogic.language.constants import LARGEST
from hexlogic.language.syntax import Integer, Symbol, Term

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
    same: Term = constant(word)
    if same != term:
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
