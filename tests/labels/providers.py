"""Syntax providers, loaded once for all tests."""

from functools import cache

from utterly.labels.syntax import load_syntax

provider = cache(load_syntax)
