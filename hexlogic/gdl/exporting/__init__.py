"""Export: rule sets of a connection game as complete sheets for general game players.

>>> from hexlogic.games import Hex
>>> from hexlogic.rulesets import load_rule_set
>>> sheet = export_sheet(load_rule_set("follow-line-tabled"), Hex(2, 2))
>>> print(sheet.program.rules[7])
legal(P,place(X)) :- true(control(P)), cell(X), not taken(X).
"""

from hexlogic.gdl.exporting.sheet import Sheet, export_sheet

__all__ = ["Sheet", "export_sheet"]
