"""The rewriter over HTTP: a server with a page to try it on, and a client.

Importing this folder is light. `running.serve` needs the extra `serve`, `client.Client` the extra `client`.
"""
