"""Rulesheets of Stanford's game players, in Epilog: a game description with operations in the place of `next`.

    next(stone(P,X)) :- does(P,place(X)).              place(X) :: control(P) ==> stone(P,X)
    next(control(Q)) :- true(control(P)), foe(P,Q).    place(A) :: control(P) ==> ~control(P)
                                                       place(A) :: control(P) & foe(P,Q) ==> control(Q)
    next(free(X)) :- true(free(X)), not hit(X).        place(X) :: control(P) & free(X) ==> ~free(X)
    hit(X) :- does(P,place(X)).
    legal(P,place(X)) :- true(control(P)), cell(X).    legal(place(X)) :- control(P) & cell(X)
    legal(P,noop) :- true(control(Q)), foe(P,Q).

A fact of the state that no operation deletes stays. So what `next` derives is written by difference: a rule that keeps
a fact on a condition deletes it where the condition fails, and a fact without such a rule is deleted at each move; an
addition beats a deletion. The role that moves is the one in `control`; all others do nothing. What depends on the move
is written into the operation, or becomes a view with the move as its last argument. Views, static facts, facts of the
state and actions share one space of names with Epilog's builtins and the properties of JavaScript's arrays.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal as OneOf
from typing import TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.language import Atom, BodyLiteral, Function, Literal, Predicate, Program, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.dependence import dependency_graph, reachable, recursive_predicates
from hexlogic.language.dialects.gdl import sayable
from hexlogic.language.dialects.hrf import HRF
from hexlogic.language.homomorphism import resolve, unfold_call, unify
from hexlogic.language.names import fresh_predicate, fresh_variables, taken_name
from hexlogic.language.walk import map_atoms, numbered, ordered_variables, predicates, substitute, variables

_EPILOG = replace(HRF, variable=lambda name: f"V{name}" if name.startswith("_") else name)
"""As HRF; an underscore alone is a variable to Epilog."""
BUILTINS = frozenset(Path(__file__).with_name("epilog_names.txt").read_text(encoding="ascii").split())
"""Names that Epilog and JavaScript's arrays keep for themselves: a relation of such a name is never found."""
Form: TypeAlias = tuple[str, int]
"""The name and the number of arguments of a fact of the state, or of a move."""
DOES = Predicate("does", 2)
_MOST = 4  # Rules of a predicate that are written into an operation; one with more stays a view
_KEYWORDS = {"input": "action"}
_WORDS = ("role", "base", "input", "init", "legal", "goal", "terminal", "does")


def is_sheet(program: Program) -> bool:
    """Whether a program describes a game: it reads moves and derives legal ones."""
    return DOES in program.inputs and bool(program.defining(Predicate("legal", 2)))


def form_of(term: Term) -> Form | None:
    """The name and the number of arguments; None of a variable or a number."""
    match term:
        case Function(name, arguments):
            return name, len(arguments)
        case Symbol(name):
            return name, 0
    return None


def _fact(rule: Rule) -> Term:
    return rule.conclusion.arguments[0]


def _named(rules: Sequence[Rule], name: str) -> list[Rule]:
    return [rule for rule in rules if rule.conclusion.name == name]


def true(fact: Term) -> Literal:
    """`true(fact)`."""
    return Literal(Atom("true", (fact,)))


def not_done(item: BodyLiteral, name: str) -> BodyLiteral:
    """`not does(P,M)` with the name of a view that says the same."""
    denied = isinstance(item, Literal) and item.atom.predicate == DOES and not item.positive
    return Literal(Atom(name, item.atom.arguments), positive=False) if denied else item  # type: ignore[union-attr]


def asks_only_who_moves(item: BodyLiteral, rule: Rule, move: Term) -> bool:
    """Whether a literal only asks whether a role is in control: one always is."""
    match item:
        case Literal(Atom("true", (Function("control", (Variable() as role,)),)), True):
            kept = rule.body if rule.conclusion.name == "legal" else rule.items
            others = variables(move, *(other for other in kept if other != item))
            return role not in others
    return False


def is_move(item: BodyLiteral) -> bool:
    """Whether a literal asks for a move, `does(P,M)`."""
    return isinstance(item, Literal) and item.atom.predicate == DOES


