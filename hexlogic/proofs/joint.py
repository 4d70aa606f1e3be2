"""Two programs in one text: side by side for proofs, and as a miter, which clingo searches for a difference.

left:    q(X) :- p(X), r(X).        r(1).
right:   q(X) :- p(X).
miter:   { p(1) }.  { p(2) }.
         'left'q(X) :- p(X), 'left'r(X).      'left'r(1).
         'right'q(X) :- p(X).
         'differ' :- 'left'q(X0), not 'right'q(X0).
         'differ' :- 'right'q(X0), not 'left'q(X0).
         :- not 'differ'.

`side_by_side` is the only function that puts two programs into one text: for bounded proofs, proofs for all boards,
`hexlogic optimise` and sheets alike. Each program is copied in names that no text can spell, so that what one program
derives is never read by the other. Inputs keep their names; an input that a rule derives more of is copied as well.
Source of the method: the miter circuits of hardware verification (Brand 1993, "Verification of large synthesized
designs").

`joint_program` is for rule sets: each is checked alone and keeps the values of its own `#const`; a *shared* predicate,
which depends on no input and which both define by the same rules, stands there once; and a constraint is refused unless
both have it and it speaks of inputs and shared predicates only.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.language import Atom, BodyLiteral, Literal, Predicate, Program, Rule
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import dependency_graph, reachable, static_predicates
from hexlogic.language.constants import constant_values, named_values, valued
from hexlogic.language.ground.program import ground_program
from hexlogic.language.names import internal_name, taken_name
from hexlogic.language.walk import general_atom, is_ground, predicates, rename_rule

_DIFFER = Atom(internal_name("differ"))
MUST_DIFFER = Rule(None, (Literal(_DIFFER, False),))
"""The constraint that leaves only the stable models with a difference."""


@dataclass(frozen=True, slots=True)
class Copy:
    """The rules with a head and the integrity constraints of one program, in the names of the joint program."""

    names: Mapping[Predicate, str]
    rules: tuple[Rule, ...]
    constraints: tuple[Rule, ...]

    def atom(self, atom: Atom) -> Atom:
        """What an atom of the program is called in the joint program."""
        return Atom(self.names.get(atom.predicate, atom.name), atom.arguments)

    def renamed(self, names: Mapping[Predicate, str]) -> "Copy":
        """The same copy under other names of the program's predicates."""
        new = {Predicate(self.names[predicate], predicate.arity): name for predicate, name in names.items()}
        return Copy(names, *(tuple(rename_rule(rule, new) for rule in part) for part in (self.rules, self.constraints)))


@dataclass(frozen=True, slots=True)
class Joint:
    """Two programs in one text: `left` and `right` are their copies over the same inputs."""

    inputs: tuple[Predicate, ...]
    left: Copy
    right: Copy

    @property
    def program(self) -> Program:
        """All rules and constraints, each once."""
        parts = (self.left.rules, self.left.constraints, self.right.rules, self.right.constraints)
        return Program(tuple(dict.fromkeys(rule for part in parts for rule in part)), (), self.inputs)

    def question(self, query: Atom) -> tuple[Atom, Atom]:
        """The same query put to both copies."""
        return self.left.atom(query), self.right.atom(query)

    def spelled(self) -> "Joint":
        """The joint program in names that a text can spell, for bridges: `reach` where only one program has `reach`,
        `wins_left` and `wins_right` where both have `wins`."""
        names = [{predicate.name for predicate in copy.names} for copy in (self.left, self.right)]
        used = {predicate.name for predicate in predicates(self.program)}.union(*names)
        copies = []
        for copy, side in ((self.left, "left"), (self.right, "right")):
            new: dict[Predicate, str] = {}
            for predicate in sorted(copy.names):
                is_in_both = predicate.name in names[0] & names[1]
                new[predicate] = taken_name(f"{predicate.name}_{side}", used) if is_in_both else predicate.name
            copies.append(copy.renamed(new))
        return Joint(self.inputs, *copies)


def side_by_side(left: Program, right: Program, shared: Collection[Predicate] = ()) -> Joint:
    """Both programs in one. The `shared` predicates, which both must define by the same rules, stand in it once.

    Expects programs without `#const`.

    >>> from hexlogic.language.parser import parse
    >>> left, right = parse("#defined p/1. e(1). q(X) :- p(X), e(X)."), parse("#defined p/1. q(X) :- p(X).")
    >>> print(side_by_side(left, right).program, end="")
    #defined p/1.
    'left'e(1).
    'left'q(X) :- p(X), 'left'e(X).
    'right'q(X) :- p(X).
    """
    inputs = tuple(dict.fromkeys((*left.inputs, *right.inputs)))
    derived = left.heads | right.heads
    kept = {*shared, *(predicate for predicate in inputs if predicate not in derived)}
    return Joint(inputs, *(_copy(program, side, inputs, kept) for program, side in ((left, "left"), (right, "right"))))


