"""Tiny networks gain nothing from several threads, and tests run side by side."""

from tests.training.conftest import one_thread

__all__ = ["one_thread"]
