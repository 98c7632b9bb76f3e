"""Docstrings as the site shows them: examples as code, because Markdown takes `>>>` for quotations.

Methods without a docstring are shown too, as their names say enough; fields are in their class's signature.
"""

import re
from typing import Any, Final

from griffe import Docstring, Extension, Object

_EXAMPLE: Final = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


class Docstrings(Extension):
    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
        elif obj.is_function or "property" in obj.labels:
            obj.docstring = Docstring("", parent=obj)
