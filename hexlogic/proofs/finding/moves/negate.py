"""Ask what the other side lacks: a player has won exactly when the opponent cannot, not even with all other cells.

    wins(P) :- opponent(P,Q), not can_win(Q).        can_win(Q) by the same rules, of the cells that are not P's

That is a theorem of Hex and of Y, not of every game: its two halves are lemmas of the bridge, which are tried on boards
and assumed where no prover proves them.
"""

from collections.abc import Iterator
from typing import Final

from hexlogic.language import Predicate, Program
from hexlogic.language.names import fresh_names
from hexlogic.language.parser import parse_rule
from hexlogic.language.walk import predicates, rename_rule
from hexlogic.proofs.finding.moves import Move, Proposal, blocks
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.search import hex_theorem
from hexlogic.proofs.finding.worlds import World

_WINS: Final = Predicate("wins", 1)
_STONES: Final = Predicate("owns", 2)


def negations(program: Program, _samples: Samples, world: World) -> Iterator[Proposal]:
    """The program about the opponent's cells, where the board says who that is and nothing is negated yet."""
    negated = any(not item.positive for rule in program.rules for item in rule.literals)
    if negated or world.query != _WINS or not {Predicate("opponent", 2), Predicate("cell", 1)} <= world.given:
        return
    taken = {predicate.name for predicate in predicates(program)}
    names = {head: next(iter(fresh_names(f"{head.name}_open", taken))) for head in {*program.heads, _STONES}}
    wins, stones = names[_WINS], names[_STONES]
    lacking = parse_rule(f"{stones}(Q,X) :- cell(X), opponent(P,Q), not owns(P,X).")
    asked = parse_rule(f"wins(P) :- opponent(P,Q), not {wins}(Q).")
    new = program.with_rules((lacking, *(rename_rule(rule, names) for rule in program.rules), asked))
    halves = [(half.name, half.rule) for half in hex_theorem("wins_left", wins)]
    words = "a player has won where the opponent lacks the cells"
    yield Proposal(new, words, "\n\n".join(blocks("lemma", halves, "the Hex theorem")) + "\n")


MOVE: Final = Move("what the other side lacks", negations)
