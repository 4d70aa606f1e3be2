"""Expand Jinja templates: rule text whose width depends on the board.

Jinja is cut down to a language of bounded loops over data: the same text and words give the same bytes, everywhere. A
template may hold what `_NODES` lists. Words that are functions stand only where they are called, and `board` and `loop`
only where an attribute of theirs is read: so nothing that prints as an address, and no inside of Python, can be
reached. There is neither a clock nor chance, and steps and lengths are counted.
"""

import traceback
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from hexlogic.errors import HexlogicError, RuleSyntaxError
from hexlogic.games import Game, Hex, Player, chain_length_bound, winning_sets
from hexlogic.games.chains import longest_chain_bound, sweep_bound

T = TypeVar("T")

WINNING_SETS_LIMIT = 10_000
"""Minimal winning sets per player that one rule set may hold; 6x6 has 3,848 and 7x7 has 68,914."""
MOST_LETTERS = 1 << 26
"""Characters of an expanded text, and of each part."""
MOST_STEPS = 10_000_000
"""Passes through loops in an expansion."""
_NODES: Final = frozenset[str]().union(
    ("Template", "Output", "TemplateData", "Const", "Name", "Tuple", "List", "For", "If", "CondExpr", "Assign"),
    ("Call", "Getattr", "Getitem", "Slice", "Filter", "Test", "Compare", "Operand", "And", "Or", "Not", "Neg", "Pos"),
    ("Add", "Sub", "Mul", "FloorDiv", "Mod", "Concat"),
)
_TESTS: Final = ("defined", "divisibleby", "eq", "even", "ge", "gt", "in", "le", "lt", "ne", "odd")
_LOOP: Final = ("first", "index", "index0", "last", "length", "nextitem", "previtem", "revindex", "revindex0")
_HINT: Final = "a template has for, if, set, + - * // % ~, and the words of rule templates"


def bounded(parts: Iterable[str], separator: str = "") -> str:
    """The parts joined. Raises ValueError beyond `MOST_LETTERS`."""
    kept, letters = list[str](), 0
    for part in parts:
        kept.append(part)
        letters += len(part) + len(separator)
        if letters > MOST_LETTERS:
            raise ValueError(f"a text of more than {MOST_LETTERS:,} letters")
    return separator.join(kept)


