"""The command `hexlogic`, which is also `python -m hexlogic`: Ctrl-C has a handler before anything else is imported."""

import _signal  # type: ignore[import-not-found,unused-ignore]  # `signal` imports for milliseconds
import os


def _end(number: int, _frame: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(128 + number)


if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _end)
    from hexlogic.process.signals import end_at_once

    _signal.signal(_signal.SIGINT, end_at_once)

from hexlogic.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