def _copy(program: Program, side: str, inputs: Sequence[Predicate], kept: Collection[Predicate]) -> Copy:
    """The program with a new name for each predicate that is not kept; a renamed input takes over the given facts."""
    known = {*predicates(program), *program.equivalences, *inputs}
    names = {predicate: internal_name(side, predicate.name) for predicate in sorted(known) if predicate not in kept}
    renamed = program.with_rules(tuple(rename_rule(rule, names) for rule in program.rules))
    taken = [general_atom(predicate) for predicate in inputs if predicate in names]
    given = (Rule(Atom(names[atom.predicate], atom.arguments), (Literal(atom),)) for atom in taken)
    return Copy(names, (*given, *renamed.without_constraints().rules), renamed.constraints)


def differences(pairs: Iterable[tuple[Atom, Atom]], *conditions: Literal) -> list[Rule]:
    """Rules that derive a difference where exactly one atom of a pair holds, and the conditions hold as well."""
    return [
        Rule(_DIFFER, (Literal(holds), Literal(fails, False), *conditions))
        for pair in pairs
        for holds, fails in (pair, pair[::-1])
    ]


def miter(left: Program, right: Program, tuples: Sequence[Atom]) -> str:
    """The text for clingo: any of the input facts `tuples` may be given, and the programs do not treat them alike.

    The inputs and the queries are those of both programs together. Only inputs that the constraints of `left` admit
    count; the programs differ when a query has another answer and when a constraint of `right` forbids the inputs.
    Both are checked programs. The shown atoms of a stable model are the inputs.
    """
    queries = tuple(dict.fromkeys((*left.queries, *right.queries)))
    joint = side_by_side(valued(needed(left, queries)), valued(needed(right, queries)))
    rules = [*joint.left.rules, *joint.left.constraints, *joint.right.rules]
    rules += [Rule(_DIFFER, rule.body) for rule in joint.right.constraints]
    rules += differences(joint.question(general_atom(query)) for query in queries)
    return _text((*rules, MUST_DIFFER), tuples, joint.inputs)


def some_instance(program: Program, tuples: Sequence[Atom], *, chosen: bool = True) -> str:
    """The text whose models are the admitted instances over `tuples`, or all of them unless `chosen`."""
    joint = side_by_side(valued(needed(program, ())), Program())
    return _text((*joint.left.rules, *joint.left.constraints), tuples, program.inputs, chosen)


def _text(rules: Iterable[Rule], tuples: Iterable[Atom], inputs: Iterable[Predicate], chosen: bool = True) -> str:
    choices = (f"{{ {fact} }}." if chosen else f"{fact}." for fact in tuples)
    return "\n".join([*choices, *map(str, rules), "#show.", *(f"#show {predicate}." for predicate in inputs)])


def needed(program: Program, queries: Iterable[Predicate]) -> Program:
    """The rules that the queries and the constraints depend on: others could not even be ground."""
    spoken_of = {literal.atom.predicate for rule in program.constraints for literal in rule.literals}
    wanted = reachable(program, {*queries, *spoken_of})
    return program.with_rules(tuple(rule for rule in program.rules if not rule.head or rule.head.predicate in wanted))


_FORBIDDEN = Atom(internal_name("forbidden"))


