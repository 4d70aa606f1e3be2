"""Rule sets, one per file of `rules/`, and boards, one per file of `rules/games/`.

Rule sets of Hex, and of any game with two sides for each player, stand in `rules/` itself; those of another game in
`rules/GAME/`, and are called `GAME/NAME`.
"""

import dataclasses
import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hexlogic.errors import RuleSyntaxError, SizeError, UnknownNameError
from hexlogic.games import PLAYERS, Game, Hex, Player, Position, game_names, load_game, rules_of_game
from hexlogic.games.rulesets.templates import expand
from hexlogic.language import Atom, Integer, Predicate, Program, Symbol
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.constants import ConstantError
from hexlogic.language.parser import constants_placed, parse, parse_predicate
from hexlogic.language.walk import rule_terms
from hexlogic.process.files import STDIN, read_text, readable, rules_folder

REQUIRED: tuple[str, ...] = ("name", "idea", "source", "query", "games", "complete", "needs", "cost")
_LINE = re.compile(r"%\s*([a-z]+):\s*(.*?)\s*$")
_SUFFIXES = (".lp.j2", ".lp")

_MOST_CELLS_OF_PAIRS = 200
"""On larger boards the pairs of stones of a cluster, of which `clusters` derives all, are too many."""


def read_header(text: str, file: str, required: tuple[str, ...] = REQUIRED) -> dict[str, str]:
    """The header's keys and values. Raises RuleSyntaxError with the line when a line is not `% key: value` or a
    required key is absent.

    >>> read_header("% name: tiny\\n% idea: none\\n\\np.", "tiny.lp", ("name",))
    {'name': 'tiny', 'idea': 'none'}
    """
    header: dict[str, str] = {}
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            break
        match = _LINE.match(line)
        if match is None:
            raise RuleSyntaxError("not a header line", file=file, line=number, column=1, hint="% key: value")
        header[match[1]] = match[2]
    absent = [key for key in required if key not in header]
    if absent:
        raise RuleSyntaxError(f"the header lacks {', '.join(absent)}", file=file, line=max(number, 1), column=1)
    return header


@dataclass(frozen=True)
class RuleSet:
    """One reformulation of the win condition, as its file describes it.

    `needs` is what it asks of an engine, `cost` what it is expected to cost, both in words; `games` the names of
    the games it fits, or `any`: any game whose board defines what the rules read; `complete` is False when it misses
    some wins, and `caveat` then says which.

    >>> from hexlogic import Detector, RuleSet
    >>> lucky = RuleSet.from_text("wins(P) :- owns(P,X), first(P,X), last(P,X).", "lucky")
    >>> with Detector(lucky, size=(2, 1), engine="clingo") as detector:
    ...     detector.play("red", "a2")
    ...     detector.winner()
    'red'
    """

    name: str
    idea: str
    source: str
    query: Predicate
    games: tuple[str, ...]
    complete: bool
    caveat: str
    needs: str
    cost: str
    path: Path
    text: str

    @classmethod
    def from_text(
        cls, text: str, name: str = "rules", *, games: str = "any", query: str = "wins/1", file: str | None = None
    ) -> "RuleSet":
        """The rule set of a text that defines its query over the board's predicates and `owns/2`; it needs no header.

        `games` are names of games, with commas between them; `file` is what errors call the text. It is parsed by
        `instantiate`.
        """
        header = {"query": query, "games": games, "complete": "yes"}
        return rule_set_of(Path(file or f"{name}.lp"), text, dict.fromkeys(REQUIRED, "") | header | {"name": name})

    @property
    def is_template(self) -> bool:
        """Whether the text has to be expanded for a size."""
        return self.path.suffix == ".j2"

    @property
    def hash(self) -> str:
        """SHA-256 of the rule text, in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def reference(self) -> str:
        """The text by which `find_rule_set` finds it: its name, or the path of a file from outside the package."""
        known = _paths().get(self.name) == self.path or self.path.is_relative_to(rules_folder() / "transitions")
        return self.name if known else str(self.path)

    @property
    def recursive(self) -> bool:
        """Whether some predicate that it defines depends on itself."""
        kind = Hex if "any" in self.games else load_game(self.games[0])
        program = parse(self.expand(kind.of_size(3)), self.path.name)
        return bool(recursive_predicates(program))

    def fits(self, game: str) -> bool:
        """Whether it is for the game of that name. Raises UnknownNameError."""
        if "any" not in self.games or game == Hex.name:
            return game in self.games or "any" in self.games
        program = parse(self.text, self.path.name)
        given = {predicate for text in (board_rules(game), program) for predicate in (*text.heads, *text.inputs)}
        return all(literal.atom.predicate in given for rule in program.rules for literal in rule.literals)

    def expand(self, game: Game) -> str:
        """The rule text for this board, to run beside the board's. Raises SizeError for a board that does not fit."""
        if not self.fits(game.name):
            fits = ", ".join(self.games) if "any" not in self.games else "games with two sides for each player"
            raise SizeError(f"{self.name} does not fit the game {game.name}", hint=f"it is made for: {fits}")
        return expand(self.text, game, self.path.name) if self.is_template else self.text

    def instantiate(self, game: Game) -> Program:
        """The program that decides this game: the board's rules and this rule set's, for the board's size.

        The stones are its input `owns/2`, `wins/1` is its query. Raises SizeError when the board is too large for
        this reformulation; RuleSyntaxError, ArityError, UnsafeRuleError and StratificationError, with their place,
        when a file is wrong.
        """
        return _instantiate(self, game)


