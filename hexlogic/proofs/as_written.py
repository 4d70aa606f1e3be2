"""Rule texts on real positions, as clingo reads them: a second pair of eyes for proofs.

Nothing here reads a rule: each text goes to clingo's own parser beside the text of the board, alone, with the sizes as
`-c rows=4`. So it shares no parser, no translation and no axiom with a proof about these texts.

A board of up to 16 cells is ground once over all stones, and each ground atom becomes the set of positions in which it
is true: an integer with one bit for each position. On larger boards clingo is given one position at a time.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Player
from hexlogic.games.registry import kind_at
from hexlogic.language.analysis.graph import Digraph
from hexlogic.proofs.trial_boards import LONGEST_CHAIN, Stones, TrialBoard, all_positions, plan, reached

if TYPE_CHECKING:
    import clingo


class Difference(TypedDict):
    """Where two sides differ: the board, its sizes, the stones of a position, the two answers, the number of the other
    side."""

    board: str
    sizes: list[int]
    red: list[int]
    blue: list[int]
    said: list[list[str]]
    side: int


class Comparison(TypedDict):
    """The boards that were tried, their positions, the numbers out of reach (`second_look.Tried`), the difference."""

    boards: list[str]
    positions: int
    unreached: list[int]
    too_long: list[int]
    difference: Difference | None


def compare(
    *,
    sides: Sequence[Sequence[str]],
    kind: str,
    numbers_of: Sequence[str],
    numbers: Sequence[int] = (),
    report: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Where the first side and another one derive different `wins` atoms, and which boards were tried.

    A side is a list of texts that clingo runs together; `kind` is where the game is found (`kind_path`). Boards are
    made for `numbers` and each number in the texts `numbers_of`; those too large for any board are `unreached`.
    Raises EngineError, with clingo's words, for a text that clingo does not run.
    """
    game = kind_at(kind)
    numbers = sorted(frozenset(numbers).union(*map(numbers_in, numbers_of)))
    tried, positions = list[str](), 0
    for board, lists in plan(game, numbers):
        report(str(board))
        tried.append(str(board))
        if lists is None:
            count, stones = all_positions(board.cells)
            positions += count
            one, *others = (answers(texts, board.sizes, stones, count) for texts in sides)
            for place, other in enumerate(others, 1):
                if wrong := functools.reduce(
                    int.__or__, (one.get(key, 0) ^ other.get(key, 0) for key in {*one, *other}), 0
                ):
                    bit = wrong & -wrong
                    there = {
                        player: frozenset(cell for cell, bits in cells.items() if bits & bit)
                        for player, cells in stones.items()
                    }
                    said = [sorted(atom for atom, bits in found.items() if bits & bit) for found in (one, other)]
                    return _told(tried, positions, numbers, (board, there, said, place))
            continue
        for position in lists:
            positions += 1
            first, *rest = (answer(texts, board.sizes, position) for texts in sides)
            for place, found in enumerate(rest, 1):
                if found != first:
                    return _told(tried, positions, numbers, (board, position, [sorted(first), sorted(found)], place))
    return _told(tried, positions, numbers, None)


def _told(
    tried: list[str],
    positions: int,
    numbers: Sequence[int],
    difference: tuple[TrialBoard, Stones, list[list[str]], int] | None,
) -> Comparison:
    within = reached(numbers)
    data: Comparison = {
        "boards": tried,
        "positions": positions,
        "unreached": [number for number in numbers if number not in within],
        "too_long": [number for number in within if number > LONGEST_CHAIN],
        "difference": None,
    }
    if difference is not None:
        board, stones, said, side = difference
        data["difference"] = {
            "board": str(board),
            "sizes": [length for _, length in board.sizes],
            "red": sorted(stones["red"]),
            "blue": sorted(stones["blue"]),
            "said": said,
            "side": side,
        }
    return data


def answer(texts: Sequence[str], sizes: Iterable[tuple[str, int]], stones: Stones) -> frozenset[str]:
    """The `wins` atoms of the answer set on one position, as text; `no answer set` or `two answer sets` in their place.

    Raises EngineError with clingo's words.
    """
    facts = "".join(f"owns({player},{cell})." for player in PLAYERS for cell in sorted(stones[player]))
    control = _ground((*texts, facts), sizes)
    found: list[frozenset[str]] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.append(frozenset(str(atom) for atom in model.symbols(atoms=True) if atom.match("wins", 1)))
            if len(found) > 1:
                return frozenset({"two answer sets"})
    return found[0] if found else frozenset({"no answer set"})


class _Rules:
    """Collects the ground rules; a negated atom is its negative number."""

    def __init__(self) -> None:
        self.bodies: dict[int, list[Sequence[int]]] = {}
        self.constraints: list[Sequence[int]] = []
        self.others = False

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if choice:
            # A choice of a text of its own, with a body or over more than one stone, is none of the stones'.
            self.others |= bool(body) or len(head) != 1
        elif not head:
            self.constraints.append(tuple(body))
        else:
            self.others |= len(head) != 1
            self.bodies.setdefault(head[0], []).append(tuple(body))

    def weight_rule(self, *_: object) -> None:
        self.others = True


