"""The chapters of a report, one module each: records in, blocks out."""

from hexlogic.report.chapters.boards import boards_chapter
from hexlogic.report.chapters.comparison import comparison_chapter
from hexlogic.report.chapters.environment import environment_chapter
from hexlogic.report.chapters.games import games_chapter
from hexlogic.report.chapters.growth import growth_chapter
from hexlogic.report.chapters.introduction import introduction_chapter
from hexlogic.report.chapters.judgement import judgement_chapter
from hexlogic.report.chapters.machines import machines_chapter
from hexlogic.report.chapters.paper import paper_chapter
from hexlogic.report.chapters.proofs import proofs_chapter
from hexlogic.report.chapters.rule_texts import rule_texts_chapter
from hexlogic.report.chapters.savings import savings_chapter
from hexlogic.report.chapters.validity import validity_chapter
from hexlogic.report.chapters.work import work_chapter

__all__ = [
    "boards_chapter",
    "comparison_chapter",
    "environment_chapter",
    "games_chapter",
    "growth_chapter",
    "introduction_chapter",
    "judgement_chapter",
    "machines_chapter",
    "paper_chapter",
    "proofs_chapter",
    "rule_texts_chapter",
    "savings_chapter",
    "validity_chapter",
    "work_chapter",
]
