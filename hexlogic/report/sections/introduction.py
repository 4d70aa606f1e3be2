"""What was compared, and why: two paragraphs that ask for no knowledge, and what each name stands for."""

from __future__ import annotations

from collections.abc import Callable

from hexlogic.errors import UnknownNameError
from hexlogic.report.boards import board_name, game_title
from hexlogic.report.document import Block, Bullets, Column, Entry, Text, make_table, plain
from hexlogic.report.formatting import listed, pipeline_rank
from hexlogic.report.material import Material
from hexlogic.report.section import Section
from hexlogic.rulesets import RuleSet, load_rule_set
from hexlogic.rulesets.transitions import load_transitions, transition_names
from hexlogic.runs.records import Run

__all__ = ["SECTION"]

_PASSES = {
    "ground": "`ground` (grounding) works out ahead what no stone changes, such as which cells are neighbours",
    "reorder": "`reorder` (reordering) asks first what narrows the search most",
    "prune": "`prune` (pruning) drops conditions that the others imply",
    "magic": "`magic` derives only what the question needs",
    "unfold": "`unfold` writes a rule's definition in the place where it is called",
    "project": "`project` drops what a recursion only carries along",
    "stage": "`stage` forces an order on engines that plan their own",
}


_MANY = 4


def _blocks(material: Material) -> list[Block]:
    runs = [run for suite in material.suites for run in suite.runs]
    names = sorted({run.rule_set for run in runs})
    engines = list(dict.fromkeys(engine for suite in material.suites for engine in suite.engines))
    games = sorted({run.game for run in runs})
    boards = sorted({(run.game, run.rows, run.columns) for run in runs})
    pipelines = sorted({run.pipeline for run in runs}, key=pipeline_rank)
    steps = {step.partition(":")[0] for pipeline in pipelines for step in pipeline.split(",")}
    sizes = [board_name(*board) for board in boards]
    where = f"{len(sizes)} sizes, {sizes[0]} to {sizes[-1]}" if len(sizes) > _MANY else listed(sizes)
    why = (
        f"{_about(games)} A program that plays must decide again and again whether "
        "somebody has won, and when the rules are written as logic, how they are written decides how long that takes: "
        "from microseconds to longer than anybody waits. This report says which way of writing the same rule to "
        "choose, and how much general techniques, applied by a program, save."
    )
    what = (
        f"{_count(len(names), 'reformulation')} of the win condition ({listed([f'`{name}`' for name in names])}), "
        f"{_how(pipelines)}, were given to "
        f"{_count(len(engines), 'logic engine')} ({listed(engines)}) and asked about {_tasks(runs)} on "
        f"{'a board' if len(boards) == 1 else 'boards'} of {where}. Each run was a process of its own under limits of "
        "time and memory, and every answer was compared with a referee's that shares no code with the rules. A time is "
        "the first answer in a fresh process, grounding and solving; what met a limit has a bound and no number."
    )
    said = [_PASSES[step] for step in _PASSES if step in steps]
    blocks: list[Block] = [Text(why), Text(what), *([Bullets(tuple(f"{text}." for text in said))] if said else [])]
    complete = {run.rule_set: run.complete for run in reversed(runs)}

    def stored(attribute: str) -> Callable[[str], Entry]:
        return lambda name: plain(getattr(rules, attribute) if (rules := _rule_set(name)) else "")

    def finds_all(name: str) -> Entry:
        caveat = f": {rules.caveat}" if (rules := _rule_set(name)) and rules.caveat else ""
        return plain("yes" if complete[name] else f"no{caveat}")

    columns: list[Column[str]] = [
        Column("rule_set", "reformulation", plain),
        Column("idea", "idea", stored("idea")),
        Column("complete", "finds every win?", finds_all),
        Column("source", "source", stored("source")),
    ]
    return [*blocks, make_table("reformulations", "The reformulations", columns, names)]


def _how(pipelines: list[str]) -> str:
    """What was done to the rules before they were run.

    >>> _how(["none", "ground"]), _how(["ground", "ground,reorder"]), _how(["none"])
    ('as written and after one pipeline of passes', 'after two pipelines of passes', 'as written')
    """
    passes = len([pipeline for pipeline in pipelines if pipeline != "none"])
    told = ["as written"] if "none" in pipelines else []
    return " and ".join([*told, *([f"after {_count(passes, 'pipeline').lower()} of passes"] if passes else [])])


def _about(games: list[str]) -> str:
    """What is played."""
    if games == ["hex"]:
        return (
            "In the game of Hex two players put stones on a rhombus of hexagons; red wins with a chain of red stones "
            "from left to right, blue with one from top to bottom."
        )
    names = listed([game_title(game) for game in games])
    return f"In {names} two players put stones on a board, and the first with a winning group of stones wins."


def _rule_set(name: str) -> RuleSet | None:
    """The rule set as it is now; None for one that is gone."""
    try:
        return load_transitions(name).rules if name in transition_names() else load_rule_set(name)
    except UnknownNameError:
        return None


def _tasks(runs: list[Run]) -> str:
    """What was asked about."""
    whole = {run.mode is not None for run in runs}
    return listed([words for games, words in ((False, "fixed positions"), (True, "whole games")) if games in whole])


def _count(number: int, word: str) -> str:
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
    spelled = words[number] if number < len(words) else f"{number}"
    return f"{spelled if word == 'reformulation' else spelled.lower()} {word}{'' if number == 1 else 's'}"


SECTION = Section(name="compared", title="What was compared, and why", order=10, blocks=_blocks)
