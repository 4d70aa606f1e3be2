"""What random games show: moves for everybody, an end, and one goal for each role there. What only ground rules show:
what `base` and `input` leave out, and recursion that goes round in circles."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache

from hexlogic.ggp.check.examined import Examined, RandomGame
from hexlogic.ggp.check.finding import Finding, checks, error, warning
from hexlogic.ggp.language.static_facts import possible_inputs
from hexlogic.language.analysis.dependence import recursive_predicates, sccs, static_predicates
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.dialects.gdl import word_of, write_term
from hexlogic.language.ground.program import ground_program
from hexlogic.language.ground.solving import grounded, to_term
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Program, Rule, Term

_DECLARATIONS = {"init": "base", "next": "base", "legal": "input"}
_MAY_COME = (
    "{ true(F) } :- init(F), base(F). { true(F) } :- next(F), base(F). { does(R,M) } :- legal(R,M), input(R,M).\n"
)


def stuck(sheet: Examined) -> Iterator[Finding]:
    """Each role has a legal move until the game is over."""
    terms: set[Term] = set()
    for number, game in enumerate(sheet.games.games, 1):
        for role in game.stuck:
            if role not in terms:
                terms.add(role)
                what = f"{write_term(role)} has no legal move in a state that is not terminal"
                yield error(next(sheet.defining("legal"), None), what, _where(sheet, number, game))


def goals(sheet: Examined) -> Iterator[Finding]:
    """Each role has one goal from 0 to 100 when the game is over."""
    reported: set[str] = set()
    for number, game in enumerate(sheet.games.games, 1):
        for wrong in game.wrong_goals:
            if wrong.message not in reported:
                reported.add(wrong.message)
                what = wrong.message.replace(" in a state", " at the end")
                yield error(next(sheet.defining("goal"), None), what, f"{wrong.hint}; {_where(sheet, number, game)}")


def endless(sheet: Examined) -> Iterator[Finding]:
    """A game ends."""
    for number, game in enumerate(sheet.games.games, 1):
        if not game.over and not game.stuck:
            what = f"a random game was not over after {len(game.moves)} steps"
            hint = f"game {number} of seed {sheet.plays.seed}; --longest allows more, rules often count the steps"
            yield error(next(sheet.defining("terminal"), None), what, hint)


def _where(sheet: Examined, number: int, game: RandomGame) -> str:
    """Which game it was, so that it can be played again, and its last moves."""
    moves = ", ".join(" ".join(map(write_term, move)) for move in game.moves[-1:])
    return f"game {number} of seed {sheet.plays.seed}, step {len(game.moves)}{f' after {moves}' if moves else ''}"


def base(sheet: Examined) -> Iterator[Finding]:
    """`base` names every fact that a state may have."""
    yield from _uncovered(sheet, "base", {(fact,) for fact in sheet.games.facts})


def inputs(sheet: Examined) -> Iterator[Finding]:
    """`input` names every move that may be legal."""
    yield from _uncovered(sheet, "input", sheet.games.legal)


def _uncovered(sheet: Examined, declaration: str, seen: Collection[tuple[Term, ...]]) -> Iterator[Finding]:
    """One finding for each rule that leads out of what is declared: an error when a game went there, otherwise a
    warning, since the rules alone do not tell which facts come together."""
    if not {"base", "input"} <= sheet.defined:
        return
    for rule, beyond in undeclared(sheet.program)[declaration]:
        played = [terms for terms in beyond if terms in seen]
        shown = " ".join(map(write_term, (played or beyond)[0]))
        more = f" and {len(beyond) - 1} more" if len(beyond) > 1 else ""
        if played:
            yield error(rule, f"`{declaration}` does not name {shown}{more}", "it came up in a random game")
        else:
            hint = "no random game came there, and perhaps none can"
            yield warning(rule, f"`{declaration}` does not name {shown}{more}, which this rule may bring", hint)


def cycles(sheet: Examined) -> Iterator[Finding]:
    """Ground rules that depend on the state have no cycle, which some propositional networks get wrong."""
    recursive = recursive_predicates(sheet.program) - static_predicates(sheet.program)
    inputs = possible_inputs(sheet.program) if recursive else None
    if inputs is None:
        return
    ground = ground_program(sheet.program, inputs)
    for circle in filter(recursive.issuperset, sccs(sheet.program)):
        inside = {number for number, atom in enumerate(ground.atoms) if atom.predicate in circle}
        edges = ((rule.head, part, False) for rule in ground.rules if rule.head in inside for part in rule.positive)
        graph = Digraph((edge for edge in edges if edge[1] in inside), ())
        size = max((len(part) for part in graph.components()), default=0)
        if size > 1:
            name = word_of(min(circle).name)
            what = f"`{name}` is recursive in the ground rules: {size} atoms of it depend on each other"
            hint = "some players with propositional networks are wrong on such sheets"
            rules = (rule for predicate in sorted(circle) for rule in sheet.program.defining(predicate))
            recursive_rules = (rule for rule in rules if any(item.atom.predicate in circle for item in rule.literals))
            yield warning(next(recursive_rules, None), what, hint)


@lru_cache(maxsize=1)
def undeclared(sheet: Program) -> dict[str, list[tuple[Rule, list[tuple[Term, ...]]]]]:
    """For `base` and `input` the rules of `init`, `next` and `legal` that derive something else, in the order of the
    text, and what they derive beyond it, as arguments sorted by their text.

    A fact or move that is declared and derived may hold or be made. Only such ones lead to further states, so
    grounding ends even where states could grow without the declarations. Raises EngineError when clingo cannot ground
    the sheet.

    >>> from hexlogic.ggp.language.reading import read_kif
    >>> text = "(base (n 1)) (input r up) (init (n 1)) (legal r up) (<= (next (n 2)) (true (n 1)) (does r up))"
    >>> for rule, beyond in undeclared(read_kif(text))["base"]: print(rule, *map(str, beyond[0]))
    next(n(2)) :- true(n(1)), does(r,up). n(2)
    """
    marker = internal_name("outside")
    rules = [rule for rule in sheet.rules if rule.head is not None and rule.head.name in _DECLARATIONS]
    text = [str(sheet), _MAY_COME]
    for number, rule in enumerate(rules):
        arguments = ",".join(map(str, rule.conclusion.arguments))
        body = [*map(str, rule.body), f"not {_DECLARATIONS[rule.conclusion.name]}({arguments})"]
        text.append(f"{marker}({number},{arguments}) :- {', '.join(body)}.\n")
    control, _ = grounded("".join(text))
    derived: dict[int, list[tuple[Term, ...]]] = defaultdict(list)
    for entry in control.symbolic_atoms:
        if entry.symbol.name == marker:
            which, *terms = entry.symbol.arguments
            derived[which.number].append(tuple(map(to_term, terms)))
    beyond: dict[str, list[tuple[Rule, list[tuple[Term, ...]]]]] = {"base": [], "input": []}
    for number, rule in enumerate(rules):
        if number in derived:
            beyond[_DECLARATIONS[rule.conclusion.name]].append((rule, sorted(derived[number], key=str)))
    return beyond


CHECKS = (*checks("games", stuck, goals, endless), *checks("ground", base, inputs, cycles))
