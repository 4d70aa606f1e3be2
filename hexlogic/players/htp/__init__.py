"""The Hex Text Protocol, in the dialect of the field's programs: our players as a program, and programs as players."""
