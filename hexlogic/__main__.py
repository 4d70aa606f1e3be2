"""`python -m hexlogic` is the command `hexlogic`."""

from hexlogic.cli import main

if __name__ == "__main__":
    main()
