"""Export: rule sets of a connection game as complete sheets for general game players.

>>> from hexlogic.games import Hex
>>> sheet = export_sheet(find_rules("follow-line-tabled", "hex"), Hex(2, 2))
>>> print(sheet.program.rules[7])
legal(P,place(X)) :- true(control(P)), cell(X), not taken(X).
"""

from hexlogic.ggp.export.sheet import Sheet, export_sheet, find_rules, sheet_rule_sets

__all__ = ["Sheet", "export_sheet", "find_rules", "sheet_rule_sets"]
