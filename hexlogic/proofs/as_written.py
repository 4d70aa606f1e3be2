"""Run rule texts by clingo on real positions and compare the `wins` atoms: a check that shares no code with proofs.

Nothing here reads a rule: each text goes to clingo's own parser beside the text of the board, alone, with the sizes as
`-c rows=4`.

A board of up to 16 cells is ground once over all stones, and each ground atom becomes the set of positions in which it
is true: an integer with one bit for each position. On larger boards clingo is given one position at a time.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Player, Position, draw_text
from hexlogic.games.kinds import kind_at
from hexlogic.language.analysis.graph import Digraph
from hexlogic.proofs.trial_boards import LONGEST_CHAIN, Stones, TrialBoard, all_positions, plan, reached

if TYPE_CHECKING:
    import clingo


@dataclass(frozen=True, slots=True)
class Tried:
    """The boards that were tried, the number of positions, and the numbers of the texts that were out of reach.

    `unreached` are no cell, column, row or length of a board that was tried, `too_long` only no length of a chain.
    `problem` says why nothing is proved: a difference, or with `ran` false that clingo could not run the texts. It is
    empty when no difference was found. `drawing` shows the position.
    """

    boards: tuple[str, ...] = ()
    positions: int = 0
    unreached: tuple[int, ...] = ()
    too_long: tuple[int, ...] = ()
    problem: str = ""
    drawing: str = ""
    ran: bool = True
    engine: str = "clingo"

    def __str__(self) -> str:
        if not self.ran:
            return self.problem
        what = f"positions of {', '.join(self.boards)}" if self.boards else "sets of input facts"
        outcome = "a difference" if self.problem else "no difference"
        words = f"run by {self.engine} on the texts as they are: {self.positions:,} {what}: {outcome}"
        if self.engine != "clingo":
            words += "\nclingo's grounder need not end on them: the proof is about their least models"
        if self.unreached:
            words += f"\nnumbers out of reach of these boards: {', '.join(map(str, self.unreached))}"
        if self.too_long:
            words += f"\nnumbers that no chain was as long as: {', '.join(map(str, self.too_long))}"
        return words


def compare(
    *,
    names: Sequence[str],
    sides: Sequence[Sequence[str]],
    kind: str,
    numbers_of: Sequence[str],
    numbers: Sequence[int] = (),
    report: Callable[[str], None] = lambda _: None,
) -> Tried:
    """Run the sides on boards and compare the `wins` atoms of each with those of the first, until two differ.

    A side is a list of texts that clingo runs together; `kind` is where the game is found (`name_of`). Boards are
    made for `numbers` and each number in the texts `numbers_of`; those too large for any board are `unreached`.
    Raises EngineError, with clingo's words, for a text that clingo does not run.
    """
    game = kind_at(kind)
    numbers = sorted(frozenset(numbers).union(*map(numbers_in, numbers_of)))
    within = reached(numbers)
    unreached = tuple(number for number in numbers if number not in within)
    too_long = tuple(number for number in within if number > LONGEST_CHAIN)
    boards, positions = list[str](), 0
    for board, lists in plan(game, numbers):
        report(str(board))
        boards.append(str(board))
        differences: Iterable[tuple[int, _Difference | None]]
        if lists is None:
            count, stones = all_positions(board.cells)
            differences = [(count, _difference_on_all(sides, board, stones, count))]
        else:
            differences = ((1, _difference_on(sides, board, position)) for position in lists)
        for count, difference in differences:
            positions += count
            if difference is not None:
                problem, drawing = _words(names, board, difference), ""
                if board.game is not None:  # else it is too large to be drawn
                    drawing = draw_text(Position(board.game, difference.stones["red"], difference.stones["blue"]))
                return Tried(tuple(boards), positions, unreached, too_long, problem, drawing)
    return Tried(tuple(boards), positions, unreached, too_long)


class _Difference(NamedTuple):
    """The stones of a position on which a side and the first one differ, the number of that side, and both answers."""

    stones: Stones
    side: int
    answers: tuple[Collection[str], Collection[str]]


def _difference_on_all(
    sides: Sequence[Sequence[str]], board: TrialBoard, stones: Mapping[Player, Mapping[int, int]], count: int
) -> _Difference | None:
    first, *others = (answers(texts, board.sizes, stones, count) for texts in sides)
    for side, other in enumerate(others, 1):
        wrong = functools.reduce(int.__or__, (first.get(key, 0) ^ other.get(key, 0) for key in {*first, *other}), 0)
        if bit := wrong & -wrong:
            there = {player: frozenset(c for c in cells if cells[c] & bit) for player, cells in stones.items()}
            said, denied = ([atom for atom, bits in true_in.items() if bits & bit] for true_in in (first, other))
            return _Difference(there, side, (said, denied))
    return None


def _difference_on(sides: Sequence[Sequence[str]], board: TrialBoard, stones: Stones) -> _Difference | None:
    first, *others = (answer(texts, board.sizes, stones) for texts in sides)
    different = (_Difference(stones, side, (first, other)) for side, other in enumerate(others, 1) if other != first)
    return next(different, None)


def _words(names: Sequence[str], board: TrialBoard, difference: _Difference) -> str:
    answers_of = zip((names[0], names[difference.side]), difference.answers, strict=True)
    said = " and ".join(f"{name} says {', '.join(sorted(atoms)) or 'no wins'}" for name, atoms in answers_of)
    stones = ((player, sorted(difference.stones[player])) for player in PLAYERS)
    listed = "; ".join(f"{player} {' '.join(map(str, cells))}" for player, cells in stones if cells)
    return f"on {board} with the stones {listed or 'of nobody'} {said}"


def answer(texts: Sequence[str], sizes: Iterable[tuple[str, int]], stones: Stones) -> frozenset[str]:
    """The `wins` atoms of the answer set on one position. See `answer_atoms`."""
    facts = "".join(f"owns({player},{cell})." for player in PLAYERS for cell in sorted(stones[player]))
    return answer_atoms((*texts, facts), sizes, "wins", 1)


def answer_atoms(texts: Sequence[str], sizes: Iterable[tuple[str, int]], name: str, arity: int) -> frozenset[str]:
    """The answer set's atoms of a predicate, as text, or `no answer set`, `two answer sets`. Raises EngineError."""
    control = _ground(texts, sizes)
    with control.solve(yield_=True) as handle:
        models = [[str(atom) for atom in model.symbols(atoms=True) if atom.match(name, arity)] for model in handle]
    if len(models) > 1:
        return frozenset({"two answer sets"})
    return frozenset(models[0] if models else {"no answer set"})


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
    texts: Sequence[str], sizes: Iterable[tuple[str, int]], stones: Mapping[Player, Mapping[int, int]], count: int
) -> dict[str, int]:
    """For each `wins` atom, as text, the positions in which it is true, one bit each; `stones` says so of each stone.
    Raises EngineError with clingo's words, and for ground rules that are not stratified or more than normal rules."""
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
    wins = ((name, entry) for name, entry in atoms.items() if entry.symbol.match("wins", 1))
    answered = {name: everywhere if entry.is_fact else true_in.get(entry.literal, 0) for name, entry in wins}
    return {name: bits for name, bits in answered.items() if bits}


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

        def visit_BinaryOperation(self, node: AST) -> AST:  # noqa: N802
            terms[str(node)] = None
            return node.update(**self.visit_children(node))

        visit_SymbolicTerm = visit_UnaryOperation = visit_BinaryOperation  # noqa: N815

    statements: list[AST] = []
    try:
        parse_string(text, statements.append)
    except RuntimeError as error:
        raise EngineError(f"clingo: {error}") from None
    finder = Finder()
    for statement in statements:
        if statement.ast_type != ASTType.Comment:
            finder.visit(statement)
    numbers = set[int]()
    for term in terms:
        with contextlib.suppress(EngineError):  # with a variable, or without a value, it is none of the text's numbers
            control = _ground((*constants, f"number({term})."), ())
            values = (entry.symbol.arguments[0] for entry in control.symbolic_atoms.by_signature("number", 1))
            numbers |= {abs(value.number) for value in values if str(value.type) == "SymbolType.Number"}
    return frozenset(numbers)


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