def answers(
    texts: Sequence[str],
    sizes: Iterable[tuple[str, int]],
    stones: Mapping[Player, Mapping[int, int]],
    count: int,
) -> dict[str, int]:
    """For each `wins` atom, as text, the positions in which it is true, one bit each; `stones` says so of each stone.

    Raises EngineError with clingo's words, and for ground rules that are not stratified or more than normal rules.
    """
    rules = _Rules()
    choices = "".join(f"{{owns({player},{cell})}}." for player in PLAYERS for cell in stones[player])
    control = _ground((*texts, choices), sizes, observer=rules)
    atoms = {str(entry.symbol): entry for entry in control.symbolic_atoms}
    true_in: dict[int, int] = {}
    for player, cells in stones.items():
        for cell, bits in cells.items():
            entry = atoms.get(f"owns({player},{cell})")
            if entry is None or entry.is_fact or entry.literal in rules.bodies:
                raise EngineError(f"clingo does not read owns({player},{cell}) as a stone beside the text")
            true_in[entry.literal] = bits
    if rules.others:
        raise EngineError("clingo reads rules in the text that derive no single atom")
    everywhere = (1 << count) - 1
    _fill(rules.bodies, true_in, everywhere)
    if any(_body(body, true_in, everywhere) for body in rules.constraints):
        raise EngineError("clingo finds positions without an answer set")
    found = {}
    for name, entry in atoms.items():
        if entry.symbol.match("wins", 1):
            found[name] = everywhere if entry.is_fact else true_in.get(entry.literal, 0)
    return {name: bits for name, bits in found.items() if bits}


def _body(body: Sequence[int], true_in: Mapping[int, int], everywhere: int) -> int:
    for part in body:
        everywhere &= true_in.get(part, 0) if part > 0 else ~true_in.get(-part, 0)
    return everywhere


def _fill(bodies: Mapping[int, Sequence[Sequence[int]]], true_in: dict[int, int], everywhere: int) -> None:
    """Compute in which positions each atom is true: `not` is complement, a body intersection, a head union."""
    graph = Digraph(
        ((head, abs(part), part < 0) for head, each in bodies.items() for body in each for part in body), bodies
    )
    for component in graph.components():
        heads = sorted(head for head in component if head in bodies)
        if any(graph.successors(head).get(part, False) for head in heads for part in component):
            raise EngineError("clingo finds an atom of the text that depends on its own negation")
        changed = bool(heads)
        while changed:
            changed = False
            for head in heads:
                before = after = true_in.get(head, 0)
                for body in bodies[head]:
                    after |= _body(body, true_in, everywhere)
                if after != before:
                    true_in[head], changed = after, len(heads) > 1


def numbers_in(text: str) -> frozenset[int]:
    """The numbers that occur in a text outside comments, and the values of what is calculated from them, without signs.

    >>> sorted(numbers_in("#const n = 6*7. p(n+1) :- q(X,3), X > -2. % 99"))
    [1, 2, 3, 6, 7, 42, 43]
    """
    from clingo.ast import AST, ASTType, Transformer, parse_string

    constants, terms = list[str](), dict[str, None]()

    class Finder(Transformer):
        def visit_Definition(self, node: AST) -> AST:  # noqa: N802
            constants.append(str(node))
            terms[node.name] = None
            return node.update(**self.visit_children(node))

        def visit_SymbolicTerm(self, node: AST) -> AST:  # noqa: N802
            terms[str(node)] = None
            return node

        def visit_BinaryOperation(self, node: AST) -> AST:  # noqa: N802
            terms[str(node)] = None
            return node.update(**self.visit_children(node))

        visit_UnaryOperation = visit_BinaryOperation  # noqa: N815

    finder = Finder()

    def read(statement: AST) -> None:
        if statement.ast_type != ASTType.Comment:
            finder.visit(statement)

    try:
        parse_string(text, read)
    except RuntimeError as error:
        raise EngineError(f"clingo: {error}") from None
    found = set[int]()
    for term in terms:
        # A term with a variable, or without a value, is none of the text's numbers.
        try:
            control = _ground((*constants, f"number({term})."), ())
        except EngineError:
            continue
        found |= {
            abs(entry.symbol.arguments[0].number)
            for entry in control.symbolic_atoms.by_signature("number", 1)
            if str(entry.symbol.arguments[0].type) == "SymbolType.Number"
        }
    return frozenset(found)


def _ground(texts: Iterable[str], sizes: Iterable[tuple[str, int]], observer: _Rules | None = None) -> clingo.Control:
    """A control that has ground the texts, each of which clingo reads by itself. Raises EngineError."""
    import clingo

    messages: list[str] = []
    options = ["--warn=none", "--models=2", *(f"-c{name}={length}" for name, length in sizes)]
    control = clingo.Control(options, lambda _, line: messages.append(" ".join(line.split())))
    if observer is not None:
        control.register_observer(observer)  # type: ignore[arg-type]
    try:
        for text in texts:
            control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EngineError(f"clingo: {'; '.join(messages) or error}") from None
    return control
