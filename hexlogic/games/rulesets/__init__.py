"""Read rule sets from `rules/` and instantiate them for a game and a size."""

from hexlogic.games.rulesets.registry import (
    RuleSet,
    board_rules,
    default_rule_set,
    find_rule_set,
    load_rule_set,
    position_facts,
    read_rule_set,
    rule_set_names,
    win_query,
)

__all__ = [
    "RuleSet",
    "board_rules",
    "default_rule_set",
    "find_rule_set",
    "load_rule_set",
    "position_facts",
    "read_rule_set",
    "rule_set_names",
    "win_query",
]
