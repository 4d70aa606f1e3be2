"""The laboratory: what is measured, the records of it, and the report made from them."""
