"""Whether two programs have the same answer sets over the predicates of the first, by clingo, on given instances.

Where both have few answer sets, all are compared, with their costs and with how often each occurs, so that an auxiliary
predicate cannot multiply them. Where there are more, some that a random search finds in each program are looked for in
the other one, and the optimal costs are compared.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from clingo.ast import ASTType

from hexlogic.encodings.measuring import Unmeasured, run_child
from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.logic import Predicate

__all__ = ["Check", "check_rewritten", "same_answer_sets"]

_MODELS = 200
_LOOKED_FOR = 25
_PATIENCE = 2
"""Instances that take too long until no other one is tried."""

_CHILD = """
import json, sys, clingo
asked = json.load(sys.stdin)
if asked["scripts"]:
    from clingo.script import enable_python
    enable_python()
seen = {(name, arity, positive) for name, arity, positive in asked["predicates"]}
def visible(symbol):
    return symbol.type == clingo.SymbolType.Function and (symbol.name, len(symbol.arguments), symbol.positive) in seen
def opened(text):
    control = clingo.Control(["--warn=none", "--opt-mode=enum,1000000000", "--models=%d" % asked["models"], "--seed=1",
        "--sign-def=rnd", "--rand-freq=1"])
    control.add("base", [], text)
    control.ground([("base", [])])
    return control
def models(control):
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = sorted(str(atom) for atom in model.symbols(atoms=True) if visible(atom))
            terms = sorted(map(str, model.symbols(terms=True))) + sorted(map(str, model.symbols(theory=True)))
            found.append((atoms, terms, list(model.cost)))
    return found
def lacks(control, model):
    true = set(model[0])
    known = {str(entry.symbol): entry for entry in control.symbolic_atoms if visible(entry.symbol)}
    if not true <= set(known):
        return True
    given = [(entry.symbol, name in true) for name, entry in known.items()]
    costs = []
    control.configuration.solve.models = "1"
    satisfiable = control.solve(assumptions=given, on_model=lambda found: costs.append(list(found.cost))).satisfiable
    return not satisfiable or costs[0] != model[2]
def optimum(text):
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    best = []
    control.solve(on_model=lambda model: best.append(list(model.cost)))
    return best[-1:]
left, right = opened(asked["left"]), opened(asked["right"])
one, other = models(left), models(right)
if len(one) < asked["models"] and len(other) < asked["models"]:
    counted = [sorted(map(str, found)) for found in (one, other)]
    print(json.dumps({"equal": counted[0] == counted[1]}))
else:
    step = max(1, asked["models"] // asked["some"])
    wrong = any(lacks(right, model) for model in one[::step]) or any(lacks(left, model) for model in other[::step])
    if not wrong and one and one[0][2]:
        wrong = optimum(asked["left"]) != optimum(asked["right"])
    print(json.dumps({"equal": not wrong}))
"""


@dataclass(frozen=True, slots=True)
class Check:
    """Instances on which the answer sets were compared, how many could not be, and the first that differs."""

    instances: int
    skipped: int
    difference: str | None = None

    @property
    def equal(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is not None:
            return f"DIFFERENT ANSWER SETS on {self.difference}"
        left = f", {self.skipped} took too long" if self.skipped else ""
        if not self.instances:
            return f"no instance{left}"
        return f"the same answer sets on {self.instances} instances{left}"


def same_answer_sets(
    left: str, right: str, predicates: Collection[Predicate], limit_s: float, *, scripts: bool = False
) -> bool | Unmeasured:
    """Whether two programs have the same answer sets over some predicates; why not known when it is not."""
    asked = {
        "left": left,
        "right": right,
        "predicates": [(one.name.lstrip("-"), one.arity, not one.name.startswith("-")) for one in sorted(predicates)],
        "models": _MODELS,
        "some": _LOOKED_FOR,
        "scripts": scripts,
    }
    found = run_child(_CHILD, asked, limit_s)
    return found if isinstance(found, Unmeasured) else bool(found["equal"])


def check_rewritten(
    new: Rewritten,
    predicates: Collection[Predicate],
    profile: Encoding | None,
    limit_s: float,
    *,
    instances: int = 3,
    scripts: bool = False,
) -> Check:
    """Compare on the instance as it is and on others, in each of which a random half of the facts is missing."""
    compared = skipped = 0
    for name, gone, added in _instances(new.encoding, profile, instances):
        before = new.encoding.runnable(Rewritten(new.encoding).without(gone) + added)
        after = new.encoding.runnable(new.without(gone) + added)
        equal = same_answer_sets(before, after, predicates, limit_s, scripts=scripts)
        if isinstance(equal, Unmeasured):
            skipped += 1
            if skipped == _PATIENCE:
                break
        elif equal:
            compared += 1
        else:
            return Check(compared, skipped, name)
    return Check(compared, skipped)


def _instances(encoding: Encoding, profile: Encoding | None, number: int) -> Iterator[tuple[str, list[int], str]]:
    """The name of an instance, the facts of the encoding that it leaves out, and the text that it adds."""
    facts = [
        place
        for place, statement in enumerate(encoding.statements)
        if statement.is_fact and statement.source is not None
    ]
    yield "the instance that was given", [], "" if profile is None else "\n#program base.\n" + profile.text
    given = [] if profile is None else list(profile.statements)
    for seed in range(number if facts or given else 0):
        generator = random.Random(seed)
        gone = [place for place in facts if generator.random() < 0.5]
        kept = [
            str(statement.node)
            for statement in given
            if not statement.is_fact or generator.random() < 0.5
            if statement.node.ast_type not in (ASTType.Comment, ASTType.Script)
        ]
        yield f"the instance with a random half of its facts, seed {seed}", gone, "\n".join(["", *kept, ""])
