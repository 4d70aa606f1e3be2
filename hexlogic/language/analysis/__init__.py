"""Analyses: questions about a program that change nothing."""
