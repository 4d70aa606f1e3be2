"""A bridge that was found, as text: the claims that the conclusions need, each with a variable's usual name."""

import contextlib
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS
from hexlogic.games.rulesets import RuleSet
from hexlogic.language.analysis.graph import Digraph
from hexlogic.process.call import Stopped
from hexlogic.proofs.all_boards import NO_BRIDGE, AllBoards, Justify, Universal
from hexlogic.proofs.all_inputs import INPUTS, AllInputs, ProgramText
from hexlogic.proofs.bridges import Statement, read_bridge
from hexlogic.proofs.conditions import finite_terms, shown
from hexlogic.proofs.finding.facts import Claim, Fact, canonical, instance, is_test, spelled, variables_of
from hexlogic.proofs.finding.known import claim_of
from hexlogic.proofs.finding.search import Search
from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld, Text, World
from hexlogic.proofs.jobs import run_job
from hexlogic.proofs.question import equal

_SHOWN: Final = 12
"""Claims that are shown of a search that was stopped."""
_EXTRA_S: Final = 20.0
"""Seconds to leave claims out in, after a bridge was found."""

_NOTHING: Final[Fact] = ("contradiction",)

Block = tuple[Claim, ...]
"""Claims that are proved at once, by induction on all of their first atoms."""


@dataclass(frozen=True, slots=True)
class NoBridge:
    """No bridge was found; `lines` say how far the search came."""

    lines: tuple[str, ...]


def prove_on_all_boards(
    left: RuleSet,
    right: RuleSet,
    over: AllBoards,
    *,
    limit_s: float,
    report: Callable[[str], None],
    lemmas: bool = False,
) -> tuple[Universal, str | NoBridge]:
    """The proof for all boards, and the bridge that was found for it, "" where none was looked for; with `lemmas` it
    may assume some. A shipped bridge is about shipped texts: for another text of that name, where it fails, one is
    looked for.

    Raises HexlogicError as `AllBoards` does.
    """
    changed = over.bridges is None and any(shown(rules) != rules.name for rules in (left, right))
    shipped = None
    with contextlib.suppress(HexlogicError) if changed else contextlib.nullcontext():
        shipped = equal(left, right, over)
    if shipped is not None and shipped.reason != NO_BRIDGE and (shipped.proved or not changed):
        return shipped, ""
    over = replace(over, bridges=())
    proof = equal(left, right, over)
    if proof.reason != NO_BRIDGE:
        return proof, ""
    bridge = find_bridge_in_child(left, right, over.game, limit_s=limit_s, report=report, lemmas=lemmas)
    if isinstance(bridge, NoBridge):
        named = shipped is not None and shipped.reason != NO_BRIDGE  # then the step that fails is known
        return shipped if shipped and named else replace(proof, reason="no bridge between them was found"), bridge
    bridges = (read_bridge(bridge, "the bridge that was found"),)
    return equal(left, right, replace(over, bridges=bridges)), bridge


def prove_on_all_inputs(
    left: ProgramText,
    right: ProgramText,
    over: AllInputs | None,
    justify: Justify,
    *,
    limit_s: float,
    report: Callable[[str], None],
    lemmas: bool = False,
) -> tuple[Universal, str | NoBridge]:
    """The same for two programs on every set of input facts; `over` has a bridge, else one is looked for. Raises
    HexlogicError as `AllInputs` does."""
    bare = read_bridge(f"% left:   {left.name}\n% right:  {right.name}\n% idea:   none\n", "no bridge")
    proof = equal(left, right, over or AllInputs(bare, justify))
    if over is not None or proof.proved:
        return proof, ""
    bridge = find_bridge_in_child(left, right, INPUTS, limit_s=limit_s, report=report, lemmas=lemmas)
    if isinstance(bridge, NoBridge):
        return replace(proof, reason="no bridge between them was found"), bridge
    return equal(left, right, AllInputs(read_bridge(bridge, "the bridge that was found"), justify)), bridge


