"""Columns by letters: a to z, then aa."""

from __future__ import annotations


def column_name(column: int) -> str:
    """The letters of a column, counted from 1 as spreadsheets do.

    >>> [column_name(i) for i in (1, 26, 27, 52, 53)]
    ['a', 'z', 'aa', 'az', 'ba']
    """
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters
