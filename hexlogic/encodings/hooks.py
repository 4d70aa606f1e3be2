"""Programs optimised on the way to clingo: for a pipe, for a `clingo.Control` and for applications of clingo and clorm.

An optimised text is kept in a folder under a hash of the given one and of what the instance says beside the values of
its facts: it serves every instance of that kind, so that only the first one waits.
"""

import hashlib
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import clingo

from hexlogic.encodings.analysis import facts_and_others
from hexlogic.encodings.checking import takes_too_long
from hexlogic.encodings.clingo_jobs import spent_s
from hexlogic.encodings.limited import optimise_files
from hexlogic.encodings.optimising import optimise_text
from hexlogic.encodings.reading import Encoding, read_encoding
from hexlogic.errors import HexlogicError
from hexlogic.language.passes.request import Optimised, Request


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
    control.add("base", [], "".join(text for text, _ in texts_to_ground([Path(file) for file in files], limit_s)))


def texts_to_ground(
    files: Sequence[Path], limit_s: float, cache: Path | None = None, tell: Callable[[Optimised], None] = lambda _: None
) -> list[tuple[str, str]]:
    """One program for clingo in one or two texts, each with its character set: the first files optimised for the last
    one, an instance where there are several. `cache` is the folder for optimised texts. Raises HexlogicError."""
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
    texts = [(encoding.runnable(text), encoding.charset)]
    if instance is not None:
        texts.append((f"\n#program base.\n{instance.runnable(instance.text)}", instance.charset))
    return texts


def ground_files(
    files: Sequence[Path], limit_s: float | None, cache: Path, tell: Callable[[Optimised], None]
) -> Iterator[bytes]:
    """What clasp reads of the optimised program, in pieces. Raises HexlogicError, also where all takes longer than
    `limit_s` CPU seconds; without it, 10 are for the optimisation and grounding has no limit."""
    begin_s = spent_s()
    texts = texts_to_ground(files, 10.0 if limit_s is None else 0.7 * limit_s, cache, tell)
    with tempfile.NamedTemporaryFile(suffix=".lp") as program, tempfile.TemporaryFile() as errors:
        program.write(b"".join(text.encode(charset) for text, charset in texts))
        program.flush()
        command = [sys.executable, "-m", "clingo", "--mode=gringo", "--warn=none", program.name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as grounder:
            assert grounder.stdout is not None
            try:
                if limit_s is not None:
                    left_s = max(1, math.ceil(begin_s + limit_s - spent_s()))
                    resource.prlimit(grounder.pid, resource.RLIMIT_CPU, (left_s, left_s))
                # clasp simplifies a program of one step more
                yield grounder.stdout.readline().replace(b" incremental", b"")
                while data := grounder.stdout.read(1 << 16):
                    yield data
            except BaseException:
                grounder.kill()
                raise
        errors.seek(0)
        reason = " ".join(errors.read().decode("utf-8", "replace").split())[:300]
    if limit_s is not None and grounder.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
        raise takes_too_long(read_encoding(files), f"grounding was stopped after {limit_s:g} CPU seconds")
    if grounder.returncode:
        raise HexlogicError(f"clingo: {reason}", file=str(files[0]))


def _key(encoding: Encoding, instance: Encoding | None) -> str:
    """A hash of all that a rewriting may rest on."""
    about = [version("hexlogic"), *(source.name for source in encoding.sources), encoding.text]
    for predicates in facts_and_others(instance):
        about += ["", *sorted(map(str, predicates))]
    others = [each for each in (instance.statements if instance else ()) if not each.is_fact and each.kind != "Comment"]
    about += [str(each.node) for each in others]
    return hashlib.sha256("\0".join(about).encode()).hexdigest()