def find_bridge_in_child(
    left: Text, right: Text, game: str, *, limit_s: float, report: Callable[[str], None], lemmas: bool = False
) -> str | NoBridge:
    """A bridge between two rule sets of a game, or two programs (`INPUTS`), from a child process that ends at the
    limit. Raises as `find_bridge` does."""
    task = {"names": (left.name, right.name), "texts": (left.text, right.text), "game": game, "lemmas": lemmas}
    try:
        return run_job(_find, task, time_s=limit_s, report=report)
    except Stopped as stopped:
        told, last = stopped.progress, ", the last:" if stopped.progress else ""
        return NoBridge((f"{stopped.reason}; {len(told)} claims were proved{last}", *told[-_SHOWN:]))


def _find(
    names: tuple[str, str],
    texts: tuple[str, str],
    game: str,
    time_s: float,
    report: Callable[[str], None],
    lemmas: bool,
) -> str | NoBridge:
    """Run in the child; the last tenth of the time is for leaving claims out, or to say how far the search came."""
    if game == INPUTS:
        source, other = map(ProgramText, names, texts)
        return find_bridge(source, other, InputWorld(source), limit_s=0.9 * time_s, report=report, lemmas=lemmas)
    left, right = (RuleSet.from_text(text, name, games=game) for name, text in zip(names, texts, strict=True))
    return find_bridge(left, right, BoardWorld(game), limit_s=0.9 * time_s, report=report, lemmas=lemmas)


def find_bridge(
    left: Text,
    right: Text,
    world: World,
    *,
    limit_s: float = 60.0,
    report: Callable[[str], None] = lambda _: None,
    hints: str = "",
    lemmas: bool = False,
    explain: bool = True,
) -> str | NoBridge:
    """The text of a bridge between two texts, or how far the search came in `limit_s` seconds: nothing without
    `explain`, which takes seconds.

    `hints` are statements of a bridge that the search begins with; with `lemmas` it ends with some that are assumed.

    Raises HexlogicError where a rule set cannot be proved anything about.
    """
    programs = list(map(world.program, (left, right)))
    try:
        for program in programs:
            finite_terms(program)
    except HexlogicError as endless:
        return NoBridge((f"no samples to find claims from: {endless}",))
    search = Search(left, right, world, limit_s=limit_s, report=report, hints=hints)
    if not search.run() and not (lemmas and search.run_with_lemmas()):
        return NoBridge(tuple(_how_far(search)) if explain else ())
    blocks = _without_spare(search, list(_needed(search)))
    return "\n\n".join(_text(search, blocks, left, right, world)) + "\n"


def _how_far(search: Search) -> Iterator[str]:
    """A sample on which an answer differs, or the claims that were proved and the steps that are open."""
    if search.refuted:
        yield f"not so on every sample: {_rule_text(search, search.refuted[0])}"
        return
    yield f"{len(search.known.learned)} claims hold everywhere; those of two atoms:"
    yield from (f"    {_rule_text(search, claim)}" for claim in search.known.learned if len(claim.body) > 1)
    for goal, case in search.open_cases():
        yield f"open: {_rule_text(search, goal)}"
        yield f"    does not follow from {', '.join(map(spelled, case.facts))}".replace("'c'", "").replace("'k'", "")


def _rule_text(search: Search, claim: Claim) -> str:
    """A claim of the hints as it was written: read, its arithmetic has names that no text can spell."""
    if claim in search.stated:
        return str(search.stated[claim])
    return _spelled(search, claim.head[0] if claim.head else _NOTHING, claim.body)


def _needed(search: Search) -> Iterator[Block]:
    """The claims that the conclusions need, in the order of their proofs; a conclusion where another claim needs it."""
    uses, needed = search.known.uses, search.known.needed(search.goals)
    needed -= {goal for goal in search.goals if not any(goal in uses.get(each, ()) for each in needed - {goal})}
    order = search.known.learned.index
    edges = ((claim, used, False) for claim in needed for used in uses.get(claim, ()) if used in needed)
    for group in Digraph(edges, sorted(needed, key=order)).components():
        yield tuple(sorted(group, key=order))


