"""Least models of a program on the sets of facts that a world samples, all of one instance by one call of clingo."""

from collections.abc import Collection, Iterator, Sequence

from hexlogic.language import Atom, Integer, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.dependence import static_predicates
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import internal_name
from hexlogic.language.walk import general_atom
from hexlogic.proofs.finding.facts import Fact, fact_of
from hexlogic.proofs.finding.worlds import World


def atoms_of(program: Program, world: World, wanted: Collection[Predicate]) -> list[dict[str, list[Fact]]]:
    """The atoms of the wanted predicates, by name, in each model that `Samples` has: all that a comparison needs."""
    models = [model for given, drawn in world.sampled(0) for model in least_models(given + program, drawn, wanted)]
    return [{each.name: [fact for fact in model if fact[0] == each.name] for each in wanted} for model in models]


def least_models(
    program: Program, instances: Sequence[Sequence[Atom]], wanted: Collection[Predicate] | None = None
) -> Iterator[list[Fact]]:
    """The least model of each set of facts, or its `wanted` part, all by one call: what the facts change has the number
    of the set."""
    static = static_predicates(program)
    number, numbers, marked = Variable("Instance'"), internal_name("instance"), internal_name("at")

    def numbered(atom: Atom) -> Atom:
        return atom if atom.predicate in static else Atom(marked + atom.name, (number, *atom.arguments))

    rules = []
    for rule in program.without_constraints().rules:
        assert rule.head is not None
        body = tuple(
            Literal(numbered(item.atom), item.positive) if isinstance(item, Literal) else item for item in rule.body
        )
        if rule.head.predicate not in static:
            body = (Literal(Atom(numbers, (number,))), *body)
        rules.append(Rule(numbered(rule.head), body))
    facts = [
        Atom(marked + fact.name, (Integer(place), *fact.arguments))
        for place, instance in enumerate(instances)
        for fact in instance
    ]
    facts += [Atom(numbers, (Integer(place),)) for place in range(len(instances))]
    common: list[Fact] = []
    models: list[list[Fact]] = [[] for _ in instances]
    only = None if wanted is None else [numbered(general_atom(predicate)).predicate for predicate in wanted]
    for name, *arguments in map(fact_of, least_model(Program(tuple(rules), program.constants), facts, only=only)):
        if str(name).startswith(marked):
            models[int(str(arguments[0]))].append((str(name).removeprefix(marked), *arguments[1:]))
        elif name != numbers:
            common.append((name, *arguments))
    return ([*common, *model] for model in models)
