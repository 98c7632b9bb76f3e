"""The files of the page, held in memory and served as they are."""

import hashlib
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Final, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

_KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
PAGES: Final = {"/": "index.html", "/docs": "docs.html"}


class _File(NamedTuple):
    content: bytes
    kind: str
    etag: str


def page_routes() -> APIRouter:
    """`/`, `/docs`, and what they are made of under `/page/`."""
    router = APIRouter(include_in_schema=False)
    folder = files(__package__) / "page"
    held = {each.name: _held(each.name, each.read_bytes()) for each in folder.iterdir() if each.is_file()}
    shown = {f"/page/{name}": file for name, file in held.items() if not name.endswith(".html")}
    for path, file in (shown | {path: held[name] for path, name in PAGES.items()}).items():
        router.add_api_route(path, _serving(file), methods=["GET", "HEAD"], response_class=Response)
    return router


def _held(name: str, content: bytes) -> _File:
    kind = _KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return _File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"')


def _serving(file: _File) -> Callable[[Request], Awaitable[Response]]:
    async def serving(request: Request) -> Response:
        headers = {"ETag": file.etag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        return Response(file.content, headers=headers, media_type=file.kind)

    return serving