def _without_spare(search: Search, blocks: list[Block]) -> list[Block]:
    """The blocks without those that can be left out, the last first."""
    search.known.end_s = time.process_time() + _EXTRA_S
    for block in reversed(blocks):
        fewer = [other for other in blocks if other is not block]
        if search.known.proves(fewer, search.goals):
            blocks = fewer
    return blocks


def _text(search: Search, blocks: Sequence[Block], left: Text, right: Text, world: World) -> Iterator[str]:
    yield f"% left:   {left.name}\n% right:  {right.name}\n% idea:   found by `hexlogic prove --all-sizes`"
    known, claims = search.known, [claim for block in blocks for claim in block]
    spoken = {name for claim in claims for name in claim.names}
    for meaning in reversed(known.meanings):
        if meaning.name in spoken:
            spoken |= meaning.words
    board = [claim for claim in claims if claim not in known.uses and not claim.names & known.derived]
    yield from _lemmas(board, world, search)
    for meaning in (each for each in known.meanings if each.name in spoken):
        rules = "\n".join(_spelled(search, meaning.head, body) for body in meaning.bodies)
        yield f"%% means: {meaning.idea}\n{rules}"
    for block in blocks:
        if block[0] in board:
            continue
        if lemma := known.assumed.get(block[0]):
            yield f"%% lemma {lemma.name}: {lemma.words}\n{_rule_text(search, block[0])}"
        else:
            rules = "\n".join(_rule_text(search, claim) for claim in block)
            yield f"%% claim: {'; '.join(dict.fromkeys(map(_words, block)))}\n{rules}"


def _lemmas(claims: Iterable[Claim], world: World, search: Search) -> Iterator[str]:
    """Statements about the board: those of the bridges there are, with what they are proved from; else assumed ones."""
    proved = [statement for statement in world.lemmas() if statement.rule.head is not None]
    known = {canonical(claim_of(statement.rule)): statement for statement in proved}
    blocks = dict[str, None]()
    for number, claim in enumerate(claims, 1):
        statement = known.get(claim) or search.known.assumed.get(claim)
        if statement is None:
            blocks[f"%% lemma board {number}: it holds on every board\n{_rule_text(search, claim)}"] = None
        else:
            blocks |= dict.fromkeys(lemma_blocks(statement))
    yield from blocks


def lemma_blocks(statement: Statement) -> Iterator[str]:
    """A lemma of a bridge as text, behind what it is proved from."""
    for source in statement.sources:
        yield from lemma_blocks(source)
    induction = f" by induction on {statement.induction}" if statement.induction else ""
    sources = f" from {', '.join(source.name for source in statement.sources)}" if statement.sources else ""
    yield f"%% lemma {statement.name}{induction}{sources}: {statement.words}\n{statement.rule}"


def _words(claim: Claim) -> str:
    """What kind of claim it is."""
    if not claim.head:
        return "both cannot be"
    (head,), (subject, *others) = claim.head, claim.body
    if others:
        return "closed under itself" if {atom[0] for atom in claim.body} == {head[0]} else "one more step keeps it"
    if head[0] != subject[0]:
        return "what the one derives the other does"
    return "symmetric" if sorted(map(str, head)) == sorted(map(str, subject)) else "holds of each end"


def _spelled(search: Search, head: Fact, body: Sequence[Fact]) -> str:
    """A rule with P, Q for players and X, Y, Z for all else."""
    names: dict[str, str] = {}
    fresh = {True: _series("PQ"), False: _series("XYZUVW")}
    for atom in sorted((*body, head), key=is_test):
        for place, part in enumerate(atom[1:]):
            for variable in (each for each in variables_of(("", part)) if each not in names):
                names[variable] = next(fresh[search.known.samples.holds(str(atom[0]), place, PLAYERS[0])])
    return f"{spelled(instance(head, names))} :- {', '.join(spelled(instance(atom, names)) for atom in body)}."


def _series(letters: str) -> Iterator[str]:
    return (f"{letter}{number or ''}" for number in itertools.count() for letter in letters)
