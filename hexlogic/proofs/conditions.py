"""The conditions of the theorems on the page "Proofs", one function each, under the name that the page gives it.

A text that breaks one is refused with its place; nothing is proved about it.

Conditions on integers: a program is finite, and up to a largest board its arithmetic stays in 32 bits. Clingo counts in
32 bits and wraps, provers and other engines count without end. So a proof for all boards is about the boards up to the
largest one on which no term of the texts leaves 32 bits: of Hex 46,340 columns and rows, unless a rule multiplies or
adds more than the board's own rules. `hexlogic.language.analysis.bounds` finds and checks the bounds; they are the
certificate that `smt/export.py` gives to provers.
"""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, RED, Game
from hexlogic.games.rulesets import RuleSet, board_rules, check_constants, load_rule_set, win_query
from hexlogic.language import Arithmetic, Atom, Function, Integer, Interval, Literal, Predicate, Program, Rule, Symbol
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.bounds import Bounds, bounds
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.constants import LARGEST
from hexlogic.language.parser import constants_placed, parse
from hexlogic.language.walk import has_interval, predicates, rule_terms, subterms
from hexlogic.proofs.bridges import Bridge, Statement
from hexlogic.proofs.joint import at_rule, with_values


def given_by(board: Program) -> frozenset[Predicate]:
    """What the board and the stones define."""
    return board.heads | frozenset(board.inputs)


def shown(rules: RuleSet) -> str:
    """The name of a rule set in a sentence; with its file when a rule set of the registry has that name and other text.
    A file may call itself as it likes, and a proof about it is none about the registered one."""
    try:
        registered = load_rule_set(rules.name)
    except HexlogicError:
        return rules.name
    return rules.name if registered.text == rules.text else f"{rules.name} ({rules.path.name})"


def own_program(rules: RuleSet, game: Game | str) -> Program:
    """The rules of a rule set without those of the board, `#const` names replaced by their values.

    `game` is a board, for which a template is expanded, or the name of a game. Raises HexlogicError, with the place,
    when one of `CONDITIONS` does not hold, or when the text is no sound program beside the board.
    """
    text = rules.text if isinstance(game, str) else rules.expand(game)
    board = board_rules(game if isinstance(game, str) else game.name)
    program = parse(text, rules.path.name)
    try:
        with constants_placed(text):
            for condition in CONDITIONS.values():
                condition(program, board, rules.query)
        check(board + program)
        return with_values(program)
    except HexlogicError as error:
        raise error.at(file=rules.path.name) from None


def sound_program(program: Program) -> None:
    """Condition "sound program", for a program that is given whole, with its board: its only input is `owns/2`, it
    defines `wins/1` and whatever else it uses. Raises HexlogicError with the place."""
    stones, wins = Predicate("owns", 2), win_query(RED).predicate
    check(program)
    for predicate in program.inputs:
        if predicate != stones:
            raise HexlogicError(f"the input {predicate} is not {stones}: only stones are tried")
    defined = program.heads | {stones}
    for rule in program.rules:
        if rule.head is not None and rule.head.predicate == stones:
            raise at_rule(rule, f"{stones} is an input: its facts are given, no rule may define it")
        for literal in rule.literals:
            if literal.atom.predicate not in defined:
                raise at_rule(rule, f"nobody defines {literal.atom.predicate}")
    if not program.defining(wins):
        raise HexlogicError(f"no rule defines the query {wins}")


def own_predicates(program: Program, board: Program, _: Predicate) -> None:
    """A rule set defines no predicate of the board or the stones."""
    given = {predicate.name: predicate for predicate in given_by(board)}
    for rule in program.rules:
        if rule.head is not None and rule.head.name in given:
            hint = "a rule set defines predicates of its own"
            raise at_rule(rule, f"{given[rule.head.name]} belongs to the board or the stones", hint)


def defined_predicates(program: Program, board: Program, _: Predicate) -> None:
    """It uses only what it, the board or the stones define."""
    given = given_by(board)
    heads = program.heads
    for rule in program.rules:
        for literal in rule.literals:
            if literal.atom.predicate not in heads | given:
                hint = "neither this rule set nor the board or the stones have a rule for it"
                raise at_rule(rule, f"nobody defines {literal.atom.predicate}", hint)
    for predicate in program.inputs:
        if predicate not in given:
            raise HexlogicError(f"{predicate} is no input: the stones are {', '.join(map(str, board.inputs))}")


