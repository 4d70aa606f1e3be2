"""Predicting the winner of Hex positions: symbols, data, a Tsetlin machine, and its clauses proved as rules.

Needs the extra `predict` (green-tsetlin and scikit-learn) for training and for the peers of an evaluation.
"""
