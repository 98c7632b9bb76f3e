"""`utterly serve`: the rewriter over HTTP, with a page to try it."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.options import Model, Threads


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1, local only]")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="[default: 8000]")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes, each with its models. [default: 1]")] = None,
    model: Model = None,
    threads: Threads = None,
    api_key_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Require one of the API keys in this file, one per line.")
    ] = None,
    cors_origin: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help="Allow requests from pages of this origin; repeatable.")
    ] = None,
    max_queue: Annotated[int | None, typer.Option(min=1, help="Maximum dialogues in the queue. [default: 256]")] = None,
    timeout: Annotated[float | None, typer.Option(min=0, help="Seconds per request. [default: 10]")] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error. [default: info]")] = None,
    log_text: Annotated[
        bool | None, typer.Option("--log-text/--no-log-text", help="Log what users wrote. [default: no]")
    ] = None,
) -> None:
    """Serve rewrites over HTTP, with a page to try them, until SIGTERM or Ctrl-C.

    These settings, and more, can also be environment variables: `UTTERLY_PORT`, `UTTERLY_MAX_TURNS`, ...

    Example: `utterly serve --port 8080 --workers 2`
    """
    from utterly.server.serve import serve as run
    from utterly.server.settings import ServerSettings, read_api_keys

    settings = ServerSettings.read(
        host=host,
        port=port,
        workers=workers,
        model=model,
        threads=threads,
        api_keys=read_api_keys(api_key_file) if api_key_file else None,
        cors_origins=tuple(cors_origin) if cors_origin else None,
        max_queue=max_queue,
        timeout=timeout,
        log_level=log_level,
        log_text=log_text,
    )
    run(settings)
