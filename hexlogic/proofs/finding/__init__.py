"""Bridges found by program: what two rule sets have to do with each other, proposed on samples and proved by induction.

samples      least models of the joint program on random positions; a claim that fails on one of them is dropped
saturation   what rules derive from a frozen body, with the derivations
search       the claims that the open conclusions ask for
"""
