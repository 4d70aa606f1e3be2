"""The command line: the only place that prints, exits or reads the environment.

Answers go to stdout, everything else to stderr. Exit status 0: done; 1: done, and something is wrong; 2: bad usage or
bad input, said in one line; 130, 143, 129: ended by SIGINT, SIGTERM, SIGHUP. Commands import what they need when they
run, so that `hexlogic --help` stays quick.
"""

from __future__ import annotations

import atexit
import os
import sys
from typing import Annotated, NoReturn

import typer
from typer.core import TyperGroup

from hexlogic.cli import boards, gdl, predict, rules
from hexlogic.cli.analyse import analyse
from hexlogic.cli.bench import bench
from hexlogic.cli.boards import convert
from hexlogic.cli.doctor import doctor
from hexlogic.cli.optimise import optimise
from hexlogic.cli.play import htp, play
from hexlogic.cli.prove import prove
from hexlogic.cli.reformulate import reformulate
from hexlogic.cli.report import compare, report
from hexlogic.cli.solve import solve
from hexlogic.cli.tournament import openings, tournament
from hexlogic.cli.win import win
from hexlogic.errors import HexlogicError
from hexlogic.process.extras import extra_of, installing
from hexlogic.process.signals import exit_status, interruptible
from hexlogic.process.threads import end_before_threads

__all__ = ["app", "main", "run"]


_ORDER = ["bench", "report", "compare", "rules", "boards", "win", "solve", "analyse", "prove", "optimise"]
_ORDER += ["reformulate", "gdl", "play", "tournament", "openings", "htp", "convert", "predict", "doctor", "optimize"]


class _InOrder(TyperGroup):
    """Lists the commands in the order of a session; typer alone would put groups last."""

    def list_commands(self, ctx: object) -> list[str]:
        return sorted(self.commands, key=_ORDER.index)


app = typer.Typer(
    name="hexlogic",
    cls=_InOrder,
    no_args_is_help=True,
    rich_markup_mode=None,  # rich would double the time that help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(short_help="Measure a suite and print its tables.")(bench)
app.command(short_help="Write a report from records, as a page and as Markdown.")(report)
app.command(short_help="Say what changed between two measurements, beyond noise.")(compare)
app.add_typer(rules.app, name="rules")
app.add_typer(boards.app, name="boards")
app.command()(win)
app.command(short_help="Solve a Hex position, or all openings, with a certificate.")(solve)
app.command(short_help="The virtual connections of a position, and why they hold.")(analyse)
app.command(short_help="Prove two rule sets equal, or show where they differ.")(prove)
app.command(short_help="Make any program cheaper, and say what changed and why.")(optimise)
app.command("optimize", hidden=True)(optimise)
app.command(short_help="Find cheaper programs with the same answers, and prove them.")(reformulate)
app.add_typer(gdl.app, name="gdl")
app.command(short_help="Let players play each other, and rate them.")(tournament)
app.command(short_help="Play Hex in the browser.")(play)
app.command(short_help="Find balanced openings for tournaments.")(openings)
app.command(short_help="Answer the Hex Text Protocol on stdin and stdout.")(htp)
app.command(short_help="Convert games between notations.")(convert)
app.add_typer(predict.app, name="predict")
app.command()(doctor)


def _version(wanted: bool) -> None:
    if wanted:
        import hexlogic

        typer.echo(f"hexlogic {hexlogic.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Who has won a game of Hex? Logic programs answer, and a laboratory measures how fast.

    \b
    hexlogic bench                                measure: the paper's tables beside our own
    hexlogic rules show clusters --size 9         read a reformulation
    hexlogic boards show snake                    look at a difficult board
    hexlogic win snake --rules follow-line-tabled --engine swipl
    """


# ClickException has lived in click and, since typer carries its own copy, in typer: find it where BadParameter is.
_UsageProblem: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def run(arguments: list[str] | None = None) -> int:
    """Carry out one command line (without the program's name) and return the exit status. Never raises."""
    try:
        command = typer.main.get_command(app)
        colour = False if os.environ.get("NO_COLOR") else None  # None: where the stream is a terminal
        status = command.main(args=arguments, prog_name="hexlogic", standalone_mode=False, color=colour)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except HexlogicError as error:
        return _complain(str(error), 2)
    except _UsageProblem as problem:
        if type(problem).__name__ == "NoArgsIsHelpError":  # a command group alone: its help says what there is
            print(problem.format_message() if hasattr(problem, "format_message") else problem, file=sys.stderr)
            return 2
        return _complain(_usage(problem), 2)
    except (KeyboardInterrupt, typer.Abort) as end:
        return _complain("interrupted", exit_status(end))
    except SystemExit as leaving:
        if isinstance(leaving.__cause__, KeyboardInterrupt):
            return _complain("interrupted", exit_status(leaving.__cause__))
        return leaving.code if isinstance(leaving.code, int) else 1
    except BrokenPipeError:
        # The reader has left, as `head` does. What is still buffered goes nowhere, and quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        # Whatever writes a file names it (`hexlogic.process.files`), so an error without a name is about the output.
        return _complain(f"{error.filename or 'standard output'}: {error.strerror or error}", 2)
    except ModuleNotFoundError as error:
        if (extra := extra_of(error)) is None:
            return _internal(error)
        return _complain(f"{error.name} is not installed ({installing(extra)})", 2)
    except Exception as error:
        return _internal(error)


def _internal(error: Exception) -> int:
    """An error that is ours: its traceback when it is asked for, else one line."""
    if os.environ.get("HEXLOGIC_TRACEBACK"):
        raise error
    what = f"internal error: {type(error).__name__}: {error}"
    return _complain(f"{what} (please report it; HEXLOGIC_TRACEBACK=1 shows where)", 1)


def _usage(problem: Exception) -> str:
    """What is wrong with the command line, and which help to read."""
    message: str = problem.format_message() if hasattr(problem, "format_message") else str(problem)
    context = getattr(problem, "ctx", None)
    command = context.command_path if context is not None else "hexlogic"
    return f"{' '.join(message.split()).rstrip('.')} (try: {command} --help)"


def _complain(message: str, status: int) -> int:
    """One line on stderr, whatever the message holds."""
    print(" ".join(message.splitlines()), file=sys.stderr)
    return status


def main() -> NoReturn:
    """The console script `hexlogic`."""
    status = 1
    atexit.register(lambda: end_before_threads(status))
    interruptible()
    status = run()
    sys.exit(status)
