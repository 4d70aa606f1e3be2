"""Rules: what is no rule, what a rule must be (safe, stratified, without terms that grow in recursion), and what may
depend on what."""

from collections.abc import Iterator, Sequence

from hexlogic.errors import ArityError, HexlogicError
from hexlogic.ggp.check.examined import RELATIONS, Examined
from hexlogic.ggp.check.finding import Finding, checks, error, warning
from hexlogic.ggp.language.sheet import INPUTS, QUERIES
from hexlogic.language.analysis.dependence import dependency_graph, recursive_through
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.dialects.gdl import variable_word, word_of, write_term
from hexlogic.language.engines.epilog import FILLS_THE_STACK, stack_fillers
from hexlogic.language.syntax import Comparison, Predicate, Rule, Variable
from hexlogic.language.walk import is_ground, predicates, rule_variables, variables

_DOES = [predicate for predicate in INPUTS if predicate.name == "does"]
_CHANGES = [*INPUTS, *(query for query in QUERIES if query.name in ("next", "legal", "goal", "terminal"))]


def syntax(sheet: Examined) -> Iterator[Finding]:
    """Each expression is a fact or a rule, and words of GDL have their arguments."""
    return (_finding(refusal) for refusal in sheet.refused if not isinstance(refusal, ArityError))


def arity(sheet: Examined) -> Iterator[Finding]:
    """A relation has one arity."""
    return (_finding(refusal) for refusal in sheet.refused if isinstance(refusal, ArityError))


def _finding(refusal: HexlogicError) -> Finding:
    return Finding("error", refusal.line or 1, refusal.column or 1, refusal.message, refusal.hint)


def safety(sheet: Examined) -> Iterator[Finding]:
    """Each variable stands in a positive literal of the body."""
    for rule in sheet.program.rules:
        if loose := _loose(rule) - _equated(rule):
            yield error(rule, f"{_named(loose)} in no positive literal of the body", "that is where values come from")


def equality(sheet: Examined) -> Iterator[Finding]:
    """`(not (distinct ...))` compares what other literals bind: it gives no variable a value."""
    for rule in sheet.program.rules:
        if loose := _loose(rule) & _equated(rule):
            yield error(
                rule, f"{_named(loose)} in `(not (distinct ...))` and in no positive literal", "it only compares"
            )


def overflow(sheet: Examined) -> Iterator[Finding]:
    """A recursion of a rulesheet takes a list apart, since Epilog keeps no table."""
    if sheet.file.lower().endswith(".epilog"):
        for predicate in stack_fillers(sheet.program):
            if not predicate.name.startswith(("tally_", "event")):
                rule = sheet.program.defining(predicate)[0]
                yield warning(rule, f"{predicate} {FILLS_THE_STACK}", "keep a list of what was visited, or state")


def _loose(rule: Rule) -> frozenset[Variable]:
    """The variables that no positive literal has."""
    return rule_variables(rule).difference(*(variables(item) for item in rule.literals if item.positive))


def _equated(rule: Rule) -> frozenset[Variable]:
    sides = [variables(item) for item in rule.body if isinstance(item, Comparison) and item.operator == "="]
    return frozenset().union(*sides)


def _named(loose: frozenset[Variable]) -> str:
    names = sorted(variable_word(variable.name) for variable in loose)
    return f"{' and '.join(names)} stand{'s' if len(names) == 1 else ''}"


def stratification(sheet: Examined) -> Iterator[Finding]:
    """No relation depends on its own negation."""
    for rule in sheet.program.rules:
        head = rule.conclusion.predicate
        circle = recursive_through(sheet.program, head)
        for literal in rule.literals:
            if not literal.positive and literal.atom.predicate in circle:
                path = dependency_graph(sheet.program).path(literal.atom.predicate, head)
                names = [f"not {word_of(path[0].name)}", *(word_of(step.name) for step in path[1:])]
                cycle = " -> ".join([word_of(head.name), *names])
                yield error(rule, f"`{word_of(head.name)}` depends on its own negation", cycle)


def recursion(sheet: Examined) -> Iterator[Finding]:
    """In recursion no term is new: the recursion restriction of GDL.

    Each argument of a recursive literal is ground, or an argument of the head, or an argument of another positive
    literal, of a relation that is not recursive with the head.
    """
    for rule in sheet.program.rules:
        circle = recursive_through(sheet.program, rule.conclusion.predicate)
        positive = [literal.atom for literal in rule.literals if literal.positive]
        outside = {term for atom in positive if atom.predicate not in circle for term in atom.arguments}
        for atom in (atom for atom in positive if atom.predicate in circle):
            for term in atom.arguments:
                if not is_ground(term) and term not in outside and term not in rule.conclusion.arguments:
                    what = f"{write_term(term)} in the recursive `{word_of(atom.name)}` may be anything"
                    yield error(rule, what, "it must be in the head, or an argument of a literal that is not recursive")


def moves(sheet: Examined) -> Iterator[Finding]:
    """`legal`, `goal` and `terminal` are asked before anyone moves: they never depend on `does`."""
    yield from _dependent(sheet, ("legal", "goal", "terminal"), _DOES, "they are asked before anyone moves")


def static(sheet: Examined) -> Iterator[Finding]:
    """`role`, `base`, `input` and `init` are the same in every state."""
    yield from _dependent(sheet, ("role", "base", "input", "init"), _CHANGES, "it is the same in every state")


def _dependent(sheet: Examined, names: Sequence[str], causes: Sequence[Predicate], hint: str) -> Iterator[Finding]:
    """The rules of these relations that lead to a cause, each with its shortest way there. No way leads on from a
    relation of GDL: what that depends on is found where its own rules are looked at."""
    heads = [(rule.conclusion, rule) for rule in sheet.program.rules if rule.conclusion.name not in RELATIONS]
    edges = [(head.predicate, literal.atom.predicate, False) for head, rule in heads for literal in rule.literals]
    graph = Digraph(edges, predicates(sheet.program))
    for name in names:
        for rule in sheet.defining(name):
            asked = dict.fromkeys(literal.atom.predicate for literal in rule.literals)
            ways = [
                [name, *(word_of(step.name) for step in graph.path(start, cause))]
                for start in asked
                for cause in causes
                if cause in graph.below([start])
            ]
            if ways:
                way = min(ways, key=len)
                by = f", by way of {' -> '.join(f'`{step}`' for step in way[1:-1])}" if len(way) > 2 else ""
                yield error(rule, f"`{name}` depends on `{way[-1]}`{by}", hint)


CHECKS = checks("text", syntax, arity, safety, equality, stratification, recursion, moves, static, overflow)
