"""A second opinion on Souffle text: a small reader that checks names and types and gives the rules back.

It follows Souffle's documentation and scanner and shares no code with the printer. `souffle` itself is in no package
registry, so this is what the printed text is tested with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lark import Lark, Token, Tree

from hexlogic.language import Program
from hexlogic.language.parser import parse

GRAMMAR = r"""
start: (type | decl | input | output | rule)*
type: ".type" NAME "=" branch ("|" branch)*
branch: NAME "{" [attribute ("," attribute)*] "}"
decl: ".decl" NAME "(" [attribute ("," attribute)*] ")"
attribute: NAME ":" NAME
input: ".input" NAME
output: ".output" NAME
rule: atom [":-" goal ("," goal)*] "."
?goal: atom | "!" atom -> negation | sum OPERATOR sum -> comparison
atom: NAME "(" [sum ("," sum)*] ")"
?sum: product | sum ADDING product -> arithmetic
?product: term | product MULTIPLYING term -> arithmetic
?term: NUMBER -> number | STRING -> symbol | "$" NAME "(" [sum ("," sum)*] ")" -> branch_of
     | NAME -> variable | "_" -> anything | "(" sum ")"
OPERATOR: "<=" | ">=" | "!=" | "=" | "<" | ">"
ADDING: "+" | "-"
MULTIPLYING: "*" | "/" | "%"
NUMBER: /-?[0-9]+/
STRING: /"[^"\\]*"/
NAME: /[?a-zA-Z][_?a-zA-Z0-9]*|_[_?a-zA-Z0-9]+/
COMMENT: /\/\/[^\n]*/
%ignore /\s+/
%ignore COMMENT
"""
PARSER = Lark(GRAMMAR, parser="lalr", maybe_placeholders=False)
# from the scanner of Souffle 2
_WORDS = """
    autoinc band bor bxor bnot bshl bshr bshru land lor lxor lnot match mean cat ord fold range strlen substr stateful
    contains output input overridable printsize eqrel inline no_inline magic no_magic brie btree_delete btree min max
    as nil count sum true false to_float to_number to_string to_unsigned
"""
KEYWORDS = frozenset(_WORDS.split())


@dataclass
class SouffleProgram:
    """What the text declares, and its rules in the rule language."""

    relations: dict[str, list[str]] = field(default_factory=dict)
    branches: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)

    @property
    def program(self) -> Program:
        return parse("".join(f"{rule}\n" for rule in self.rules))


def read(text: str) -> SouffleProgram:
    """Raises AssertionError for what Souffle would not take, lark's errors for what is no Souffle."""
    found = SouffleProgram()
    tree = PARSER.parse(text)
    for token in tree.scan_values(lambda value: isinstance(value, Token) and value.type == "NAME"):
        assert token not in KEYWORDS, token
    for entry in tree.children:
        match entry.data, entry.children:
            case "type", [name, *branches]:
                for branch in branches:
                    assert branch.children[0] not in found.branches, "a branch is known in the whole program"
                    found.branches[str(branch.children[0])] = (str(name), attribute_types(branch.children[1:]))
            case "decl", [name, *attributes]:
                assert name not in found.relations
                found.relations[str(name)] = attribute_types(attributes)
            case "input" | "output", [name]:
                (found.inputs if entry.data == "input" else found.outputs).append(str(name))
    types = {"number", "symbol", *(owner for owner, _ in found.branches.values())}
    assert all(
        used in types
        for fields in (*found.relations.values(), *(f for _, f in found.branches.values()))
        for used in fields
    )
    assert set(found.inputs) | set(found.outputs) <= set(found.relations)
    found.rules = [Clause(found).rule(entry) for entry in tree.children if entry.data == "rule"]
    return found


def attribute_types(attributes: list[Tree]) -> list[str]:
    assert len({str(attribute.children[0]) for attribute in attributes}) == len(attributes)
    return [str(attribute.children[1]) for attribute in attributes]


class Clause:
    """Translates one clause and finds a single type for each of its variables."""

    def __init__(self, found: SouffleProgram) -> None:
        self.found = found
        self.types: dict[str, str] = {}

    def rule(self, tree: Tree) -> str:
        head, *goals = tree.children
        body = [self.goal(goal) for goal in goals]
        # a comparison may come before the atom that gives its variables a type
        body = [self.goal(goal) for goal in goals] if body else []
        return f"{self.goal(head)} :- {', '.join(body)}." if body else f"{self.goal(head)}."

    def goal(self, tree: Tree) -> str:
        match tree.data, tree.children:
            case "atom", [name, *terms]:
                columns = self.found.relations[str(name)]
                assert len(columns) == len(terms), name
                return f"{name}({','.join(map(self.term, terms, columns))})" if terms else str(name)
            case "negation", [atom]:
                return f"not {self.goal(atom)}"
            case "comparison", [left, operator, right]:
                wanted = self.type_of(left) or self.type_of(right)
                assert operator in ("=", "!=") or wanted in ("number", None)
                return f"{self.term(left, wanted)} {operator} {self.term(right, wanted)}"
        raise AssertionError(tree)

    def type_of(self, tree: Tree) -> str | None:
        match tree.data, tree.children:
            case "variable", [name]:
                return self.types.get(str(name))
            case "branch_of", [name, *_]:
                return self.found.branches[str(name)][0]
            case "number" | "arithmetic", _:
                return "number"
            case "symbol", _:
                return "symbol"
        return None

    def term(self, tree: Tree, wanted: str | None) -> str:
        match tree.data, tree.children:
            case "variable", [name]:
                assert wanted is None or self.types.setdefault(str(name), wanted) == wanted, (name, wanted)
                return str(name) if name[0].isupper() else f"V{name}"
            case "anything", _:
                return "_"
            case "number", [value]:
                assert wanted == "number"
                return str(value)
            case "symbol", [text]:
                assert wanted == "symbol"
                return str(text)[1:-1]
            case "arithmetic", [left, operator, right]:
                assert wanted == "number"
                sign = "\\" if operator == "%" else str(operator)
                return f"({self.term(left, 'number')}{sign}{self.term(right, 'number')})"
            case "branch_of", [name, *terms]:
                owner, fields = self.found.branches[str(name)]
                assert owner == wanted
                assert len(fields) == len(terms)
                inner = list(map(self.term, terms, fields))
                wrapped = re.fullmatch(r"(Symbol|Number)\d+", name)
                return inner[0] if wrapped else f"{name.rpartition('_')[0]}({','.join(inner)})"
        raise AssertionError(tree)