def expanded(template: str, words: Mapping[str, object], objects: Collection[str], file: str) -> str:
    """The text of a template that may read `objects`. Raises RuleSyntaxError with the line, or as a word does."""
    from jinja2 import StrictUndefined, TemplateSyntaxError, Undefined, nodes
    from jinja2.runtime import Context
    from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
    from jinja2.visitor import NodeTransformer

    steps = 0

    def counted(items: Iterable[T]) -> list[T]:
        nonlocal steps
        kept = list(items)
        steps += len(kept)
        if steps > MOST_STEPS:
            raise ValueError(f"more than {MOST_STEPS:,} passes through loops")
        return kept

    def text(value: object) -> str:
        if isinstance(value, Undefined) or type(value) in (str, int):
            return str(value)  # the one that is undefined says so
        raise ValueError(f"a template prints texts and integers only, not {type(value).__name__}")

    def join(items: Iterable[object], separator: str = "") -> str:
        return bounded(map(text, counted(items)), separator)

    class Environment(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset(("+", "-", "*", "//", "%"))

        def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
            if type(left) is not int or type(right) is not int or max(abs(left), abs(right)) >= 1 << 62:
                raise ValueError(f"`{operator}` is for integers; texts are joined by ~")
            return super().call_binop(context, operator, left, right)

        def getitem(self, obj: Sequence[object], argument: object) -> object:
            if not isinstance(argument, int | slice):
                raise ValueError("an index is an integer")
            return obj[argument]

    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True, finalize=text)
    environment.globals = {"range": safe_range, **words, "counted ": counted, "joined ": lambda *parts: join(parts)}
    environment.filters = {
        "join": join,
        "abs": abs,
        "int": int,
        "lower": str.lower,
        "upper": str.upper,
        "first": lambda items: items[0],
        "last": lambda items: items[-1],
        "length": len,
        "count": len,
        "list": counted,
        "max": lambda items: max(counted(items)),
        "min": lambda items: min(counted(items)),
        "sort": lambda items: sorted(counted(items)),
        "sum": lambda items: sum(counted(items)),
    }
    environment.tests = {name: environment.tests[name] for name in _TESTS}

    def called(name: str, *arguments: nodes.Node) -> nodes.Call:
        return nodes.Call(nodes.Name(name, "load"), list(arguments), [], None, None)

    class Joining(NodeTransformer):
        """Has `joined` carry out each `~`."""

        def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802 - named by Jinja
            self.generic_visit(node)
            return called("joined ", *node.nodes)

    def checked(node: nodes.Node, parent: nodes.Node) -> None:
        what = type(node).__name__
        if what not in _NODES or (isinstance(node, nodes.Call) and (node.dyn_args or node.dyn_kwargs)):
            raise TemplateSyntaxError(f"{what} in a template", node.lineno)
        if isinstance(node, nodes.Name) and node.ctx == "load":
            is_called = isinstance(parent, nodes.Call) and parent.node is node
            is_read = isinstance(parent, nodes.Getattr)
            if (callable(environment.globals.get(node.name)) and not is_called) or (
                node.name in {*objects, "loop"} and not is_read
            ):
                raise TemplateSyntaxError(f"{node.name} stands alone", node.lineno)
        if isinstance(node, nodes.Getattr):
            base = node.node.name if isinstance(node.node, nodes.Name) else ""
            value = getattr(words[base], node.attr, None) if base in objects else None
            is_called = isinstance(parent, nodes.Call) and parent.node is node
            known = node.attr in _LOOP if base == "loop" else base in objects and not node.attr.startswith("_")
            if not known or callable(value) != is_called:
                raise TemplateSyntaxError(f"the attribute {node.attr}", node.lineno)
        if isinstance(node, nodes.Call) and not isinstance(node.node, nodes.Name | nodes.Getattr):
            raise TemplateSyntaxError("a call of no word", node.lineno)
        for child in list(node.iter_child_nodes()):
            checked(child, node)

    try:
        tree = environment.parse(template)
        checked(tree, tree)
        for loop in tree.find_all(nodes.For):
            loop.iter = called("counted ", loop.iter)
        ready = environment.from_string(Joining().visit(tree))
        first, second = (bounded(ready.generate()) for _ in range(2))
    except TemplateSyntaxError as error:
        raise RuleSyntaxError(
            f"template: {error.message}", file=file, line=error.lineno or 1, column=1, hint=_HINT
        ) from None
    except HexlogicError:
        raise
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
        what = str(error) or type(error).__name__
        raise RuleSyntaxError(f"template: {what}", file=file, line=lines[-1] if lines else 1, column=1) from None
    if first != second:
        raise RuleSyntaxError("template: a second expansion gives another text", file=file, line=1, column=1)
    return first


def each(pattern: str, first: int, last: int) -> str:
    """The pattern for each index from `first` to `last`, joined by commas; `{next}` is the index after `{i}`.

    >>> each("adjacent(X{i},X{next})", 1, 2)
    'adjacent(X1,X2), adjacent(X2,X3)'
    """
    numbers = range(first, last + 1)
    return bounded((pattern.replace("{i}", str(i)).replace("{next}", str(i + 1)) for i in numbers), ", ")


def pairs(pattern: str, last: int) -> str:
    """The pattern for all indices `i < j <= last`, joined by commas.

    >>> pairs("X{i} != X{j}", 3)
    'X1 != X2, X1 != X3, X2 != X3'
    """
    places = ((i, j) for j in range(2, last + 1) for i in range(1, j))
    return bounded((pattern.replace("{i}", str(i)).replace("{j}", str(j)) for i, j in places), ", ")


def _words(game: Game) -> dict[str, object]:
    """The board, as `board`, and the helpers; for Hex also words of its own."""
    words: dict[str, object] = {"board": game, "each": each, "pairs": pairs}
    if not isinstance(game, Hex):
        return words

    def chain_lengths(player: Player) -> range:
        return range(game.columns if player == "red" else game.rows, chain_length_bound(game, player) + 1)

    return words | {
        "rows": game.rows,
        "columns": game.columns,
        "chain_lengths": chain_lengths,
        "longest_chain": lambda player: longest_chain_bound(game, player),
        "sweeps": lambda player: sweep_bound(game, player),
        "winning_sets": lambda player: winning_sets(game, player, limit=WINNING_SETS_LIMIT),
    }


def expand(template: str, game: Game, file: str) -> str:
    """The rule text for one board. Raises SizeError for a board too large, RuleSyntaxError for the template."""
    return expanded(template, _words(game), ("board",), file)
