"""Examples in docstrings stand on the site as code; Markdown would take `>>>` for quotations."""

import re
from typing import Any, Final

from griffe import Extension, Object

_EXAMPLE: Final = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


class FenceDoctests(Extension):
    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
