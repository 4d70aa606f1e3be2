"""Templates: the same bytes each time, nothing of Python within reach, and bounds for loops and lengths."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hexlogic.errors import RuleSyntaxError
from hexlogic.games import Hex
from hexlogic.games.rulesets import templates
from hexlogic.games.rulesets.templates import expand
from hexlogic.process.files import rules_folder
from tests.checkout import CHECKOUT

GAME = Hex(3, 3)
DOUBLED = "{% set s = s ~ s %}"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ rows }}x{{ columns }} {{ board.columns }} {{ board.cell_name(3) }}", "3x3 3 c1"),
        ("{{ each('X{i}{next}', 1, 2) }} {{ pairs('{i}{j}', 3) }}", "X12, X23 12, 13, 23"),
        (
            "{% for x in range(1, 4) if x is odd %}{{ loop.index }}:{{ x }}{{ ',' if not loop.last }}{% endfor %}",
            "1:1,2:3",
        ),
        ("{% set n = rows * 2 - 1 %}{{ n // 2 }}{{ n % 2 }}{{ -n }}", "21-5"),
        ("{{ [3,1,2]|sort|join(',') }} {{ [3,1]|max }} {{ range(4)|sum }} {{ 'ab'[1]|upper }}", "1,2,3 3 6 B"),
        ("{{ winning_sets('red')|length }} {{ (1, 2)[0] }}", "11 1"),
        ("{# note #}{% raw %}{{ x }}{% endraw %}", "{{ x }}"),
        ("{{ each('{i.__class__}', 1, 1) }}", "{i.__class__}"),
    ],
)
def test_what_a_template_may_say(template: str, text: str) -> None:
    assert expand(template, GAME, "x.lp.j2") == text


@pytest.mark.parametrize(
    "expression",
    [
        # chance, the clock, and what differs between processes
        "[1,2]|random",
        "lipsum()",
        "cycler(1,2)",
        "joiner()",
        "now()",
        "pairs",
        "pairs ~ ''",
        "[each]|join",
        "range",
        "board",
        "board ~ ''",
        "board|string",
        "board.cell_name",
        "[board.cell_name]|join",
        "loop",
        "self",
        "self ~ ''",
        "'abc'['upper'] ~ ''",
        "[1]|map('string')|string",
        "'%s' % pairs",
        "'%s' % 1",
        "'abc'.upper ~ ''",
        "range(3) ~ ''",
        "{}.items ~ ''",
        "(1, 2).index ~ ''",
        "1 is sameas 1",
        "[1,2]|batch(1)",
        "[1,2]|reverse",
        "'a'|pprint",
        # the inside of Python
        "pairs.__globals__",
        "board.__class__",
        "board['__class__']",
        "''.__class__.__mro__",
        "().__class__",
        "'a'.format",
        "'{0.__class__}'.format(board)",
        "each|attr('__globals__')",
        "board|attr('__class__')",
        "[1]|sort(attribute='real')",
        "[board.cell_name]|map('call')",
        "board.cell_name.__func__.__globals__",
        "self._TemplateReference__context",
        "each(*[1])",
        "each(**{})",
        "each(pattern='', first=1, last=1)",
        "(each)(1)(2)",
        "[1]['append'](2)",
        "config",
        "request",
        "get_flashed_messages",
        "x.__init__",
        "(rows).__class__",
        "rows.__class__",
        # what is no text and no integer
        "1.5",
        "true",
        "none",
        "[1]",
        "unknown",
        "board.cells",
        "1 / 2",
        "namespace(a=1)",
        "dict(a=1)",
        "caller()",
        # lengths and times
        "'a' * 1000000000",
        "10 ** 10",
        "range(1000000000)",
        "range(10**9)|list",
        "each('X{i}', 1, 10000000000)",
        "range(100000)|join(each('xxxxxxxxxxxxxxx', 1, 10000))",
        "1 // 0",
        "1 % 0",
        "'a' + 'b'",
        "(" * 500 + "1" + ")" * 500,
        "[1] + [2]",
        "1 +",
        "winning_sets()",
        "sweeps(1, 2)",
        "range('a')",
        "[]|first",
        "'a'[7]",
        "'a' < 1",
    ],
)
def test_what_a_template_may_not_say(expression: str) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        expand(f"a.\n% {{% for y in range(2) %}}{{{{ {expression} }}}}{{% endfor %}}", GAME, "x.lp.j2")
    assert str(caught.value).startswith(("x.lp.j2:2:1: template: ", "x.lp.j2:1:1: template: maximum recursion"))


@pytest.mark.parametrize(
    "template",
    [
        "{% include 'x' %}",
        "{% import 'x' as x %}",
        "{% extends 'x' %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% block a %}{% endblock %}",
        "{% call each() %}{% endcall %}",
        "{% filter upper %}a{% endfilter %}",
        "{% autoescape true %}{% endautoescape %}",
        "{% if x %}",
        "{% set f = board.cell_name %}",
        "{% set f = each %}",
        "{% set board.rows = 4 %}",
        "{% for x in range(3) recursive %}{{ loop([1]) }}{% endfor %}",
        "{% debug %}",
        "{% set x = 'a'['upper'] %}{{ x() }}",
        "{% set range = 3 %}{{ range(3) }}",
        "{% do 1 %}",
        "{% break %}",
        "{% set s = 'aaaaaaaaaaaaaaaa' %}" + DOUBLED * 40 + "{{ s }}",
        "{% for a in range(9999) %}" * 3 + "{% endfor %}" * 3,
        "{% for a in range(2) %}" * 30 + "{% endfor %}" * 30,
    ],
)
def test_statements_that_a_template_may_not_have(template: str) -> None:
    with pytest.raises(RuleSyntaxError, match=r"^x\.lp\.j2:1:1: template: "):
        expand(template, GAME, "x.lp.j2")


def test_an_expansion_that_differs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter(range(9))
    words: dict[str, object] = {"next_number": lambda: next(numbers)}
    with pytest.raises(RuleSyntaxError, match="a second expansion gives another text"):
        templates.expanded("{{ next_number() }}", words, (), "x.lp.j2")


def test_templates_give_the_same_bytes_in_every_process() -> None:
    program = (
        "import hashlib, sys; from pathlib import Path; from hexlogic.games import Hex\n"
        "from hexlogic.games.rulesets.templates import expand\n"
        "for path in sorted(Path(sys.argv[1]).glob('*.j2')):\n"
        "    print(path.name, hashlib.sha256(expand(path.read_text(), Hex(4, 3), path.name).encode()).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, str(rules_folder())],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(CHECKOUT)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) > 4
