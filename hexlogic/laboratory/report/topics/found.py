"""Programs that a search found: a graph whose nodes are programs and whose arrows are proved, and the text of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hexlogic.laboratory.report.document import (
    TEMPLATES,
    Block,
    Column,
    Command,
    Drawing,
    Entry,
    Heading,
    Listing,
    make_table,
)
from hexlogic.laboratory.report.entries import slug
from hexlogic.laboratory.report.formatting import counter_name, factor, game_title
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results
from hexlogic.process.files import load_template

if TYPE_CHECKING:
    from hexlogic.proofs.finding.record import StoredSearch
    from hexlogic.proofs.finding.reformulations import Reformulation

_DEEPEST = 12  # Indents at most


def _answer(results: Results, searches: Sequence[StoredSearch]) -> PageAnswer:
    return PageAnswer(" ".join(map(_finding, searches)), [block for search in searches for block in _search(search)])


def _finding(search: StoredSearch) -> str:
    if not search.found:
        return f"`{search.name}`: nothing cheaper was found; {search.end}."
    best = search.found[0]
    times = _factor(search.given, best.cost)
    where = f"every board of {game_title(search.game)}" if search.game else "every set of input facts"
    proved = f"equal on {where}" if best.proved else f"equal on {where} where the lemmas hold"
    gain = f"{times} less" if times else "less"
    return f"`{search.name}`: `{best.name}` needs {gain} ({_cost(best.cost)}), proved {proved}."


def _search(search: StoredSearch) -> Iterator[Block | None]:
    name, programs = _name(search), (*search.found, *search.between)
    yield Heading(f"From {search.name}")
    template = load_template(TEMPLATES / "graph.svg.html.j2")
    graph = template.render(rows=list(_rows(search)), anchor=name, name=search.name)
    yield Drawing(f"{name}-graph", f"Programs by move, counter and proof, from {search.name}", graph)
    yield make_table(name, f"Found from {search.name}", _columns(search), programs) if programs else None
    options = f" --engine {search.engine}" + (f" --game {search.game}" if search.game else "")
    yield Command(f"hexlogic reformulate {search.name}{options} --out DIR")
    yield _listing(f"{name}-given", search.name, f"Given: {_cost(search.given)}.", search.text)
    for number, program in enumerate(programs):
        origin = f"From {program.parent} by {program.move}: {program.words}"
        caption = f"{origin}. {_cost(program.cost)}. {program.sentence}."
        yield _listing(f"{name}-{number}", program.name, caption, program.text)
    for number, program in enumerate(programs):
        title = f"Why {program.name} is equal to {search.name}"
        yield _listing(f"{name}-{number}-bridge", title, program.sentence + ".", program.bridge, long=True)


def _listing(name: str, title: str, caption: str, text: str, long: bool = False) -> Listing:
    lines = tuple(f"  {line}" for line in text.strip().splitlines())
    return Listing(name, title, caption.replace("`", ""), lines, long)


def _name(search: StoredSearch) -> str:
    return slug(search.file.removesuffix(".json"))


def _cost(cost: dict[str, int | str]) -> str:
    counts = (f"{value:,} {counter_name(name)}" for name, value in cost.items() if isinstance(value, int))
    return next(counts, "not counted")


def _factor(before: dict[str, int | str], after: dict[str, int | str]) -> str:
    """How many times the counter of the search fell; empty where it could not count both."""
    more, less = (next(iter(cost.values()), "") for cost in (before, after))
    return factor(more / less) if isinstance(more, int) and isinstance(less, int) and more > 0 < less else ""


def _columns(search: StoredSearch) -> Sequence[Column[Reformulation]]:
    def count(name: str) -> Column[Reformulation]:
        def entry(program: Reformulation) -> Entry:
            value = program.cost.get(name)
            return Entry(f"{value:,}" if isinstance(value, int) else str(value or ""), value)

        return Column(slug(name), counter_name(name), entry, numeric=True)

    costs = next((program.cost for program in (*search.found, *search.between)), {})
    return (
        Column("program", "program", lambda program: program.name),
        Column("from", "from", lambda program: program.parent),
        Column("move", "move"),
        Column("factor", "costs less by", lambda program: _factor(search.given, program.cost)),
        *map(count, costs),
        Column("proved", "proved", lambda program: "yes" if program.proved else "with lemmas"),
    )


def _rows(search: StoredSearch) -> Iterator[dict[str, object]]:
    """The text that was given, and each program below the one that it was made from, the cheapest first; below the text
    too where no record holds that one. An arrow's label: the move, how many times cheaper, whether it is proved."""
    programs = (*search.found, *search.between)
    costs = {program.name: program.cost for program in programs} | {search.name: search.given}
    waiting, path = list(enumerate(programs)), [(search.name, 0)]
    yield {"name": search.name, "anchor": f"{_name(search)}-given", "cost": _cost(search.given), "depth": 0}
    while waiting:
        name, above = path[-1]
        below = [item for item in waiting if item[1].parent == name]
        if not below and len(path) == 1:
            left = {program.name for _, program in waiting}
            below = [item for item in waiting if item[1].parent not in left] or waiting[:]
        if not below:
            path.pop()
            continue
        number, program = below[0]
        waiting.remove(below[0])
        move = program.move + ("" if program.parent in costs else f" of {program.parent}")
        times = _factor(costs.get(program.parent, {}), program.cost)
        yield {
            "name": program.name,
            "anchor": f"{_name(search)}-{number}",
            "cost": _cost(program.cost),
            "depth": min(len(path), _DEEPEST),
            "above": above,
            "label": ", ".join(filter(None, (move, times, "proved" if program.proved else "lemmas"))),
        }
        path.append((program.name, len(programs) - len(waiting)))


QUESTION = PageQuestion(
    name="found",
    title="Found by machine",
    text="Which programs did the machine find?",
    order=62,
    find=lambda results: results.searches,
    answer=_answer,
    how="hexlogic reformulate clusters --out DIR",
)
