"""The program `utterly`: one file per command.

A command reads its arguments, calls the package and shows the result. Heavy imports are inside functions, to keep
`--help` and a single rewrite fast.
"""