def one_step_miter(left: Program, right: Program, tuples: Sequence[Atom], guard: Rule) -> str | None:
    """The text for clingo that has a stable model exactly when the immediate consequences of the programs differ.

        reach(P,Y) :- reach(P,X), cell(X), adjacent(X,Y).      reach(P,Y) :- reach(P,X), adjacent(X,Y).

    Whatever `reach` is so far, both rules add the same to it: then it becomes the same in the end. Every relation that
    both programs derive may be anything (that clingo's grounder finds possible); relations that only one of them has
    are worked out. Two stratified programs whose steps agree on all interpretations have the same model: it is the
    well-founded one, which depends on the step alone. Where steps differ the programs may still be equal. Source:
    Denecker, Marek and Truszczynski 2004, "Ultimate approximation and its application in nonmonotonic knowledge
    representation systems".

    `tuples` are all input facts that there can be. The `guard` is a constraint such as `:- does(R,M), not legal(R,M).`:
    what depends on its positive literals is compared only where the left program keeps it. That is sound since nothing
    that its negative literals need depends on them; None where something does, and where a rule derives an input, so
    that there is more of it than what is assumed.

    What is assumed keeps its name; what a step derives, and what only one program has, gets an internal name. Raises
    EngineError when the left program cannot be ground.
    """
    programs = (left, right)
    guarded = [literal.atom.predicate for literal in guard.literals if literal.positive]
    needed = [literal.atom.predicate for literal in guard.literals if not literal.positive]
    above = frozenset().union(*(dependency_graph(program).above(guarded) for program in programs))
    heads = [program.heads for program in programs]
    inputs = {*left.inputs, *right.inputs}
    if above.intersection(needed) or (heads[0] | heads[1]) & inputs:
        return None
    shared = sorted((heads[0] & heads[1]) - static_predicates(left))
    asked = sorted({*shared, *left.queries, *right.queries})
    ground = ground_program(left, tuples, wanted=shared)
    assumed = [atom for atom in (*ground.atoms, *ground.facts) if atom.predicate in shared]
    derived, body_names = [], []
    for program, side in zip(programs, ("left", "right"), strict=True):
        known = {*predicates(program), *asked, *needed}
        derived.append({predicate: internal_name(side, predicate.name) for predicate in known})
        body_names.append({predicate: derived[-1][predicate] for predicate in known - {*shared, *inputs}})
    rules = [
        Rule(rename_rule(rule, heads_of).head, rename_rule(rule, bodies_of).body)
        for program, heads_of, bodies_of in zip(programs, derived, body_names, strict=True)
        for rule in program.rules
    ]
    for predicate in asked:
        arguments = general_atom(predicate).arguments
        pair = Atom(derived[0][predicate], arguments), Atom(derived[1][predicate], arguments)
        rules += differences([pair], *([Literal(_FORBIDDEN, False)] if predicate in above else []))
    forbidden = rename_rule(guard, {predicate: derived[0][predicate] for predicate in needed})
    rules += [Rule(_FORBIDDEN, forbidden.body), MUST_DIFFER]
    choices = (f"{{ {atom} }}." for atom in dict.fromkeys((*tuples, *assumed)))
    return "\n".join([*choices, *map(str, rules)])


def joint_program(left: Program, right: Program) -> Joint:
    """Both programs in one, in names of their own but for inputs and shared predicates.

    Raises HexlogicError, with the place, for a program that is not sound, that defines an input of the other or of its
    own, or that has a constraint of its own.

    >>> from hexlogic.language.parser import parse
    >>> left, right = parse("#defined p/1. e(1). q(X) :- p(X), e(X)."), parse("#defined p/1. e(1). q(X) :- p(X).")
    >>> print(joint_program(left, right).program, end="")
    #defined p/1.
    e(1).
    'left'q(X) :- p(X), e(X).
    'right'q(X) :- p(X).
    """
    left, right = (with_values(check(program)) for program in (left, right))
    inputs = frozenset(left.inputs) | frozenset(right.inputs)
    for rule in (*left.rules, *right.rules):
        if rule.head is not None and rule.head.predicate in inputs:
            raise at_rule(rule, f"{rule.head.predicate} is an input: its facts are given, no rule may define it")
    shared = same_definitions(left, right, static_predicates(left) & static_predicates(right))
    both = {*left.constraints} & {*right.constraints}
    for rule in (*left.constraints, *right.constraints):
        if rule not in both or any(literal.atom.predicate not in inputs | shared for literal in rule.literals):
            hint = "a constraint would leave positions out; both programs need it, about the board and the stones only"
            raise at_rule(rule, f"the constraint `{rule}` does not say the same in both programs", hint)
    joint = side_by_side(left, right, shared)
    check(joint.program)
    return joint


def same_definitions(left: Program, right: Program, among: frozenset[Predicate]) -> frozenset[Predicate]:
    """Those `among` the predicates that both programs define by the same rules, from such predicates only."""
    same = {each for each in among if _as_sets(left.defining(each)) == _as_sets(right.defining(each))}
    needs = {each: {item.atom.predicate for rule in left.defining(each) for item in rule.literals} for each in same}
    while strange := {each for each in same if not needs[each] <= same}:
        same -= strange
    return frozenset(same)


def same_rules(left: Program, right: Program) -> bool:
    """Whether both have the same rules, in any order of rules and literals."""
    return _as_sets(left.rules) == _as_sets(right.rules)


def _as_sets(rules: Iterable[Rule]) -> frozenset[tuple[Atom | None, frozenset[BodyLiteral]]]:
    return frozenset((rule.head, frozenset(rule.body)) for rule in rules)


def with_values(program: Program) -> Program:
    """As `named_values`; raises HexlogicError also for a constant that has a variable in it."""
    for name, value in constant_values(program).items():
        if not is_ground(value):
            raise HexlogicError(f"#const {name} is {value}, which has a variable")
    return named_values(program)


def at_rule(rule: Rule, message: str, hint: str | None = None) -> HexlogicError:
    """An error about a rule, with the rule's place."""
    return rule.at(HexlogicError(message, hint=hint))
