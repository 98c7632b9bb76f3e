"""The commands of `utterly`, a subject a file. A body only fetches, calls and shows.

Modules that take time to import are imported in the body that needs them, so that `--help` is quick.
"""