def no_constraints(program: Program, _: Program, __: Predicate) -> None:
    """It has no integrity constraint, which would leave positions out."""
    for rule in program.constraints:
        raise at_rule(rule, "a constraint in a rule set", "it would leave positions out of the proof")


def own_constants(program: Program, board: Program, _: Predicate) -> None:
    """Its constants do not rename what the board defines."""
    check_constants(program, board)


def answers_its_query(program: Program, _: Program, query: Predicate) -> None:
    """The query is `wins/1`, and a rule defines it."""
    if query != (wins := win_query(RED).predicate):
        raise HexlogicError(f"the query is {query}", hint=f"proofs are about {wins}")
    if not program.defining(query):
        raise HexlogicError(f"no rule defines the query {query}")


CONDITIONS: Final[dict[str, Callable[[Program, Program, Predicate], None]]] = {
    "own predicates": own_predicates,
    "defined predicates": defined_predicates,
    "no constraints": no_constraints,
    "own constants": own_constants,
    "answers its query": answers_its_query,
}
"""What a rule set must fulfil beside the board, by the name that the page "Proofs" uses."""


def own_words(bridge: Bridge, sides: Iterable[RuleSet]) -> None:
    """Condition "own words": a bridge says no `#const` of a rule set. Raises HexlogicError with the place."""
    for rules in sides:
        names = {Symbol(name) for name, _ in parse(rules.text, rules.path.name).constants}
        for rule in (rule for statement in bridge.statements for rule in statement.rules):
            for name in sorted(map(str, names.intersection(rule_terms(rule)))):
                raise at_rule(rule, f"{name} is a #const of {rules.name}", "a bridge writes its value")


def new_meanings(meaning: Statement, known: frozenset[Predicate], program: Program) -> None:
    """Condition "new meanings": the rules of a `means` block define new predicates only, by known ones.

    `known` are the predicates of both rule sets, the board, the stones and earlier blocks, `program` the rules of both
    rule sets and the earlier blocks, with the board's predicates as inputs. Raises HexlogicError with the place.
    """
    taken = {predicate.name: predicate for predicate in known}
    for rule in meaning.rules:
        if rule.conclusion.name in taken:
            what = f"{taken[rule.conclusion.name]} is defined already"
            raise at_rule(rule, what, "a means block only introduces new predicates")
    introduced = frozenset(rule.conclusion.predicate for rule in meaning.rules)
    for rule in meaning.rules:
        _known(rule, known | introduced)
    check(program.with_rules((*program.rules, *meaning.rules)))


def known_words(statement: Statement, known: frozenset[Predicate]) -> None:
    """Condition "known words": safe, no interval, no sum in the head, known predicates. Raises HexlogicError."""
    for rule in statement.rules:
        _known(rule, known)
        head = rule.head.arguments if rule.head is not None else ()
        if has_interval(rule):
            raise at_rule(rule, "an interval outside a fact")
        if any(isinstance(part, Arithmetic) for term in head for part in subterms(term)):
            hint = "name its value in the body: Y = X+1"
            raise at_rule(rule, f"arithmetic in the head of a {statement.kind}", hint)
        unsafe = sorted(map(str, unsafe_variables(Rule(None, rule.body))))
        if unsafe:
            hint = "bind it in a positive body literal"
            raise at_rule(rule, f"variable {', '.join(unsafe)} is unsafe in `{rule}`", hint)


def _known(rule: Rule, known: frozenset[Predicate]) -> None:
    for predicate in sorted(predicates(Program((rule,)))):
        if predicate not in known:
            alike = sorted(str(other) for other in known if other.name.rpartition("_")[0] == predicate.name)
            hint = f"both rule sets do: {' and '.join(alike)}" if alike else None
            raise at_rule(rule, f"nobody defines {predicate}", hint)


LEAST_LARGEST: Final = 100
"""A text that may leave 32 bits on a board with a side of this length is refused."""
_ROOTS: Final = tuple(int(LARGEST ** (1 / power)) for power in (2, 3, 4))
"""The sides from which a square, or a third or fourth power, leaves 32 bits: tried first."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The bounds of all integers on boards whose sizes, `names`, are at most `largest`."""

    names: tuple[str, ...]
    largest: int
    bounds: Bounds


