"""The sections of a report, one module each; a module that defines `SECTION` is found by itself."""
