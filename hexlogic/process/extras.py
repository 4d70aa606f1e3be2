"""The optional parts of hexlogic: which Python modules each needs, and the command that installs them."""

from importlib.util import find_spec
from pathlib import Path

from hexlogic.errors import HexlogicError

EXTRAS: dict[str, tuple[str, ...]] = {
    "egglog": ("egglog",),
    "report": ("vl_convert",),
    "frame": ("polars",),
    "proofs": ("cvc5", "z3"),
    "predict": ("green_tsetlin", "scipy", "sklearn"),
    "cluster": ("distributed",),
    "benchexec": ("benchexec",),
    "net": ("onnxruntime",),
}
"""The modules of each extra of `pyproject.toml`."""
PACKAGE = Path(__file__).parent.parent


def installing(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install 'hexlogic[{extra}]'"


def missing_modules(extra: str) -> tuple[str, ...]:
    """The modules of an extra that are not installed here. Nothing is imported."""
    return tuple(module for module in EXTRAS[extra] if find_spec(module) is None)


def need(extra: str) -> None:
    """Raise HexlogicError, with the command to type, when a module of an extra is not installed."""
    if missing := missing_modules(extra):
        what = "is not installed" if len(missing) == 1 else "are not installed"
        raise HexlogicError(f"{' and '.join(missing)} {what}", hint=installing(extra))


def extra_of(error: ModuleNotFoundError) -> str | None:
    """The extra that has the module which an import did not find; None when it is a module of no extra.

    >>> extra_of(ModuleNotFoundError(name="scipy.stats")), extra_of(ModuleNotFoundError(name="os"))
    ('predict', None)
    """
    module = (error.name or "").partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if module in modules), None)


def remove_stale_kernels(error: ModuleNotFoundError) -> bool:
    """Remove numba's cache where an import failed for a module that is gone, which the cache may name; whether it did.
    Numba reads what is stored for a function before it sees that the function's file has changed."""
    is_own = (error.name or "").startswith(f"{PACKAGE.name}.")
    stored = list(PACKAGE.rglob("*.nb[ic]")) if is_own else []
    for path in stored:
        path.unlink(missing_ok=True)
    return bool(stored)