def finite_integers(board: Program, program: Program, statements: Iterable[Rule] = ()) -> Certificate:
    """Conditions "finite program", for numbers, and "32 bits": of a program beside its board, and of what is stated.

    `statements` are lemmas and claims. Raises HexlogicError, with the place, for a rule by which numbers grow along a
    cycle, and for one that may leave 32 bits on a board with a side of `LEAST_LARGEST`.
    """
    whole = replace(board, rules=board.rules + program.rules, constants=())
    names = tuple(name for name, _ in board.constants)
    # A statement derives nothing: its head is read like the rest of it.
    heads = ((rule, () if rule.head is None else (Literal(rule.head, False),)) for rule in statements)
    stated = tuple(Rule(None, (*rule.body, *denied), rule.place) for rule, denied in heads)
    largest, last = _largest(whole, names, stated, _largest(replace(board, constants=()), names, (), LARGEST)[0])
    if largest < LEAST_LARGEST:
        failed = bounds(whole, dict.fromkeys(names, (1, largest + 1)), others=stated).overflow
        assert failed is not None
        where = f"with {', '.join(f'{name} = {largest + 1}' for name in names)}"
        hint = f"from {failed.values.low} to {failed.values.high}, as far as the bounds of its variables tell"
        raise at_rule(failed.rule, f"the term {failed.term} may leave 32 bits on a board {where}", hint)
    return Certificate(names, largest, last)


def finite_terms(program: Program) -> Program:
    """Condition "finite program" for compound terms: the same program. Raises HexlogicError, with the place."""
    growing = growing_predicates(program)
    rules = (rule for rule in program.rules if rule.head is not None and rule.head.predicate in growing)
    compound = [rule for rule in rules if any(isinstance(term, Function) for term in rule_terms(rule))]
    if compound:
        raise _endless(
            min(compound, key=lambda rule: growing.isdisjoint(item.atom.predicate for item in rule.literals))
        )
    return program


@functools.lru_cache(maxsize=64)
def _largest(whole: Program, names: tuple[str, ...], stated: tuple[Rule, ...], most: int) -> tuple[int, Bounds]:
    """The largest sizes up to `most` within which no term leaves 32 bits, 0 when there are none, and the bounds."""

    def at(size: int) -> Bounds:
        tried_bounds = bounds(whole, dict.fromkeys(names, (1, size)), others=stated)
        if tried_bounds.growing is not None:
            raise _endless(tried_bounds.growing)
        return tried_bounds

    best = at(most)
    if best.overflow is None:
        return most, best
    low, high = 0, most
    while high - low > 1:
        roots = [side for side in _ROOTS if low < side < high]
        middle = roots[0] if roots else low + 1 if low in _ROOTS else (low + high) // 2
        tried = at(middle)
        if tried.overflow is None:
            low, best = middle, tried
        else:
            high = middle
    return low, best


def _endless(rule: Rule) -> HexlogicError:
    hint = "a ground program is finite; a number that grows needs a bound in the body, such as D < rows"
    return at_rule(rule, f"`{rule}` may derive atoms without end: its terms grow along a cycle", hint)


def finite_on(program: Program, game: Game) -> None:
    """Condition "finite program", for numbers, on one board. Raises HexlogicError, with the place."""
    if (growing := _on_board(program, game).growing) is not None:
        raise _endless(growing)


def _on_board(program: Program, game: Game) -> Bounds:
    cells = Interval(Integer(min(game.cells)), Integer(max(game.cells)))
    stones = tuple(Rule(Atom("owns", (Symbol(player), cells))) for player in PLAYERS)
    return bounds(replace(with_values(program), inputs=()) + Program(stones), {})


def in_32_bits(program: Program, game: Game) -> None:
    """Condition "32 bits" on one board, for engines that do not wrap. Raises HexlogicError, with the place."""
    on_board = _on_board(program, game)
    if (growing := on_board.growing) is not None:
        raise at_rule(growing, "its numbers have no bound that is known, and the engine's do not wrap at 32 bits")
    if (failed := on_board.overflow) is not None:
        hint = "clingo's integers wrap there, those of the engine that is asked do not"
        raise at_rule(failed.rule, f"the term {failed.term} may leave 32 bits on this board", hint)
