"""Work for clients that may go away before it is done."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

Answer = TypeVar("Answer")


async def while_there(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """What `work` gives. It is cancelled, and `ClientDisconnect` raised, when its client goes away."""
    working = asyncio.create_task(work)
    leaving = asyncio.ensure_future(request.receive())  # after the body nothing else can come
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
