"""Shared by the timing scripts: a clock, and rows of a Markdown table with goals."""

import time
from collections.abc import Callable


def seconds_of(work: Callable[..., object], *arguments: object) -> float:
    began = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - began


def show_header(*about: str) -> None:
    print(*about, "\n| what | figure | goal | |\n|---|---|---|---|", sep="\n")


def show(what: str, figure: str, goal: str = "", reached: bool | None = None) -> None:
    verdict = "" if reached is None else "reached" if reached else "MISSED"
    print(f"| {what} | {figure} | {goal} | {verdict} |", flush=True)