@functools.lru_cache(maxsize=32)
def _instantiate(rule_set: RuleSet, game: Game) -> Program:
    text, board = rule_set.expand(game), board_rules(game.name)
    rules = parse(text, rule_set.path.name)
    try:
        with constants_placed(text):
            check_constants(rules, board)
    except ConstantError as error:
        raise error.at(file=rule_set.path.name) from None
    return sized(board + rules, game)


def sized(program: Program, game: Game) -> Program:
    """The program, checked, with the sizes of a board as the constants of the same names."""
    sizes: dict[str, int] = dataclasses.asdict(game)  # type: ignore[call-overload]  # a board is a dataclass
    constants = tuple((name, Integer(sizes[name]) if name in sizes else value) for name, value in program.constants)
    return check(dataclasses.replace(program, constants=constants))


def check_constants(program: Program, board: Program) -> None:
    """Raise ConstantError for a `#const` of a text beside a board that changes what the board or the stones say. clingo
    puts the value of a constant in the place of its name in all texts that it is given."""
    sizes = {name for name, _ in board.constants}
    words = {part.name for rule in board.rules for part in rule_terms(rule) if isinstance(part, Symbol)}
    for name, _ in program.constants:
        if name in sizes:
            raise ConstantError(name, "belongs to the board", "the board gives it its size")
        if name in words | set(PLAYERS):
            hint = "clingo would change it there too: take another name"
            raise ConstantError(name, "is a name that the board or the stones use", hint)


def board_rules(game: str) -> Program:
    """The rules of a game's board. Raises UnknownNameError, or HexlogicError when there is no such file."""
    load_game(game)
    path = rules_of_game(game) / "games" / f"{game}.lp"
    with readable(path, f"the board of {game}"):
        return _parsed_board(read_text(path), path.name)


_parsed_board = functools.lru_cache(maxsize=32)(parse)


def read_rule_set(path: Path) -> RuleSet:
    """The rule set of a file, with the header's facts. Raises RuleSyntaxError when the header is wrong or that of
    transition rules, which judge no single position; the rules themselves are read by `instantiate`."""
    with readable(path, "the rule set"):
        text = read_text(path)
    header = read_header(text, path.name)
    if "state" in header:
        hint = "they change a state from move to move: hexlogic.games.rulesets.transitions"
        raise RuleSyntaxError("transition rules, not a rule set", file=path.name, line=1, column=1, hint=hint)
    return rule_set_of(path, text, header)