def denying(certain: Rule, test: BodyLiteral) -> Rule:
    """When a fact, that of the head, is deleted which a test keeps: a body that binds it need not ask for it."""
    fact = certain.conclusion.arguments[0]
    if isinstance(test, Literal):
        denied: BodyLiteral = Literal(test.atom, not test.positive)
        body = (*certain.body, denied, true(fact)) if not test.positive else (*certain.body, true(fact), denied)
    elif test.operator == "!=" and isinstance(test.left, Variable):
        return without_its_fact(substitute(certain.with_body((*certain.body, true(fact))), {test.left: test.right}))
    elif test.operator == "!=" and isinstance(test.right, Variable):
        return without_its_fact(substitute(certain.with_body((*certain.body, true(fact))), {test.right: test.left}))
    else:
        body = (*certain.body, true(fact), replace(test, operator="!=" if test.operator == "=" else "="))
    return without_its_fact(certain.with_body(body))


def without_its_fact(rule: Rule) -> Rule:
    """The rule without asking for the fact of its head where the rest of the body binds it."""
    asked = true(rule.conclusion.arguments[0])
    rest = tuple(item for item in rule.body if item != asked)
    binding = variables(*(item for item in rest if isinstance(item, Literal) and item.positive))
    return rule.with_body(rest) if variables(asked) <= binding else rule


