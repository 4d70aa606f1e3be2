"""The text of each rule set that the records name: where every name in the report leads to."""

from collections.abc import Sequence

from hexlogic.laboratory.records.types import BASELINES, PositionsRun, Run
from hexlogic.laboratory.report.document import Listing
from hexlogic.laboratory.report.entries import slug
from hexlogic.laboratory.report.reasons import find_rules
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results


def rule_sets(results: Results) -> dict[str, set[str]]:
    """The names of all rule sets that were measured, sorted, each with the hashes of its texts; no names of files."""
    texts: dict[str, set[str]] = {}
    for suite in results.suites:
        asked: list[Run | PositionsRun] = [*suite.runs, *suite.positions]
        named = [(run.rule_set, run.rule_set_hash) for run in asked]
        sheets = (run for run in suite.playings if run.rows is not None and run.reasoner not in BASELINES)  # no files
        named += [(run.sheet, run.sheet_hash) for run in sheets]
        for name, text_hash in named:
            texts.setdefault(name, set()).add(text_hash)
    return dict(sorted(texts.items()))


def _answer(results: Results, texts: dict[str, set[str]]) -> PageAnswer:
    known = [rules for name in texts if (rules := find_rules(name)) is not None]
    sheets = {run.sheet_hash for suite in results.suites for run in suite.playings}
    blocks = []
    for rules in known:
        hashes = texts[rules.name] - sheets  # a sheet is made of the rules, and has a hash of its own
        changed = bool(hashes) and rules.hash not in hashes
        says = [rules.idea, rules.caveat, "the text has changed since it was measured" if changed else ""]
        lines = tuple(f"  {line}" for line in rules.text.partition("\n\n")[2].strip().splitlines())
        caption = "; ".join(filter(None, says)) + "."
        blocks.append(Listing(f"rules-{slug(rules.name)}", rules.name, caption, lines))
    unknown = [name for name in texts if name not in {rules.name for rules in known}]
    finding = f"{len(texts)} rule sets were measured" if len(texts) > 1 else "One rule set was measured"
    return PageAnswer(finding + (f"; not known here: {', '.join(unknown)}." if unknown else "."), blocks)


def names(blocks: Sequence[object]) -> list[str]:
    """The names whose text stands in a listing, the longest first."""
    titles = [block.title for block in blocks if isinstance(block, Listing) and block.name.startswith("rules-")]
    return sorted(titles, key=lambda name: (-len(name), name))


QUESTION = PageQuestion(
    name="rules",
    title="Rules",
    text="What do the rule sets say?",
    order=25,
    find=rule_sets,
    answer=_answer,
    how="hexlogic rules list",
)
