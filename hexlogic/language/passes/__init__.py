"""The passes: `Program -> Program` transformations that keep the answers, and pipelines of them."""

from hexlogic.language.passes.base import Pass, load_pass, pass_names
from hexlogic.language.passes.pipeline import Pipeline, Step

__all__ = ["Pass", "Pipeline", "Step", "load_pass", "pass_names"]
