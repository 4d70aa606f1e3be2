"""Programs optimised on the way to clingo: for a pipe, for a `clingo.Control` and for applications of clingo and clorm.

An optimised text is kept in a folder under a hash of the given one and of what the instance says beside the values of
its facts: it serves every instance of that kind, so that only the first one waits.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

import clingo

from hexlogic.encodings.analysis import facts_and_others
from hexlogic.encodings.files import optimise_files
from hexlogic.encodings.optimising import optimise_text
from hexlogic.encodings.reading import Encoding, read_encoding
from hexlogic.language.passes.optimise import Request


def optimised(text: str, instance: str = "", *, limit_s: float = 5.0) -> str:
    """The cheapest text for a program as `clingo.Control.add` takes it, measured with the facts of an instance, which
    the new text does not have. It takes at most `limit_s` CPU seconds. Raises RuleSyntaxError.

    >>> optimised(":- at(X,C), at(Y,C), X != Y.", "{ at(1..30,1..9) }.")
    ':- at(_,C), #count { X : at(X,C) } > 1.'
    """
    return optimise_text(text, instance, limit_s=limit_s).text


def load_optimised(control: clingo.Control, files: Iterable[str], *, limit_s: float = 5.0) -> None:
    """Add the program of some files, the last an instance, to a control: in the `main` of a `clingo.Application`, or
    with a control of clorm. Raises HexlogicError."""
    control.add("base", [], text_to_ground([Path(file) for file in files], limit_s))


def text_to_ground(
    files: Sequence[Path], limit_s: float, cache: Path | None = None, tell: Callable[[str], None] = lambda _: None
) -> str:
    """One program for clingo: the first files optimised for the last one, an instance where there are several.

    `cache` is the folder for optimised texts. Raises HexlogicError.
    """
    programs, instances = list(files[:-1]) or list(files), list(files[1:])[-1:]
    encoding = read_encoding(programs)
    instance = read_encoding(instances) if instances else None
    kept = None if cache is None else cache / f"{_key(encoding, instance)}.lp"
    if kept is not None and kept.is_file():
        text = kept.read_text(encoding="utf-8")
    else:
        request = Request(instance=next(iter(instances), None), aim="solve", limit=limit_s)
        text = optimise_files(programs, request, tell).text
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_text(text, encoding="utf-8")
            part.replace(kept)
    text = encoding.runnable(text)
    return text if instance is None else f"{text}\n#program base.\n{instance.runnable(instance.text)}"


def _key(encoding: Encoding, instance: Encoding | None) -> str:
    """A hash of all that a rewriting may rest on."""
    about = [version("hexlogic"), *(source.name for source in encoding.sources), encoding.text]
    for predicates in facts_and_others(instance):
        about += ["", *sorted(map(str, predicates))]
    others = [each for each in (instance.statements if instance else ()) if not each.is_fact and each.kind != "Comment"]
    about += [str(each.node) for each in others]
    return hashlib.sha256("\0".join(about).encode()).hexdigest()
