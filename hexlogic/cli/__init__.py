"""The command line: the only place that prints, exits or reads the environment.

Answers go to stdout, everything else to stderr. Exit status 0: done; 1: done, and something is wrong; 2: bad usage or
bad input, said in one line; 130, 143, 129: ended by SIGINT, SIGTERM, SIGHUP. The module of a command is imported when
the command is called, so that `hexlogic --help` stays quick.
"""

import atexit
import os
import signal
import sys
import traceback
from typing import Annotated, ClassVar, NoReturn

import typer

from hexlogic.cli.options import LazyGroup
from hexlogic.errors import HexlogicError
from hexlogic.process.extras import extra_of, installing, remove_stale_kernels
from hexlogic.process.signals import end_at_once, exit_status, interruptible
from hexlogic.process.threads import end_before_threads

__all__ = ["app", "main", "run"]


class _Commands(LazyGroup):
    listing: ClassVar = {
        "bench": ("bench", "Measure a suite and print its tables."),
        "report": ("report", "Write a report from records, as a page and as Markdown."),
        "compare": ("report", "Say what changed between two measurements, beyond noise."),
        "rules": ("rules", "The rule sets: one win condition, written in several ways."),
        "boards": ("boards", "The named boards, and any position as a picture."),
        "win": ("win", "Say who has won a position."),
        "solve": ("solve", "Solve a Hex position, or all openings, with a certificate."),
        "analyse": ("solve", "The virtual connections of a position, and why they hold."),
        "prove": ("prove", "Prove two rule sets equal, or show where they differ."),
        "optimise": ("optimise", "Make any program cheaper, and say what changed and why."),
        "optimize": ("optimise", ""),
        "profile": ("optimise", "Say where the ground rules of a program come from."),
        "ground": ("optimise", "Ground a program, optimised on the way, for clasp."),
        "reformulate": ("reformulate", "Find cheaper programs with the same answers, and prove them."),
        "gdl": ("gdl", "Sheets for general game players."),
        "play": ("play", "Play Hex in the browser."),
        "tournament": ("tournament", "Let players play each other, and rate them."),
        "openings": ("tournament", "Find balanced openings for tournaments."),
        "htp": ("play", "Answer the Hex Text Protocol on stdin and stdout."),
        "convert": ("boards", "Convert games between notations."),
        "predict": ("predict", "Predict winners with a Tsetlin machine, and prove its clauses."),
        "doctor": ("doctor", "Say what is installed and what is missing."),
    }


app = typer.Typer(
    name="hexlogic",
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode=None,  # rich would double the time that help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def run(arguments: list[str] | None = None) -> int:
    """Carry out one command line (without the program's name) and return the exit status. Never raises."""
    try:
        interruptible()
        command = typer.main.get_command(app)
        colour = False if os.environ.get("NO_COLOR") else None  # None: where the stream is a terminal
        status = command.main(args=arguments, prog_name="hexlogic", standalone_mode=False, color=colour)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except HexlogicError as error:
        return _complain(str(error), 2)
    except typer.TyperException as problem:
        words, context = problem.format_message(), getattr(problem, "ctx", None)
        if type(problem).__name__ == "NoArgsIsHelpError":  # a command group alone: its help says what there is
            print(words, file=sys.stderr)
            return 2
        called = context.command_path if context is not None else "hexlogic"
        return _complain(f"{' '.join(words.split()).rstrip('.')} (try: {called} --help)", 2)
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
        where = error.filename or ("standard output" if _is_of_output(error) else None)
        return _complain(": ".join(filter(None, (where, error.strerror or str(error) or type(error).__name__))), 2)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError):
            if (extra := extra_of(error)) is not None:
                return _complain(f"{error.name} is not installed ({installing(extra)})", 2)
            if remove_stale_kernels(error):
                return _complain("compiled kernels of an older version were in the way: removed (run it again)", 1)
        if os.environ.get("HEXLOGIC_TRACEBACK"):
            raise
        what = f"internal error: {type(error).__name__}: {error}"
        return _complain(f"{what} (please report it; HEXLOGIC_TRACEBACK=1 shows where)", 1)


def _is_of_output(error: OSError) -> bool:
    frames = traceback.extract_tb(error.__traceback__)
    return len(frames) == 1 or any(frame.name == "echo" or "print(" in (frame.line or "") for frame in frames)


def _complain(message: str, status: int) -> int:
    """One line on stderr, whatever the message holds."""
    print(" ".join(message.splitlines()), file=sys.stderr)
    return status


def main() -> NoReturn:
    """The console script `hexlogic`."""
    status = 1
    atexit.register(lambda: end_before_threads(status))
    status = run()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)
    sys.exit(status)
