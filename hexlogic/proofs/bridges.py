"""Bridges: what the predicates of one rule set mean in another, stated beside the rule sets in `rules/bridges/`.

A bridge is text in the rule language, in blocks that begin with `%%`:

    %% means: words              definitions of new predicates over both rule sets
    %% lemma name: words         assumed; checked on every position of small boards, and printed with the proof
    %% claim: words              proved by induction on the derivations of its first body atom

A lemma about the board alone may say how it is proved for every size:

    %% lemma name from one, other: words         with the lemmas `one` and `other`, which stand above
    %% lemma name by induction on X: words       with the same for the number X-1

A lemma that another one is proved from serves that proof alone: claims do not see it.

Claims are proved in order, each with the help of those above; those of one block at once, each with the help of all of
them on shorter derivations. A head variable that is not in the body says "some":
`least(P,X,L) :- owns(P,X).` is "every stone X has some least L". No head, or the head `contradiction`, says that the
body cannot be. A predicate that both rule sets define is told apart as `wins_left` and `wins_right`.
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias, cast

from hexlogic.errors import RuleSyntaxError
from hexlogic.games.rulesets import read_header
from hexlogic.language import Atom, Program, Rule, Variable
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.parser import parse
from hexlogic.language.walk import is_positive
from hexlogic.process.files import read_text, readable, rules_folder

StatementKind: TypeAlias = Literal["means", "lemma", "claim"]
_HINT = "a block begins with %% means: words, %% lemma name: words, or %% claim: words"
_CONTRADICTION = Atom("contradiction")
_BLOCK = re.compile(r"%%\s*(means|lemma|claim)\s*([^:]*):\s*(.*?)\s*$")
_LEMMA = re.compile(r"(.*?)(?:\s+by induction on\s+([A-Z]\w*))?(?:\s+from\b\s*(.*))?")


@dataclass(frozen=True, slots=True)
class Statement:
    """One block of a bridge; definitions and claims may have several rules, a lemma has one. `sources` are the lemmas
    that a lemma is proved from, `induction` the variable that its proof does induction on."""

    kind: StatementKind
    name: str
    words: str
    rules: tuple[Rule, ...]
    sources: "tuple[Statement, ...]" = ()
    induction: Variable | None = None

    @property
    def rule(self) -> Rule:
        """The rule of a lemma."""
        return self.rules[0]


@dataclass(frozen=True, slots=True)
class Bridge:
    """The statements that lead from `left` to `right`, names of rule sets, in proof order."""

    left: str
    right: str
    idea: str
    statements: tuple[Statement, ...]


def read_bridge(text: str, file: str) -> Bridge:
    """The bridge of a text. Raises RuleSyntaxError with file and line."""
    header = read_header(text, file, ("left", "right", "idea"))
    statements: list[Statement] = []
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("%%")]
    for rule in parse("\n".join(lines[: starts[0]] if starts else lines), file).rules:
        raise rule.at(RuleSyntaxError("text before the first block", hint=_HINT))
    for start, end in itertools.pairwise([*starts, len(lines)]):
        match = _BLOCK.match(lines[start])
        if match is None:
            raise RuleSyntaxError("not the head of a block", file=file, line=start + 1, column=1, hint=_HINT)
        # The lines before are kept as empty ones, so that places in errors are those of the file.
        program = parse("\n" * start + "\n".join(lines[start:end]), file)
        rules = program.rules
        if program != Program(rules):
            raise RuleSyntaxError("a block holds rules only, no directives", file=file, line=start + 1, column=1)
        kind = cast(StatementKind, match[1])
        lacking = any(rule.head is None if kind == "means" else not rule.body for rule in rules)
        if lacking or not rules or (kind == "lemma" and len(rules) != 1):
            wanted = {"means": "rules with a head", "lemma": "one rule with a body", "claim": "rules with a body"}[kind]
            raise RuleSyntaxError(f"a {kind} block holds {wanted}", file=file, line=start + 1, column=1)
        if kind != "means":
            rules = tuple(replace(rule, head=None) if rule.head == _CONTRADICTION else rule for rule in rules)
        statement = Statement(kind, match[2].strip(), match[3], rules)
        if kind == "lemma":
            above = {statement.name: statement for statement in statements if statement.kind == "lemma"}
            try:
                statement = _how_proved(statement, above)
            except RuleSyntaxError as error:
                raise error.at(file=file, line=start + 1, column=1) from None
        statements.append(statement)
    return Bridge(header["left"], header["right"], header["idea"], tuple(statements))


def read_statements(text: str) -> tuple[Statement, ...]:
    """The statements of blocks without a header. Raises RuleSyntaxError."""
    return read_bridge(f"% left:   left\n% right:  right\n% idea:   none\n\n{text}", "blocks").statements


def _how_proved(lemma: Statement, above: Mapping[str, Statement]) -> Statement:
    """The lemma with the sources and the induction that its name asks for. Raises RuleSyntaxError without a place."""
    match = _LEMMA.fullmatch(lemma.name)
    assert match is not None
    name, place, listed = match.groups()
    if name in above:
        raise RuleSyntaxError(f"two lemmas are called {name}")
    sources = [] if listed is None else [part.strip() for part in listed.split(",")]
    for source in sources:
        if source not in above:
            hint = f"above are: {', '.join(above)}" if above else "no lemma stands above"
            raise RuleSyntaxError(f"no lemma {source!r} stands above the lemma {name}", hint=hint)
    variable, first = None if place is None else Variable(place), lemma.rule.body[0]
    arguments = first.atom.arguments if is_positive(first) else ()
    if variable is not None and variable not in arguments:
        raise RuleSyntaxError(f"induction on {place}, which is no argument of the first body atom")
    return replace(lemma, name=name, sources=tuple(map(above.__getitem__, sources)), induction=variable)


def read_bridge_file(path: Path) -> Bridge:
    """The bridge of a file. Raises HexlogicError."""
    with readable(path, "the bridge"):
        return read_bridge(read_text(path), path.name)


def load_bridges(game: str = "hex") -> tuple[Bridge, ...]:
    """The bridges of a game, sorted by file name: those of Hex in `rules/bridges/`, others in `rules/bridges/GAME/`."""
    folder = rules_folder() / "bridges"
    paths = sorted((folder if game == "hex" else folder / game).glob("*.lp"))
    return tuple(map(read_bridge_file, paths))


def bridge_path(left: str, right: str, bridges: tuple[Bridge, ...]) -> list[Bridge] | None:
    """The fewest bridges that join two rule sets; None when there are none. Of two between the same, the first."""
    between: dict[tuple[str, str], Bridge] = {}
    for bridge in reversed(bridges):
        between |= dict.fromkeys([(bridge.left, bridge.right), (bridge.right, bridge.left)], bridge)
    graph = Digraph((start, end, False) for start, end in between)
    if left not in graph or right not in graph.below([left]):
        return None
    return [between[step] for step in itertools.pairwise(graph.path(left, right))]
