"""The topics of a report, one module each: with its page, its section or both."""
