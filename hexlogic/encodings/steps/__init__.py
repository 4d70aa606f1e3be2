"""The steps for encodings: each module of this package that defines `STEP`, and the passes that look at one rule."""

from hexlogic.encodings.steps.base import Change, Step, load_step, step_names

__all__ = ["Change", "Step", "load_step", "step_names"]
