"""Proofs and refutations as text and as JSON, with the exit status they mean."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from hexlogic.cli.output import fields, put_text

if TYPE_CHECKING:
    from hexlogic.games import Game
    from hexlogic.proofs import Finding, Outcome
    from hexlogic.proofs.all_boards import Universal
    from hexlogic.proofs.matrix_file import StoredMatrix, StoredOutcome
    from hexlogic.proofs.smt.export import Checked

_MARKS = {"equal": "=", "smaller": "~", "different": "x", "unknown": "?"}


def print_outcome(outcome: Outcome, svg: str | None, as_json: bool) -> None:
    """Print what came out and draw the counter-example; anything but a proof raises `typer.Exit(1)`."""
    from hexlogic.games import draw_svg, draw_text
    from hexlogic.proofs import Proof, Refutation, Unfinished

    if as_json:
        from hexlogic.proofs.matrix_file import stored_outcome

        typer.echo(_json(stored_outcome(outcome)))
    elif svg != "-":
        typer.echo(str(outcome))
        if isinstance(outcome, Refutation):
            typer.echo(f"\n{draw_text(outcome.position)}\nthe referee: {'' if outcome.truth else 'not '}won")
        if isinstance(outcome, Unfinished):
            for line in outcome.progress:
                typer.echo(f"  {line}")
        for finding in outcome.findings:
            what = f"sets of {finding.reads[0]} stones" if len(finding.reads) == 1 else "positions"
            count = "all" if finding.positions is None else f"all {finding.positions:,}"
            typer.echo(f"  {finding.player}: {count} {what} of {finding.game}, {finding.method}")
        for finding in outcome.findings:
            typer.echo(f"  {_work(finding)}")
    if svg is not None and isinstance(outcome, Refutation):
        put_text(draw_svg(outcome.position, title=str(outcome)), svg)
    elif svg is not None:
        typer.echo("no counter-example to draw", err=True)
    if not isinstance(outcome, Proof):
        raise typer.Exit(1)


def _work(finding: Finding) -> str:
    seconds = f"{finding.ground_s + finding.solve_s:.2f} s"
    if finding.ground_rules is None:
        return f"{finding.player}: {seconds}"
    counters = f"{finding.choices:,} choices, {finding.conflicts:,} conflicts"
    return f"{finding.player}: {finding.ground_rules:,} ground rules, {counters}, {seconds}"


def print_matrix(matrix: StoredMatrix, board: Game, as_json: bool) -> None:
    """Print every pair; a rule set that is not as the registry declares it raises `typer.Exit(1)`."""
    if as_json:
        typer.echo(_json(matrix))
    else:
        _print_table(matrix, board)
    if not matrix.as_declared:
        raise typer.Exit(1)


def _json(value: StoredMatrix | StoredOutcome) -> str:
    import msgspec

    return msgspec.json.encode(value).decode()


def _print_table(matrix: StoredMatrix, board: Game) -> None:
    from hexlogic.games import draw_text

    width = max(len(row.name) for row in matrix.rule_sets)
    typer.echo(f"{board}: = equal on every position, ~ of a smaller board, x different on some, ? not settled\n")
    numbers = [str(number) for number in range(1, len(matrix.rule_sets) + 1)]
    typer.echo(" " * (width + 5) + " ".join(f"{number:>2}" for number in numbers))
    for number, row in zip(numbers, matrix.rule_sets, strict=True):
        typer.echo(f"{number:>2}  {row.name:<{width}} {' '.join(f'{_MARKS[pair]:>2}' for pair in row.pairs.values())}")
    typer.echo("")
    for row in matrix.rule_sets:
        word = "as declared" if row.as_declared else "NOT SETTLED" if row.relation == "unknown" else "NOT AS DECLARED"
        typer.echo(f"{word}: {row.summary}")
    for row in matrix.rule_sets:
        if row.outcome is not None and row.outcome.counter_example is not None:
            typer.echo(f"\n{row.name} is wrong here:\n\n{draw_text(row.outcome.counter_example.board)}", nl=False)


def print_universal(
    proofs: list[Universal], checks: list[Checked], vacuous: list[str], as_json: bool, allow_lemmas: bool
) -> None:
    """Print proofs for all boards, step by step, and what other provers made of the steps.

    One that fails, or that assumes a lemma (unless `allow_lemmas`), and a prover that does not prove a step, raise
    `typer.Exit(1)`.
    """
    agreed = not vacuous and all(checked.ok for checked in checks)
    if as_json:
        answers = [fields(check, "prover", "counts") | {"not_proved": list(check.failed)} for check in checks]
        more: dict[str, object] = {"checks": answers} if checks else {}
        more |= {"vacuous": vacuous} if checks or vacuous else {}
        data = [_universal_data(proof, agreed) | more for proof in proofs]
        typer.echo(json.dumps(data[0] if len(data) == 1 else data))
    else:
        for proof in proofs:
            for section in proof.sections:
                said = f"   % {section.words}" if section.words else ""
                why = f"   [{section.justification}]" if section.justification else ""
                typer.echo(f"{section.kind}  {section.statement}{said}{why}")
                for step in section.steps:
                    typer.echo(f"  {step}")
            if proof.tried is not None:
                typer.echo(f"\n{proof.tried}")
                if proof.tried.drawing:
                    typer.echo(f"\n{proof.tried.drawing}", nl=False)
            if proof.sections:
                typer.echo(f"\nassumed lemmas: {', '.join(proof.assumed) or 'none'}")
            typer.echo(str(proof))
        for checked in checks:
            typer.echo(str(checked))
            for failed in checked.failed:
                typer.echo(f"  not proved: {failed}")
        for words in vacuous:
            typer.echo(f"  vacuous: {words}")
    if not agreed or not all(proof.proved and (allow_lemmas or not proof.assumed) for proof in proofs):
        raise typer.Exit(1)


def _universal_data(proof: Universal, agreed: bool) -> dict[str, object]:
    """The proof as plain data. The obligations of its steps are left out: each holds all rules again.

    `proved` is true only where no lemma is assumed and every prover that was asked has `agreed`; `status` says more.
    """
    status = "proved-assuming" if proof.assumed else "proved"
    if not (proof.proved and agreed):
        status = "not-confirmed" if proof.proved else "not-proved"
    sections = [
        fields(section, "kind", "statement", "words", "justification")
        | {"steps": [fields(step, "claim", "words", "case", "ok", "note") for step in section.steps]}
        for section in proof.sections
    ]
    data = fields(proof, "left", "right", "game", "largest", "assumed", "reason")
    if proof.tried is not None:
        data["tried"] = fields(proof.tried, "boards", "positions", "unreached", "too_long", "problem")
    return {"proved": status == "proved", "status": status, **data, "sentence": str(proof), "sections": sections}
