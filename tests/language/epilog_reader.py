"""A second opinion on Epilog text: a small reader that checks names and gives the rules back in the rule language.

It shares no code with the printer. The words that the engine keeps are from Epilog's documentation and JavaScript.
"""

from __future__ import annotations

import re

from lark import Lark, Token, Tree

from hexlogic.language import Program
from hexlogic.language.parser import parse

GRAMMAR = r"""
start: sentence*
sentence: term [":-" goal ("&" goal)*]
?goal: term | "~" goal -> negation
?term: NUMBER -> number | VARIABLE -> variable | NAME -> constant | NAME "(" term ("," term)* ")" -> compound
NUMBER: /-?[0-9]+/
VARIABLE: /[A-Z][A-Za-z0-9_]*/
NAME: /[a-z][A-Za-z0-9_.]*/
COMMENT: /%[^\n]*/
%ignore /\s+/
%ignore COMMENT
"""
PARSER = Lark(GRAMMAR, parser="lalr", maybe_placeholders=False)
# What a JavaScript array or object has, and what Epilog computes by itself.
_KEPT = """
    at concat constructor entries every fill filter find flat includes indexOf join keys length map pop push reduce
    reverse shift slice some sort splice values toString valueOf hasOwnProperty isPrototypeOf
    plus minus times quotient remainder matches submatches append reverse length listify symbolize stringify hastype
    maximum minimum range midrange sum median mean variance stddev countofall setofall mutex member true false not and
    or rule same distinct evaluate abs acos asin atan ceil cos exp floor log max min pow random round sin sqrt tan trunc
    nil cons definition handler transition if choose
"""
KEPT = frozenset(_KEPT.split())
_SIGNS = {"plus": "+", "minus": "-", "times": "*", "remainder": "\\"}


def read(text: str) -> Program:
    """Raises AssertionError for a name that Epilog would take for something else, lark's errors for other text."""
    assert not re.search(r"[^%]*\.\s*$", re.sub(r"%.*", "", text)), "no final dots"
    return parse("".join(f"{_sentence(tree)}\n" for tree in PARSER.parse(text).children))


def _sentence(tree: Tree) -> str:
    head, *goals = tree.children
    return f"{_atom(head)} :- {', '.join(map(_goal, goals))}." if goals else f"{_atom(head)}."


def _goal(tree: Tree) -> str:
    if tree.data == "negation":
        return f"not {_goal(tree.children[0])}"
    match [str(part) if isinstance(part, Token) else part for part in tree.children]:
        case ["same", left, right]:
            return f"{_term(left)} = {_term(right)}"
        case ["distinct", left, right]:
            return f"{_term(left)} != {_term(right)}"
        case ["evaluate", Tree(data="compound", children=["min", left, right]), result]:
            assert left == result, "min serves as an order only"
            return f"{_term(left)} <= {_term(right)}"
        case ["evaluate", value, result]:
            return f"{_term(result)} = {_value(value)}"
    return _atom(tree)


def _atom(tree: Tree) -> str:
    name, *terms = tree.children
    plain, _, arity = str(name).rpartition("_")
    assert int(arity) == len(terms), name
    assert name not in KEPT
    shown = _plain(plain)
    return f"{shown}({','.join(map(_term, terms))})" if terms else shown


def _term(tree: Tree) -> str:
    match tree.data, tree.children:
        case "number" | "variable", [token]:
            return str(token)
        case "constant", [name]:
            assert name not in KEPT
            if re.fullmatch(r"c_?[0-9]+", name):
                return str(name)[1:].replace("_", "-")
            assert name.startswith("s_"), name
            return str(name)[2:].replace(".", "'")
        case "compound", [name, *terms]:
            assert name not in KEPT
            plain, _, arity = str(name).rpartition("_")
            assert plain.startswith("f_"), name
            assert int(arity) == len(terms), name
            return f"{plain[2:].replace('.', chr(39))}({','.join(map(_term, terms))})"
    raise AssertionError(tree)


def _value(tree: Tree) -> str:
    match tree.data, [str(part) if isinstance(part, Token) else part for part in tree.children]:
        case "compound", ["trunc", Tree(data="compound", children=["quotient", left, right])]:
            return f"({_value(left)}/{_value(right)})"
        case "compound", [name, left, right]:
            return f"({_value(left)}{_SIGNS[name]}{_value(right)})"
    return f"({_term(tree)})"


def _plain(name: str) -> str:
    """The name of the predicate behind a printed name without its arity."""
    return name.removeprefix("u.").replace(".q", "'")
