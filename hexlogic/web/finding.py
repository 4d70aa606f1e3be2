"""What the workbench asks about a text on every board: programs that cost less, and why it equals a rule set.

As in `rule_text.py` the text is untrusted, and this runs in a child process under limits.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.proofs.all_boards import AllBoards
from hexlogic.proofs.finding.bridge_text import NoBridge, prove_on_all_boards
from hexlogic.proofs.finding.record import StoredSearch, read_source, run_search
from hexlogic.proofs.smt.lemmas import LemmaProver
from hexlogic.web.game_request import Fields, problem_of
from hexlogic.web.rule_text import BRIDGE, FILE, header_of

SEARCH_S: Final = 60.0
"""Wall seconds of a search."""
_NAME: Final = FILE.removesuffix(".lp")
Found: TypeAlias = str | StoredSearch
"""A report: words, or what there is so far."""


def cheaper(*, text: str, size: str, game: str = "hex", report: Callable[[Found], None] = lambda _: None) -> Fields:
    """Programs with the same answers as the text on every board, whatever the size, that cost less."""
    try:
        source, world = read_source(_checked(text), _NAME, game, FILE)
        search = run_search(source, world, SEARCH_S, None, report, report)
    except HexlogicError as error:
        return problem_of(error, FILE)
    return {"problem": None, "search": msgspec.to_builtins(search)}


def why(
    *, text: str, size: str, name: str, game: str = "hex", report: Callable[[str], None] = lambda _: None
) -> Fields:
    """Whether the text equals a rule set on every board: a sentence, and the bridge, or how far the search came."""
    try:
        rules = RuleSet.from_text(_checked(text), _NAME, games=game, file=FILE)
        over = AllBoards(game, (), LemmaProver())
        proof, bridge = prove_on_all_boards(
            rules, load_rule_set(name), over, limit_s=SEARCH_S, report=report, lemmas=True
        )
    except HexlogicError as error:
        return problem_of(error, FILE)
    lines = bridge.lines if isinstance(bridge, NoBridge) else bridge.splitlines()
    lines = lines or [section.statement for section in proof.sections]
    return {"problem": None, "sentence": str(proof), "lines": list(lines)}


def _checked(text: str) -> str:
    if "left" in header_of(text):
        raise HexlogicError(BRIDGE)
    return text
