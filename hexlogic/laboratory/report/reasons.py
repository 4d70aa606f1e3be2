"""Why a program is cheap: the matches of its rules on a board; and its text before and after passes.

A rule's matches are counted as an engine meets them that takes the literals of a body in their order, over the facts of
the least model: of `adjacent(X,Y) :- cell(X), cell(Y), Y = X+1` all pairs of cells, and then the pairs that are left.
"""

import difflib
import functools
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.games import Position, load_board, load_game
from hexlogic.games.rulesets import RuleSet, load_rule_set, position_facts
from hexlogic.games.rulesets.transitions import load_transitions, transition_names
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.document import Listing
from hexlogic.language import Atom, Predicate, Program, Rule, Term
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.ground.solving import grounded, least_model
from hexlogic.language.passes import Pipeline
from hexlogic.language.walk import is_positive, predicates, variables

_MOST = 200_000  # A rule of which more matches are to be expected is not counted
_LONGEST = 1_000  # Literals of a program that is counted, at most
_SHOWN = 2  # Facts of a predicate that are shown of many


@dataclass(frozen=True, slots=True)
class RuleMatches:
    """A rule, the `matches` of each beginning of its body that holds an atom, and the number of `facts` at its end."""

    rule: Rule
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """What a program does on a board: its rules, those with the most matches first, and its derived facts."""

    rules: tuple[RuleMatches, ...]
    facts: Mapping[Predicate, int]

    @property
    def matches(self) -> int:
        """The matches of all beginnings of all rules."""
        return sum(sum(rule.matches) for rule in self.rules)

    def by_head(self) -> dict[str, int]:
        """The matches by the predicate that the rules derive."""
        heads = Counter[str]()
        for each in self.rules:
            heads[str(each.rule.conclusion.predicate)] += sum(each.matches)
        return dict(heads)


def find_rules(name: str) -> RuleSet | None:
    """The rule set or the transition rules of that name; None for a name that is not known here."""
    for load in (load_rule_set, lambda name: load_transitions(name).rules):
        try:
            return load(name)
        except HexlogicError:
            continue
    return None


@functools.lru_cache(maxsize=64)
def program_of(rule_set: str, pipeline: str, game: str, size: int) -> Program | None:
    """The program of a rule set for a board, after its passes; None where it cannot be made here."""
    rules = find_rules(rule_set)
    try:
        board = load_game(game).of_size(size)
        return None if rules is None else Pipeline.parse(pipeline or "none").apply(rules.instantiate(board))
    except HexlogicError:
        return None


@functools.lru_cache(maxsize=64)
def work_of(rule_set: str, pipeline: str, board: str) -> Work | None:
    """The matches of the rules on a named board; None where the rules or the board are not known here, for rules of a
    game in progress, and where some rule would have too many."""
    if rule_set in transition_names():
        return None
    try:
        position = load_board(board).position
    except HexlogicError:
        return None
    program = program_of(rule_set, pipeline, position.game.name, position.game.rows)
    # Rules that stand for union-find are not run where there is union-find.
    return None if program is None or program.equivalences else count_matches(program, position)


def count_matches(program: Program, position: Position) -> Work | None:
    """The matches of each rule on a position; None where some rule would have too many. Each beginning of a body is
    made a rule that derives its variables; the number of its facts is that of the matches."""
    rules = [rule for rule in program.rules if rule.head is not None and rule.body]
    if sum(len(rule.body) for rule in rules) > _LONGEST:
        return None
    facts = least_model(program, position_facts(position))
    derived, sizes = Counter(fact.predicate for fact in facts), _sizes(program, facts)
    beginnings: dict[str, int] = {}
    text = [f"{fact}." for fact in facts]
    for number, rule in enumerate(rules):
        atoms = list(filter(is_positive, rule.body))
        if max((sizes.answers(atoms[:end]) for end in range(1, len(atoms) + 1)), default=1.0) > _MOST:
            return None
        for place, item in enumerate(rule.body, start=1):
            if is_positive(item):
                name, body = f"match_{number}_{place}", rule.body[:place]
                beginnings[name] = number
                bound = ",".join(sorted(variable.name for variable in variables(*body)))
                text.append(f"{name}({bound or '0'}) :- {', '.join(map(str, body))}.")
    control, _ = grounded("\n".join(text))
    counts = Counter(atom.symbol.name for atom in control.symbolic_atoms)
    matches = {
        number: tuple(counts[name] for name, of in beginnings.items() if of == number) for number in range(len(rules))
    }
    every = [RuleMatches(rule, matches[number]) for number, rule in enumerate(rules) if matches[number]]
    heads = sorted({rule.conclusion.predicate for rule in rules})
    return Work(tuple(sorted(every, key=lambda each: -max(each.matches))), {head: derived[head] for head in heads})


def _sizes(program: Program, facts: Collection[Atom]) -> Statistics:
    """The numbers of facts of all predicates, and of different terms at each of their places."""
    sizes, terms = dict.fromkeys(predicates(program), 0.0), defaultdict[tuple[Predicate, int], set[Term]](set)
    for fact in facts:
        sizes[fact.predicate] = sizes.get(fact.predicate, 0.0) + 1
        for place, term in enumerate(fact.arguments):
            terms[fact.predicate, place].add(term)
    return Statistics(sizes, {column: float(len(different)) for column, different in terms.items()})


def listing(name: str, title: str, caption: str, program: Program, before: Program | None = None) -> Listing:
    """The text of a program, and by signs how it differs from another one."""
    lines = _lines(program)
    if before is None:
        return Listing(name, title, caption, tuple(f"  {line}" for line in lines))
    compared = difflib.ndiff(_lines(before), lines)
    return Listing(name, title, caption, tuple(line for line in compared if not line.startswith("?")))


def _lines(program: Program) -> list[str]:
    """The rules, and of the facts of each predicate the first two and how many more there are."""
    lines = []
    for predicate, rules in grouped(program.rules, lambda rule: rule.head and rule.head.predicate).items():
        facts = [rule for rule in rules if rule.is_fact]
        lines += [str(rule) for rule in rules if not rule.is_fact]
        lines += map(str, facts[:_SHOWN])
        lines += [f"% and {len(facts) - _SHOWN:,} more facts of {predicate}"] if len(facts) > _SHOWN else []
    return lines
