"""Encodings: programs in all of clingo's language, read and rewritten in place, with a proof or a check."""
