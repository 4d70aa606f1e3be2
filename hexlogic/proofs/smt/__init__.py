"""Proofs by other provers: rules as first-order problems, in SMT-LIB and TPTP, asked of cvc5 and z3."""
