"""Unification of terms without arithmetic."""

from __future__ import annotations

from hexlogic.language.homomorphism import Binding
from hexlogic.language.syntax import Function, Term, Variable
from hexlogic.language.walk import variables


def resolve(term: Term, binding: Binding) -> Term:
    """The term with its bound variables replaced, and those of what replaces them."""
    match term:
        case Variable() if term in binding:
            return resolve(binding[term], binding)
        case Function(name, arguments):
            return Function(name, tuple(resolve(argument, binding) for argument in arguments))
        case _:
            return term


def unify(left: Term, right: Term, binding: Binding) -> bool:
    """Extend the binding to the most general one that makes the terms equal; False when there is none.

    Variables of the left term are replaced first. Two different names are never made equal, though both may be the same
    `#const`.
    """
    left, right = resolve(left, binding), resolve(right, binding)
    match left, right:
        case _ if left == right:
            return True
        case Variable(), _ if left not in variables(right):
            binding[left] = right
            return True
        case _, Variable() if right not in variables(left):
            binding[right] = left
            return True
        case Function(name, parts), Function(other, others) if name == other and len(parts) == len(others):
            return all(unify(one, two, binding) for one, two in zip(parts, others, strict=True))
        case _:
            return False
