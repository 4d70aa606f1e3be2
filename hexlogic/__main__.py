"""The command `hexlogic`, which is also `python -m hexlogic`: Ctrl-C has a handler before the rest is imported."""

import signal

from hexlogic.process.signals import end_at_once

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, end_at_once)

from hexlogic.cli import main

if __name__ == "__main__":
    main()
