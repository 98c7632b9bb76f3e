"""The command `utterly`: one file a command, with what it shows.

A command only fetches, calls and shows. What takes time to import is imported in the function that needs it, so
that `--help` and a single rewrite are quick.
"""