def rule_set_of(path: Path, text: str, header: Mapping[str, str]) -> RuleSet:
    """The rule set with this text and header. Raises RuleSyntaxError for a query that is no predicate."""
    complete, _, caveat = header["complete"].partition(" ")
    return RuleSet(
        name=header["name"],
        idea=header["idea"],
        source=header["source"],
        query=parse_predicate(header["query"]),
        games=tuple(part.strip() for part in header["games"].split(",")),
        complete=complete == "yes",
        caveat=caveat.strip("() "),
        needs=header["needs"],
        cost=header["cost"],
        path=path,
        text=text,
    )


def rule_files(folder: Path, prefix: str = "") -> dict[str, Path]:
    """The files of rules in a folder by their names, sorted."""
    paths = {f"{prefix}{path.name.removesuffix(end)}": path for end in _SUFFIXES for path in folder.glob(f"*{end}")}
    return dict(sorted(paths.items()))


def _paths() -> dict[str, Path]:
    paths = rule_files(rules_folder())
    for game in game_names():
        paths |= rule_files(rules_of_game(game) / game, f"{game}/")
    return dict(sorted(paths.items()))


def rule_set_names(game: str = Hex.name) -> tuple[str, ...]:
    """The names of all rule sets that fit a game, sorted. Raises UnknownNameError.

    >>> rule_set_names("y")
    ('y/clusters', 'y/follow-line', 'y/follow-line-sweeps', 'y/maker-breaker')
    """
    load_game(game)
    return tuple(name for name in _paths() if load_rule_set(name).fits(game))


@functools.lru_cache(maxsize=64)
def load_rule_set(name: str) -> RuleSet:
    """The rule set of that name. Raises UnknownNameError.

    >>> from hexlogic import load_rule_set
    >>> from hexlogic.games import Hex
    >>> rules = load_rule_set("clusters")
    >>> print(rules.query, rules.instantiate(Hex.square(3)).rules[-1])
    wins/1 wins(P) :- same_cluster(P,X,Y), starts(P,X), last(P,Y).
    """
    paths = _paths()
    if name not in paths:
        alike = [known for known in paths if ("/" in known) == ("/" in name)]
        raise UnknownNameError.among("rule set", name, alike)
    return read_rule_set(paths[name])


def default_rule_set(game: Game) -> RuleSet:
    """The rule set to use unless one is named: `clusters`, and on more than 200 cells the rule set that floods from
    the first side, if the game has one. Raises UnknownNameError.

    >>> [default_rule_set(Hex.square(size)).name for size in (11, 40)]
    ['clusters', 'follow-line-tabled']
    """
    pairs, flood = ("clusters", "follow-line-tabled")
    if game.name != Hex.name:
        pairs, flood = (f"{game.name}/clusters", f"{game.name}/follow-line")
    many = len(game.cells) > _MOST_CELLS_OF_PAIRS and flood in _paths()
    return load_rule_set(flood if many else pairs)


def find_rule_set(text: str) -> RuleSet:
    """The rule set of that name, in that `.lp` or `.lp.j2` file, or on standard input (`-`). Raises HexlogicError."""
    is_file = text == str(STDIN) or text.endswith((".lp", ".lp.j2"))
    return read_rule_set(Path(text)) if is_file else load_rule_set(text)


def position_facts(position: Position) -> tuple[Atom, ...]:
    """The stones as input facts, `owns(red,12)`, sorted by player and cell."""
    stones = ((player, cell) for player in PLAYERS for cell in sorted(position.stones(player)))
    return tuple(Atom("owns", (Symbol(player), Integer(cell))) for player, cell in stones)


def win_query(player: Player) -> Atom:
    """The question "has this player won?"."""
    return Atom("wins", (Symbol(player),))
