"""egglog text, for `EGraph.run_program(*parse_program(text))`.

    #defined edge/2.                    (relation edge/2 (Term Term))
    reach(Y) :- reach(X), edge(X,Y).    (rule ((reach/1 X) (edge/2 X Y)) ((reach/1 Y)) :ruleset stratum-0)
    next(X,X+1) :- cell(X).             (rule ((cell/1 X) (= X (Int X/i)) (= N (+ X/i 1))) ((next/2 X (Int N))) ...)
    edge(1,red).                        (edge/2 (Int 1) (Sym "red"))

- egglog is typed and the rule language is not, so every argument is a `Term`: an integer, a symbol or a compound term.
- A predicate is called `name/arity`, which no command or primitive of egglog is.
- egglog has no negation. Its strata are run one after the other, and between two of them a table `not/q` is filled with
  1 for every fact of a negated q. `not q(X)` first asks, which enters 0 where there is no 1, and then looks for a 0:

      (function not/q/1 (Term) i64 :merge (max old new))
      (rule ((p/1 X)) ((set (not/q/1 X) 0)) ...)   (rule ((p/1 X) (= 0 (not/q/1 X))) ((h/1 X)) ...)

- An equivalence (`%! equivalence united/3.`) is no table of pairs: `united/3` names the class of an element, and the
  head `united(P,X,Y)` merges two classes. The closing rules are not printed, egglog's union-find stands for them.
- What is undefined (a quotient by zero, a sum with a symbol, an integer beyond 62 bits) fails silently in a body of
  egglog. Rules beside the rule look for it and panic, so that it ends as an error and not as the answer "no".
"""

import functools

from hexlogic.errors import HexlogicError
from hexlogic.language.analysis.checks import closed_by_rules, is_closing
from hexlogic.language.analysis.dependence import strata
from hexlogic.language.dialects import Dialect, lower
from hexlogic.language.dialects.egglog_rules import LARGEST, RuleWriter, classes
from hexlogic.language.syntax import Arithmetic, Atom, Integer, Predicate, Program, Rule
from hexlogic.language.walk import predicates, rule_terms

_TERMS = """\
(sort Term)
(sort Terms)
(constructor Int (i64) Term)
(constructor Sym (String) Term)
(constructor Nil () Terms)
(constructor Cons (Term Terms) Terms)
(constructor Compound (String Terms) Term)
"""
_RANGE = f"""\
(ruleset range)
(rule ((= X (Int X/i)) (> X/i {LARGEST})) ((panic "an integer beyond 62 bits")) :ruleset range)
(rule ((= X (Int X/i)) (< X/i -{LARGEST})) ((panic "an integer beyond 62 bits")) :ruleset range)
"""


def render(program: Program) -> str:
    """The text of a stratified program, with the run at its end; input facts go before it.

    Raises StratificationError, and HexlogicError for what egglog cannot be told: an order of symbols, the difference
    of a compound term from any term, an integer beyond 62 bits, a fact without a value.
    """
    inputs, merged = ", ".join(map(str, program.inputs)), merged_predicates(program)
    note = f"; add the facts for {inputs} here\n" if inputs else ""
    queries = "".join(f"(print-function {query} 10000)\n" for query in program.queries if query not in merged)
    return f"{load_text(program)}{note}{schedule(program)}{queries}"


@functools.lru_cache(maxsize=16)
def load_text(program: Program) -> str:
    """Declarations, rules and facts, without the run. Raises as `render` does."""
    level = strata(program)
    merged = merged_predicates(program)
    lowered = lower(program)
    negated = {literal.atom.predicate for rule in lowered.rules for literal in rule.literals if not literal.positive}
    lines = ["(sort Class)"] if merged else []
    lines += [declaration(predicate, merged=predicate in merged) for predicate in sorted(predicates(program))]
    lines += [f"(ruleset stratum-{number})\n(ruleset closed-{number})" for number in range(_height(program))]
    writer = RuleWriter(merged)
    rules: list[str] = []
    for predicate in sorted(negated):
        width = " ".join(["Term"] * predicate.arity)
        rules.append(f"(function not/{predicate} ({width}) i64 :merge (max old new))")
        rules.append(writer.closing(predicate, f"closed-{level[predicate]}"))
    for rule in lowered.rules:
        _check_range(rule)
        if rule.is_fact:
            rules.append(writer.fact(rule.conclusion))
        elif not (rule.conclusion.predicate in merged and is_closing(rule)):
            rules += writer.rule(rule, f"stratum-{level[rule.conclusion.predicate]}")
    if _computes(lowered):
        rules.append(_RANGE.rstrip())
    lines += [
        *sorted(writer.constants),
        *dict.fromkeys(rules),  # egglog refuses to take a rule twice
        *(f"; not run: {rule}" for rule in program.constraints),
    ]
    return _TERMS + "\n".join(lines) + "\n"


def schedule(program: Program) -> str:
    """The command that runs all strata to their end, the lowest first."""
    steps = [
        f"(saturate (run stratum-{number})) (saturate (run closed-{number}))" for number in range(_height(program))
    ]
    steps += ["(run range)"] if _computes(lower(program)) else []
    return f"(run-schedule (seq {' '.join(steps)}))\n"


def declaration(predicate: Predicate, *, merged: bool = False) -> str:
    """The line that makes a predicate known: a relation, or the class of an element."""
    if merged:
        return f"(constructor {predicate} ({' '.join(['Term'] * (predicate.arity - 1))}) Class)"
    return f"(relation {predicate} ({' '.join(['Term'] * predicate.arity)}))"


def merged_predicates(program: Program) -> frozenset[Predicate]:
    """The declared equivalences whose closing rules stand in the program: those that egglog merges. A pass may have
    rewritten the closing rules; then the rules are run as they are, which means the same."""
    return frozenset(predicate for predicate in program.equivalences if closed_by_rules(program, predicate))


def write_fact(atom: Atom, merged: frozenset[Predicate] = frozenset()) -> str:
    """The command that adds a ground atom. Raises HexlogicError for an integer beyond 62 bits.

    >>> from hexlogic.language.parser import parse_atom
    >>> print(write_fact(parse_atom("owns(red,12)")))
    (owns/2 (Sym "red") (Int 12))
    """
    _check_range(Rule(atom))
    return RuleWriter(merged).fact(atom)


def write_query(atom: Atom, merged: frozenset[Predicate] = frozenset()) -> str:
    """The command that fails unless the ground atom holds."""
    if atom.predicate not in merged:
        return f"(check {RuleWriter(merged).fact(atom)})"
    return f"(check (= {' '.join(classes(atom))}))"


def _computes(lowered: Program) -> bool:
    return any(isinstance(part, Arithmetic) for rule in lowered.rules for part in rule_terms(rule))


def _height(program: Program) -> int:
    return max(strata(program).values(), default=0) + 1


def _check_range(rule: Rule) -> None:
    for part in rule_terms(rule):
        if isinstance(part, Integer) and abs(part.value) > LARGEST:
            raise HexlogicError(f"the integer {part.value} does not fit into 62 bits")


DIALECT = Dialect(
    "egglog",
    render,
    comment=";",
    run='python -c "from egglog.bindings import EGraph; graph = EGraph();'
    + " print(*graph.run_program(*graph.parse_program(open('FILE').read())))\"",
    stones='add the stones as (owns/2 (Sym "red") (Int 1)), before the run',
)
