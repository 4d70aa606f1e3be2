"""The passes: `Program -> Program` transformations that keep the answers, and pipelines of them."""

from hexlogic.language.passes.base import Pass, Pipeline, Step, load_pass, pass_names

__all__ = ["Pass", "Pipeline", "Step", "load_pass", "pass_names"]
