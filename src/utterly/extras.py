"""Optional dependencies: import one, or say which extra installs it."""

from importlib import import_module
from typing import Any

from utterly.errors import MissingExtraError


def require(module: str, *, extra: str) -> Any:
    """Import `module`; if it is missing, name the extra that installs it.

    >>> require("json", extra="metrics").dumps([1])
    '[1]'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name and module.split(".")[0] != missing.name.split(".")[0]:
            raise  # the package is installed but broken: its own message says more
        raise MissingExtraError(module.split(".")[0], extra) from None


def require_all(*modules: str, extra: str) -> None:
    """Check that all modules are installed, before importing one of ours that needs them."""
    for module in modules:
        require(module, extra=extra)
