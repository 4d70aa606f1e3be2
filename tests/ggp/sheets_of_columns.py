"""Random sheets: small relations that states change or not, over domains that have constants in common."""

from __future__ import annotations

import random
from collections.abc import Sequence

_STATES = 8
_Kind = tuple[str, str, list[int], str]
"""What stands before the name of a relation, the name, the domain of each argument, what stands after it."""


def random_sheet(draw: random.Random, alike: int = 0) -> str:
    """A sheet of one or two roles whose games end after at most 8 states. Rules are safe and stratified; what they say
    is arbitrary: no goal may follow, or several. Up to `alike` rules follow each, which begin as it does."""
    return _Sheet(draw, alike).text()


class _Sheet:
    def __init__(self, draw: random.Random, alike: int) -> None:
        self.draw, self.alike = draw, alike
        numbers = [str(number) for number in range(1, 6)]
        self.domains = [
            numbers[: draw.randint(2, 4)],
            numbers[: draw.randint(2, 5)],
            list("abcd")[: draw.randint(2, 4)],
            ["b", "c", "1"],
        ]
        self.roles = ["w", "b"][: draw.randint(1, 2)]
        self.lines: list[str] = []

    def text(self) -> str:
        draw = self.draw
        static = self._kinds("s", "(", 3, draw.randint(1, 4), ")")
        facts = self._kinds("f", "(true (", 4, draw.randint(1, 3), "))")
        views = self._kinds("v", "(", 3, draw.randint(0, 3), ")")
        moves = self._kinds("m", "", 3, draw.randint(1, 2), "")
        for _, name, columns, _ in static:
            self.lines += {f"({name} {self._constants(columns)})" for _ in range(draw.randint(2, 8))}
        for _, name, columns, _ in facts:
            self.lines += {f"(init ({name} {self._constants(columns)}))" for _ in range(draw.randint(0, 4))}
        for number, domain in enumerate(self.domains):
            self.lines += [f"(dom{number} {constant})" for constant in domain]
        self.lines += ["(init (clock 1))", *(f"(tick {number} {number + 1})" for number in range(1, _STATES + 1))]
        known = [*static, *facts, *facts]
        for view in views:
            for _ in range(draw.randint(1, 2)):
                self._rule(f"({view[1]} {{}})", view[2], known, draw.randint(1, 3))
            known.append(view)
        for role in self.roles:
            self.lines.append(f"(legal {role} noop)")
            for _, name, columns, _ in moves:
                self._rule(f"(legal {role} ({name} {{}}))", columns, draw.choice([static, known]), draw.randint(1, 3))
            for value in (0, 50, 100):
                self._rule(f"(goal {role} {value})", [], known, draw.randint(1, 2))
        done = [(f"(does {role} (", name, columns, "))") for _, name, columns, _ in moves for role in self.roles]
        for _, name, columns, _ in facts:
            for _ in range(draw.randint(1, 2)):
                self._rule(f"(next ({name} {{}}))", columns, [*known, *done, *done], draw.randint(1, 2))
            self._frame(name, columns, [*known, *done])
        self.lines.append("(<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n))")
        self.lines.append(f"(<= terminal (true (clock {_STATES})))")
        self._rule("terminal", [], known, 2, "(true (clock 6))")
        draw.shuffle(self.lines)
        return "\n".join([*(f"(role {role})" for role in self.roles), *self.lines])

    def _kinds(self, letter: str, before: str, most: int, count: int, after: str) -> list[_Kind]:
        choices = [*range(len(self.domains)), 0, 0]
        arities = [self.draw.randint(1, most) for _ in range(count)]
        return [
            (before, f"{letter}{number}", self.draw.choices(choices, k=arity), after)
            for number, arity in enumerate(arities)
        ]

    def _constants(self, columns: Sequence[int]) -> str:
        return " ".join(self.draw.choice(self.domains[column]) for column in columns)

    def _rule(self, head: str, columns: Sequence[int], known: Sequence[_Kind], size: int, *more: str) -> None:
        """A rule with `size` positive literals, perhaps a negative one and an inequality."""
        draw, bound, body = self.draw, list[tuple[str, int]](), list(more)

        def term(domain: int, *, new: bool) -> str:
            same = [name for name, other in bound if other == domain]
            chance = draw.random()
            if same and chance < 0.6:
                return draw.choice(same)
            if not new or chance < 0.75:
                return draw.choice(self.domains[domain])
            bound.append((f"?x{len(bound)}", domain))
            return bound[-1][0]

        for _ in range(size):
            before, name, domains, after = draw.choice(known)
            body.append(f"{before}{name} {' '.join(term(domain, new=True) for domain in domains)}{after}")
        if draw.random() < 0.5:
            before, name, domains, after = draw.choice(known)
            body.append(f"(not {before}{name} {' '.join(term(domain, new=False) for domain in domains)}{after})")
        if bound and draw.random() < 0.4:
            name, domain = draw.choice(bound)
            body.append(f"(distinct {name} {term(domain, new=False)})")
        terms = []
        for domain in columns:
            if not any(other == domain for _, other in bound) and draw.random() < 0.6:
                bound.append((f"?x{len(bound)}", domain))
                body.append(f"(dom{domain} {bound[-1][0]})")
            terms.append(term(domain, new=False))
        self.lines.append(f"(<= {head.format(' '.join(terms))} {' '.join(body)})")
        there = len(bound)
        for _ in range(draw.randint(0, self.alike) if self.alike else 0):
            del bound[there:]
            terms = [term(domain, new=False) for domain in columns]
            before, name, domains, after = draw.choice(known)
            more = f"{before}{name} {' '.join(term(domain, new=True) for domain in domains)}{after}"
            self.lines.append(f"(<= {head.format(' '.join(terms))} {' '.join(body)} {more})")

    def _frame(self, name: str, columns: Sequence[int], known: Sequence[_Kind]) -> None:
        """Facts that stay but where something holds."""
        terms = [f"?z{number}" for number in range(len(columns))]
        before, other, domains, after = self.draw.choice(known)
        matching = (
            [term for term, column in zip(terms, columns, strict=True) if column == domain] or self.domains[domain]
            for domain in domains
        )
        denied = f"(not {before}{other} {' '.join(map(self.draw.choice, matching))}{after})"
        chosen = self.draw.randrange(len(columns))
        unlike = f"(distinct {terms[chosen]} {self._constants(columns[chosen : chosen + 1])})"
        condition = self.draw.choice([denied, denied, unlike, ""])
        fact = f"({name} {' '.join(terms)})"
        self.lines.append(f"(<= (next {fact}) (true {fact}) {condition})")