class Rulesheet:
    """The rulesheet of a game in which one role moves at a time. Raises HexlogicError, with the place of the rule, for
    a game that such a sheet cannot describe."""

    def __init__(self, program: Program) -> None:
        rules = [sayable(rule) for rule in program.rules if rule.head is not None]
        played = Literal(Atom("played", (Variable("P"), Variable("M"))))
        if any(item.atom.predicate == DOES and not item.positive for rule in rules for item in rule.literals):
            name = fresh_predicate(program, "played", 2).name
            rules = [rule.with_body(tuple(not_done(item, name) for item in rule.body)) for rule in rules]
            rules.append(Rule(Atom(name, played.atom.arguments), (Literal(Atom("does", played.atom.arguments)),)))
        alone = self._alone(rules)
        self.is_alone = bool(alone)
        """Whether the one role was put in control here: the game has no `control` of its own."""
        rules += alone
        used = variables(*(item for rule in rules for item in rule.items))
        self._letters = list(itertools.islice(fresh_variables("A", used), 32))
        following = _named(rules, "next")
        self.idle = list(dict.fromkeys(self._idle_moves(rules)))
        if len(self.idle) > 1:
            what = f"a role that is not in control has several moves ({', '.join(map(str, self.idle))})"
            raise HexlogicError(f"{what}: Epilog's players have none")
        moves = [rule.conclusion.arguments[1] for name in ("legal", "input") for rule in _named(rules, name)]
        moves += [item.atom.arguments[1] for rule in rules for item in rule.literals if item.atom.predicate == DOES]
        self._schemas = [
            self._general(form, 16)
            for form in dict.fromkeys(map(form_of, moves))
            if form and (form[1] or Symbol(form[0]) not in self.idle)
        ]
        self._views = [rule for rule in rules if rule.conclusion.name != "next"]
        changes = list(self._changes(following))
        self._program = replace(program, rules=tuple(self._views))
        self._moved = dependency_graph(self._program).above([DOES]) | {DOES}
        self._recursive = recursive_predicates(self._program)
        self._operations = [
            (move, acted, adds)
            for rule, adds in changes
            for unfolded in self._unfolded(rule)
            for move, acted in self._acted(unfolded, self._schemas)
        ]
        self._names = self._spelled(rules)
        self.text, self.sentences = self._written()

    def _alone(self, rules: Sequence[Rule]) -> list[Rule]:
        """What puts the role of a game for one player in control."""
        if any(form_of(_fact(rule)) == ("control", 1) for rule in _named(rules, "init")):
            return []
        roles = [_fact(rule) for rule in _named(rules, "role")]
        if len(roles) != 1:
            hint = "a fact control(R) of the state has to name the role that moves"
            raise HexlogicError("several roles move at once: Epilog's players make one move a step", hint=hint)
        control = Function("control", tuple(roles))
        return [
            Rule(Atom("init", (control,))),
            Rule(Atom("base", (control,))),
            Rule(Atom("next", (control,)), (true(control),)),
        ]

    def _idle_moves(self, rules: Sequence[Rule]) -> Iterator[Term]:
        """The moves of roles that are not in control: nothing but `noop`, in most games."""
        if len(_named(rules, "role")) == 1:
            return
        for rule in _named(rules, "legal"):
            role, move = rule.conclusion.arguments
            if true(Function("control", (role,))) not in rule.body:
                if not isinstance(move, Symbol):
                    hint = "a body with true(control(R)) for the role R of the head"
                    what = f"{role} may make the move {move} without being in control: Epilog's players move in turn"
                    raise rule.at(HexlogicError(what, hint=hint))
                yield move

    def _general(self, form: Form, first: int = 0) -> Term:
        name, arity = form
        return Function(name, tuple(self._letters[first : first + arity])) if arity else Symbol(name)

    # ---------------------------------------------------------------- by difference

    def _changes(self, following: Sequence[Rule]) -> Iterator[tuple[Rule, bool]]:
        """Rules `next(F) :- C` with whether F is added or deleted where C holds; views of what stays become rules."""
        facts = [_fact(rule) for rule in (*_named(self._views, "init"), *_named(self._views, "base"), *following)]
        forms = [form for form in dict.fromkeys(map(form_of, facts)) if form]
        rules: list[Rule] = []
        for rule in following:
            fact = _fact(rule)
            several = [{fact: self._general(form)} for form in forms] if isinstance(fact, Variable) else [{}]
            rules += [substitute(rule, binding) for binding in several]
        for form in forms:
            bringing = [rule for rule in rules if form_of(_fact(rule)) == form]
            keeping = [rule for rule in bringing if true(_fact(rule)) in rule.body]
            yield from ((rule, True) for rule in bringing if rule not in keeping)
            yield from ((rule, False) for rule in self._deletions(self._general(form), keeping))

    def _deletions(self, fact: Term, keeping: Sequence[Rule]) -> list[Rule]:
        """When a fact is deleted that these rules, and no others, keep."""
        head = Atom("next", (fact,))
        for rule in keeping:
            binding: dict[Variable, Term] = {}
            unify(_fact(rule), fact, binding)
            whole = all(isinstance(value, Variable) for value in binding.values())
            if whole and len({*binding.values()}) == len(variables(fact)) == len(variables(_fact(rule))):
                bound = substitute(rule, {name: resolve(name, binding) for name in binding})
                tests = tuple(item for item in bound.body if item != true(fact))
                if not tests:
                    return []
                certain = tuple(item for item in tests if self._is_certain(item, fact))
                known = variables(fact, *certain)
                open_tests = [item for item in tests if item not in certain]
                if len(keeping) == 1 and all(variables(item) <= known and not is_move(item) for item in open_tests):
                    return [denying(Rule(head, certain, rule.place), item) for item in open_tests]
        if not keeping:
            return [Rule(head, (true(fact),))]
        arguments = fact.arguments if isinstance(fact, Function) else ()
        used = Program((*self._views, *(Rule(Atom("does", ())),)))
        stays = fresh_predicate(used, f"keeps_{(form_of(fact) or ('', 0))[0]}", len(arguments)).name
        for rule in keeping:
            kept = _fact(rule)
            self._views.append(Rule(Atom(stays, kept.arguments if isinstance(kept, Function) else ()), rule.body))
        return [Rule(head, (true(fact), Literal(Atom(stays, arguments), positive=False)))]

    def _is_certain(self, item: BodyLiteral, fact: Term) -> bool:
        """Whether a test holds whenever a move is made: `does(P,M)` for a game whose moves all have the form of M."""
        if not (is_move(item) and isinstance(item, Literal) and item.positive and len(self._schemas) == 1):
            return False
        role, move = item.atom.arguments
        parts = (role, *(move.arguments if isinstance(move, Function) else ()))
        open_parts = len({*parts}) == len(parts) and all(isinstance(part, Variable) for part in parts)
        return open_parts and form_of(move) == form_of(self._schemas[0]) and not variables(item) & variables(fact)

    # ---------------------------------------------------------------- operations

    def _unfolded(self, rule: Rule) -> Iterator[Rule]:
        """The rule with what depends on the move in the place of its name, as far as it is not denied or recursive."""
        for item in rule.literals:
            predicate = item.atom.predicate
            definitions = self._program.defining(predicate)
            if item.positive and predicate in self._moved - self._recursive - {DOES} and len(definitions) <= _MOST:
                for definition in definitions:
                    if (unfolded := unfold_call(rule, item, definition)) is not None:
                        yield from self._unfolded(unfolded)
                return
        yield rule

    def _acted(self, rule: Rule, schemas: Sequence[Term]) -> Iterator[tuple[Term, Rule]]:
        """The moves by which a rule applies, and the rule without `does`."""
        done = [item.atom.arguments for item in rule.literals if item.atom.predicate == DOES]
        resting = [(role, move) for role, move in done if move in self.idle]
        acting = [pair for pair in done if pair not in resting]
        binding: dict[Variable, Term] = {}
        if not all(
            unify(term, other, binding) for pair in acting[1:] for term, other in zip(pair, acting[0], strict=True)
        ):
            return
        move = resolve(acting[0][1], binding) if acting else None
        for schema in [move] if move is not None and not isinstance(move, Variable) else schemas:
            bound = {**binding} if move is None or not isinstance(move, Variable) else {**binding, move: schema}
            body: list[BodyLiteral] = []
            for item in rule.body:
                if not is_move(item):
                    body.append(item)
                elif item.atom.arguments[1] in self.idle:  # type: ignore[union-attr]
                    at_rest = item.atom.arguments[0]  # type: ignore[union-attr]
                    control = true(Function("control", (at_rest,)))
                    body += [Literal(Atom("role", (at_rest,))), Literal(control.atom, positive=False)]
                else:
                    body.append(true(Function("control", (item.atom.arguments[0],))))  # type: ignore[union-attr]
            resolved = {name: resolve(name, bound) for name in bound}
            acted = substitute(Rule(rule.head, tuple(dict.fromkeys(body)), rule.place), resolved)
            move_made = resolve(schema, bound)
            needed = [item for item in dict.fromkeys(acted.body) if not asks_only_who_moves(item, acted, move_made)]
            yield move_made, acted.with_body(tuple(needed))

    # ---------------------------------------------------------------- text

    def _spelled(self, rules: Sequence[Rule]) -> dict[tuple[str, Form], str]:
        """One name for each view, form of a fact and form of a move, all different."""
        facts = [_fact(rule) for name in ("init", "base", "next") for rule in _named(rules, name)]
        facts += [item.atom.arguments[0] for rule in rules for item in rule.literals if item.atom.name == "true"]
        moves = [rule.conclusion.arguments[1] for name in ("legal", "input") for rule in _named(rules, name)]
        wanted = [("move", form) for form in dict.fromkeys(map(form_of, moves)) if form]
        wanted += [("fact", form) for form in dict.fromkeys(map(form_of, facts)) if form]
        program = replace(self._program, rules=(*self._views, *(rule for _, rule, _ in self._operations)))
        wanted += [("view", (item.name, item.arity)) for item in sorted(predicates(program))]
        names: dict[tuple[str, Form], str] = {}
        taken = {*BUILTINS, "role", "base", "action", "init", "legal", "goal", "terminal", "control"}
        for kind, form in wanted:
            name = re.sub(r"[^A-Za-z0-9_]", "_", form[0])
            name = name if name[0].islower() else f"x{name}"
            known = kind == "view" and Predicate(*form) in (*program.queries, Predicate("input", 2))
            if (kind, form) == ("fact", ("control", 1)) or known:
                names[kind, form] = _KEYWORDS.get(name, name)
                continue
            names[kind, form] = taken_name(name, taken)
        changed = {form for (kind, form), name in names.items() if kind != "view" and name != form[0]}
        for rule in self._views:
            for atom in rule.atoms:
                if atom.name in (*_WORDS, "true"):
                    continue
                if lost := changed & {form for form in map(form_of, atom.arguments) if form}:
                    what = f"{min(lost)[0]} is a move or a fact and an argument of {atom.predicate}"
                    raise rule.at(HexlogicError(f"{what}, and its name is taken", hint="rename it"))
        return names

    def original(self, term: Term) -> Term:
        """A fact or a move of the rulesheet under the name that it has in the game."""
        name, arity = form_of(term) or ("", 0)
        forms = (form for (_, form), new in self._names.items() if (new, form[1]) == (name, arity))
        given = next(forms, (name, arity))
        return Function(given[0], term.arguments) if isinstance(term, Function) else Symbol(given[0])

    def renamed(self, kind: OneOf["fact", "move"], term: Term) -> Term:
        """A fact of the state or a move under the name that it has in the rulesheet."""
        name = self._names.get((kind, form_of(term) or ("", 0)))
        if name is None:
            return term
        return Function(name, term.arguments) if isinstance(term, Function) else Symbol(name)

    def _atom(self, atom: Atom, move: Term) -> Atom:
        match atom:
            case Atom("true", (fact,)):
                if form_of(fact) is None:
                    raise HexlogicError(f"the body asks for any fact, `true({fact})`, and Epilog's facts are bare")
                named = self.renamed("fact", fact)
                return Atom(named.name, named.arguments if isinstance(named, Function) else ())  # type: ignore[union-attr]
            case Atom("init" | "base" as word, (fact,)):
                return Atom(word, (self.renamed("fact", fact),))
            case Atom("legal" | "input" as word, (_, made)):
                return Atom(_KEYWORDS.get(word, word), (self.renamed("move", made),))
        given = (move,) if atom.predicate in self._moved else ()
        return Atom(self._names["view", (atom.name, len(atom.arguments))], (*atom.arguments, *given))

    def _rule(self, rule: Rule, move: Term) -> Rule:
        try:
            return map_atoms(rule, lambda atom: self._atom(atom, move))
        except HexlogicError as error:
            raise rule.at(error) from None

    def _written(self) -> tuple[str, int]:
        """The text of the sheet, views and static facts, then the operations; and the number of sentences."""
        asked = [item.atom.predicate for _, rule, _ in self._operations for item in rule.literals]
        needed = reachable(self._program, [*asked, *self._program.queries, Predicate("input", 2)])
        views: list[Rule] = []
        for rule in self._views:
            head = rule.conclusion
            if head.predicate not in needed or (head.name in ("legal", "input") and head.arguments[1] in self.idle):
                continue
            if head.predicate in self._moved:
                views += [self._rule(acted, move) for move, acted in self._acted(rule, self._letters[-1:])]
            else:
                body = rule.body
                if head.name == "legal":
                    body = tuple(item for item in body if not asks_only_who_moves(item, rule, head.arguments[1]))
                views.append(self._rule(rule.with_body(body), self._letters[-1]))
        operations: dict[Rule, tuple[Rule, dict[str, None]]] = {}
        for move, rule, adds in self._operations:
            named = self._rule(rule.with_body((*rule.body, Literal(Atom("true", (_fact(rule),)), adds))), move)
            acted = Rule(Atom("does", (self.renamed("move", move),)), named.body[:-1])
            first, effects = operations.setdefault(numbered(acted), (acted, {}))
            same = dict(zip(ordered_variables(acted), ordered_variables(first), strict=True))
            effects[_EPILOG.literal(substitute(Rule(None, named.body[-1:]), dict(same)).body[0])] = None
        lines = []
        for rule, effects in operations.values():
            # Without conditions no `true ==>`: the players' grounder takes `true` for a fact and drops the operation.
            when = " & ".join(map(_EPILOG.literal, rule.body)) + " ==> " if rule.body else ""
            lines.append(f"{_EPILOG.term(_fact(rule))} :: {when}{' & '.join(effects)}\n")
        return _EPILOG.program(Program(tuple(views))) + "\n" + "".join(lines), len(views) + len(lines)
