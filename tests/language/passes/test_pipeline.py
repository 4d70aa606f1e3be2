from __future__ import annotations

import importlib

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.language.passes import Pipeline, load_pass, pass_names


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", "none"),
        ("none", "none"),
        ("ground", "ground"),
        (" ground , reorder:stepwise,prune", "ground,reorder,prune"),
        ("reorder:bound-first", "reorder:bound-first"),
        ("ground:column+adjacent", "ground:column+adjacent"),
    ],
)
def test_pipelines_are_text(text: str, canonical: str) -> None:
    assert str(Pipeline.parse(text)) == canonical
    assert Pipeline.parse(canonical) == Pipeline.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ground,reordr", "unknown pass 'reordr' (did you mean reorder?)"),
        ("ground,,prune", "empty step in the pipeline 'ground,,prune' (for example ground,reorder:stepwise,prune)"),
        ("reorder:", "empty step in the pipeline 'reorder:' (for example ground,reorder:stepwise,prune)"),
        ("prune:hard", "the pass prune takes no option, found 'hard'"),
        ("ground:a+", "empty name in ground:a+ (for example ground:column+adjacent)"),
    ],
)
def test_what_cannot_be_carried_out_is_said(text: str, message: str) -> None:
    with pytest.raises(HexlogicError) as caught:
        Pipeline.parse(text)
    assert str(caught.value) == message


def test_every_pass_says_what_it_does() -> None:
    assert {"ground", "reorder", "prune"} <= set(pass_names())
    for name in pass_names():
        step = load_pass(name)
        assert step.name == name
        assert step.summary
        module = importlib.import_module(f"hexlogic.language.passes.{name}")
        assert "Before:" in module.__doc__
        assert "After:" in module.__doc__
