"""The module of a sheet: a function for each phase of its rules, each test, and each change of the state."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.forward import memory, relation_code
from hexlogic.ggp.forward.llvm_code import GIVEN, MEMORY, LlvmFunction
from hexlogic.ggp.forward.memory import Relation, Relations
from hexlogic.ggp.forward.pairs import possible_terms
from hexlogic.ggp.forward.relation_code import RelationCode
from hexlogic.ggp.forward.rule_code import NOTHING, RuleCode, beginning, in_order
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Literal, Predicate, Rule


def sheet_code(opened: OpenedSheet, relations: Relations, sizes: Statistics, *, is_counted: bool) -> str:
    """The text of a module, to be completed by `with_constants`. It has a function `phase_K` for each phase, `insert_R`
    (R: the address of the record) for each relation of facts and moves, and each that no state changes, which inserts
    the tuple in the scratch, `advance` and `empty`. With `is_counted` it is told when the budget is spent. Facts that
    no state changes are left out."""
    module = _Module(opened, relations, sizes, is_counted)
    for predicate in relations.tested:
        module.write_test(predicate)
    kept = module.write_kept()
    for number, phase in enumerate(opened.phases):
        module.write_phase(number, phase)
    drops = {true: None if gone is None else relations.of(gone) for true, gone in opened.drops.items()}
    state = [(relations.of(true), relations.of(opened.pairs[true]), drops.get(true)) for true in opened.state]
    following = {relation.predicate for _, relation, _ in state}
    derived = {predicate for phase in opened.phases[1:] for component in phase for predicate in component} - following
    emptied = map(relations.of, sorted({*derived, *opened.done} - relations.tested.keys() - {*opened.kept}))
    static = {predicate for component in opened.phases[0] for predicate in component if predicate in relations}
    coming = {relations.of(true) for true in opened.drops}
    losing = dict.fromkeys(relation for relation in (*(true for true, *_ in state), *kept) if relation.is_dense)
    changes = relation_code.state_change_functions(state, list(emptied), coming, kept, module.readers, losing)
    tries = [(relations.of(done), opened.tries[legal]) for done, legal in opened.pairs.items() if legal in opened.tries]
    functions = [
        relation_code.entry_function(),
        *(relation_code.put_function(relation, is_losing=relation in losing) for relation in relations),
        *(
            relation_code.put_function(each, is_losing=each in losing, is_asked=True)
            for each in relations
            if each.is_asked
        ),
        *(relation_code.insert_function(relations.of(each)) for each in sorted({*opened.inputs, *static})),
        *module.functions,
        *(
            relation_code.try_function(done, relations.tests[may], possible_terms(opened.types, may))
            for done, may in tries
        ),
        *changes,
    ]
    return "\n".join(["!0 = !{}", *map(str, functions)])


def with_constants(text: str, wide: NDArray[np.int64]) -> str:
    """A module with its constants, as the memory is laid out."""
    return re.sub(r"@word(\d+)", lambda word: str(wide[int(word[1])]), text)


class _Module:
    """The functions of phases being written."""

    def __init__(self, opened: OpenedSheet, relations: Relations, sizes: Statistics, is_counted: bool) -> None:
        self._opened, self._relations, self._sizes, self._is_counted = opened, relations, sizes, is_counted
        self.functions: list[LlvmFunction] = []
        self.readers: dict[Relation, list[tuple[str, bool]]] = {}
        """By relation: the functions of rules of kept views that read it, and whether they want what is there."""

    def write_phase(self, number: int, components: Sequence[frozenset[Predicate]]) -> None:
        """`phase_K`: the rules of components that do not depend on each other at a time, then the fixed points of those
        that are recursive."""
        code = RelationCode(f"void @phase_{number}({MEMORY})")
        if number == memory.LOOK:
            code.set_wide(memory.LISTED, int(not self._opened.tries))
        for together in self._levels(components):
            rules: list[Rule] = []
            fixed_points: list[dict[Predicate, list[str]]] = []
            for component in together:
                recursive: dict[Predicate, list[str]] = {}
                for rule in chain.from_iterable(map(self._definitions, sorted(component))):
                    if number == 0 and (rule.is_fact or self._relations.statics.tuples):
                        continue
                    inside = [
                        (place, item.atom.predicate)
                        for place, item in enumerate(rule.body)
                        if isinstance(item, Literal) and item.positive and item.atom.predicate in component
                    ]
                    for place, given in inside:
                        recursive.setdefault(given, []).append(self._write_rule(rule, place))
                    if not inside:
                        rules.append(rule)
                fixed_points.append(recursive)
            for name in self._write_rules(rules):
                code.do(f"call void @{name}({GIVEN})")
            for recursive in filter(None, fixed_points):
                self._iterate(code, {self._relations.of(given): names for given, names in recursive.items()})
        self.functions.append(code.end())

    def _definitions(self, predicate: Predicate) -> Sequence[Rule]:
        """The rules of a relation, in the order of the sheet; none where it is a test, or kept."""
        is_derived = predicate not in self._relations.tested and predicate not in self._opened.kept
        return self._opened.program.definitions.get(predicate, ()) if is_derived else ()

    def _levels(self, components: Sequence[frozenset[Predicate]]) -> Iterable[list[frozenset[Predicate]]]:
        """The components, each in the first group that comes after all it depends on; tests and kept views add
        no group."""
        levels: dict[Predicate, int] = {}
        groups: defaultdict[int, list[frozenset[Predicate]]] = defaultdict(list)
        for component in components:
            rules = chain.from_iterable(map(self._opened.program.defining, component))
            below = {item.atom.predicate for rule in rules for item in rule.literals} - component
            level = max((levels.get(predicate, 0) for predicate in below), default=0)
            groups[level].append(component)
            is_derived = not component <= {*self._relations.tested, *self._opened.kept}
            levels |= dict.fromkeys(component, level + is_derived)
        return [groups[level] for level in sorted(groups)]

    def _write_rules(self, rules: Iterable[Rule]) -> Iterator[str]:
        """The names of the functions of rules: one for those whose joins begin with the same literal; of a test, one
        for those whose heads are alike."""
        groups: defaultdict[object, dict[Rule, Rule]] = defaultdict(dict)
        for rule in rules:
            made = in_order(rule, self._sizes, self._relations.tested)
            is_test = made.conclusion.predicate in self._relations.tested
            groups[made.head if is_test else beginning(made, made.body)].setdefault(made, rule)
        for shared in groups.values():
            yield self._write_rule(next(iter(shared)), None, shared=shared)

    def write_kept(self) -> list[Relation]:
        """The functions of kept views, and `keep`, which derives them in a new state; their relations, and those that
        note what changes."""
        definitions, relations = self._opened.program.definitions, self._relations
        keep = RelationCode(f"void @keep({MEMORY})")
        for predicate in self._opened.kept:
            relations.counts(predicate)
            for rule in definitions.get(predicate, ()):
                literals = [(place, item) for place, item in enumerate(rule.body) if isinstance(item, Literal)]
                read = [(place, item) for place, item in literals if self._is_changing(item.atom.predicate)]
                for place, item in read:
                    readers = self.readers.setdefault(relations.of(item.atom.predicate), [])
                    readers.append((self._write_rule(rule, place, is_kept=True), item.positive))
                if not any(item.positive and item.atom.predicate in self._opened.kept for _, item in read):
                    keep.do(f"call void @{self._write_rule(rule, None, is_kept=True)}({GIVEN}, i64 1)")
        kept = list(map(relations.of, self._opened.kept))
        noted = {relation: relations.noting(relation.predicate) for relation in kept if relation in self.readers}
        if kept:
            keep.do(f"call void @settle({GIVEN})")
            self.functions.append(relation_code.settle_function(list(noted.items())))
        self.functions.append(keep.end())
        for relation in kept:
            self.functions.append(relation_code.count_function(relation, noted.get(relation)))
        for relation, readers in self.readers.items():
            self.functions += relation_code.change_functions(relation, readers)
        return [*kept, *noted.values()]

    def _is_changing(self, predicate: Predicate) -> bool:
        return predicate in self._opened.state or predicate in self._opened.kept

    def write_test(self, predicate: Predicate) -> None:
        """The function that tells whether a tuple of the relation is derived."""
        arguments = "".join(f", i64 %a{column}" for column in range(predicate.arity))
        code = LlvmFunction(f"internal i64 @{self._relations.tests[predicate]}({MEMORY}{arguments})")
        for place, name in enumerate(self._write_rules(self._opened.program.defining(predicate))):
            found = code.let(f"call i64 @{name}({GIVEN}{arguments})")
            code.branch(code.differ(found, 0), "there", f"not{place}")
            code.block(f"not{place}")
        code.do("ret i64 0")
        code.block("there")
        code.do("ret i64 1")
        self.functions.append(code)

    def _write_rule(
        self, rule: Rule, given: int | None, *, shared: Mapping[Rule, Rule] = NOTHING, is_kept: bool = False
    ) -> str:
        """The name of the function of a rule, or of those that are `shared`."""
        name, relations, counted = f"rule_{len(self.functions)}", self._relations, self._is_counted
        code = RuleCode(
            name, rule, relations, self._sizes, shared=shared, given=given, is_kept=is_kept, is_counted=counted
        )
        self.functions.append(code)
        return name

    def _iterate(self, code: LlvmFunction, rules: Mapping[Relation, Sequence[str]]) -> None:
        """Take each tuple of the relations in turn until there is no new one."""
        name = next(iter(rules)).address
        code.begin(f"round{name}")
        busy = "0"
        for relation, names in rules.items():
            record = relation.address
            before = code.wide(record + memory.PROCESSED)
            code.begin(f"turn{record}")
            given = code.wide(record + memory.PROCESSED)
            is_new = code.let(f"icmp slt i64 {given}, {code.wide(record + memory.TUPLES)}")
            code.need(is_new, f"done{record}")
            code.set_wide(record + memory.PROCESSED, code.add(given, 1))
            for function in names:
                code.do(f"call void @{function}({GIVEN}, i64 {given})")
            code.jump(f"turn{record}")
            code.block(f"done{record}")
            busy = code.add(busy, code.let(f"sub i64 {given}, {before}"))
        code.branch(code.differ(busy, 0), f"round{name}", f"fixed{name}")
        code.block(f"fixed{name}")
