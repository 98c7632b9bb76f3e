"""Dialogues that arrive together are rewritten together, one alone at once, and none is lost."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import pytest

from utterly.dialogues.dialogue import Dialogue
from utterly.rewriter import Rewrite, RewriteOptions
from utterly.server.problems import Problem
from utterly.server.queue import RewriteFailedError, RewriteQueue

OPTIONS = RewriteOptions()


class Recorder:
    """Rewrites to upper case; waits until it may, and remembers what came together."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.may_go = threading.Event()
        self.may_go.set()

    def __call__(self, dialogues: Sequence[Dialogue], _options: RewriteOptions) -> Iterable[Rewrite]:
        self.batches.append([dialogue.source.text for dialogue in dialogues])
        self.may_go.wait(5)
        for dialogue in dialogues:
            source = dialogue.source.text
            if source == "bad":
                raise RuntimeError("bad")
            yield Rewrite(text=source.upper(), source=source, confidence=1.0, model="m")


def in_batches(
    test: Callable[[RewriteQueue, Recorder], Awaitable[Any]],
    *,
    model_batch: int = 4,
    max_queue: int = 8,
    timeout: float = 5,
) -> Any:
    """Run `test` with a queue of a recorder, and close it in the end."""

    async def run() -> Any:
        recorder = Recorder()
        queue = RewriteQueue(
            recorder, model_batch=model_batch, max_queue=max_queue, timeout=timeout, on_batch=lambda *_: None
        )
        queue.start()
        try:
            return await test(queue, recorder)
        finally:
            recorder.may_go.set()
            await queue.close()

    return asyncio.run(run())


def ask(queue: RewriteQueue, *texts: str, options: RewriteOptions = OPTIONS) -> "asyncio.Task[list[Rewrite]]":
    return asyncio.create_task(queue.rewrite([Dialogue.of([text]) for text in texts], options))


async def begun(recorder: Recorder, batches: int) -> None:
    while len(recorder.batches) < batches:
        await asyncio.sleep(0.001)


def test_what_arrives_while_another_is_rewritten_goes_together() -> None:
    async def test(queue: RewriteQueue, recorder: Recorder) -> None:
        recorder.may_go.clear()
        first = ask(queue, "a")
        await begun(recorder, 1)
        others = [ask(queue, text) for text in "bcdef"]
        await asyncio.sleep(0.01)
        recorder.may_go.set()
        answers = await asyncio.gather(first, *others)
        assert [answer[0].text for answer in answers] == list("ABCDEF")
        assert recorder.batches == [["a"], ["b", "c", "d", "e"], ["f"]]

    in_batches(test)


def test_one_alone_does_not_wait_for_others() -> None:
    async def test(queue: RewriteQueue, recorder: Recorder) -> None:
        seconds = []
        for _ in range(50):
            began = time.perf_counter()
            await ask(queue, "a")
            seconds.append(time.perf_counter() - began)
        assert recorder.batches == [["a"]] * 50
        assert min(seconds) < 0.003  # on a busy machine some take longer, but a wait for others would be in all

    in_batches(test)


def test_only_the_same_options_go_together_and_the_oldest_goes_first() -> None:
    async def test(queue: RewriteQueue, recorder: Recorder) -> None:
        recorder.may_go.clear()
        first = ask(queue, "a")
        await begun(recorder, 1)
        others = [
            ask(queue, "b", options=RewriteOptions(n_best=2)),
            ask(queue, "c"),
            ask(queue, "d", options=RewriteOptions(n_best=2)),
        ]
        await asyncio.sleep(0.01)
        recorder.may_go.set()
        await asyncio.gather(first, *others)
        assert recorder.batches == [["a"], ["b", "d"], ["c"]]

    in_batches(test)


def test_one_that_fails_fails_alone() -> None:
    async def test(queue: RewriteQueue, recorder: Recorder) -> None:
        recorder.may_go.clear()
        first = ask(queue, "a")
        await begun(recorder, 1)
        others = [ask(queue, text) for text in ("b", "bad", "c")]
        await asyncio.sleep(0.01)
        recorder.may_go.set()
        answers = await asyncio.gather(first, *others, return_exceptions=True)
        assert [type(answer) for answer in answers] == [list, list, RewriteFailedError, list]
        assert isinstance(answers[2], RewriteFailedError)
        assert isinstance(answers[2].__cause__, RuntimeError)

    in_batches(test)


def test_more_than_fit_are_refused_at_once() -> None:
    async def test(queue: RewriteQueue, recorder: Recorder) -> None:
        recorder.may_go.clear()
        first = ask(queue, "a")
        await begun(recorder, 1)
        waiting = [ask(queue, str(i)) for i in range(8)]
        await asyncio.sleep(0.01)
        with pytest.raises(Problem) as full:
            await ask(queue, "one more")
        assert full.value.type.code == "overloaded"
        assert full.value.headers == {"Retry-After": "1"}
        recorder.may_go.set()
        assert len(await asyncio.gather(first, *waiting)) == 9
        assert (await ask(queue, "again"))[0].text == "AGAIN"

    in_batches(test)


def test_what_cannot_be_answered_in_time_is_refused_though_there_is_room() -> None:
    async def test(queue: RewriteQueue, recorder: Recorder) -> None:
        recorder.may_go.clear()
        slow = ask(queue, "slow")
        await begun(recorder, 1)
        await asyncio.sleep(0.1)
        recorder.may_go.set()
        await slow  # so a dialogue takes 0.1 s
        recorder.may_go.clear()
        running = ask(queue, "a")
        await begun(recorder, 2)
        waiting = ask(queue, "b")
        await asyncio.sleep(0.01)
        with pytest.raises(Problem) as full:
            await ask(queue, "c")
        assert full.value.type.code == "overloaded"
        recorder.may_go.set()
        await asyncio.gather(running, waiting)

    in_batches(test, timeout=0.2)


def test_what_nobody_waits_for_any_more_is_not_rewritten() -> None:
    async def test(queue: RewriteQueue, recorder: Recorder) -> None:
        recorder.may_go.clear()
        first = ask(queue, "a")
        await begun(recorder, 1)
        gone, stays = ask(queue, "gone"), ask(queue, "stays")
        await asyncio.sleep(0.01)
        gone.cancel()
        await asyncio.sleep(0.01)
        recorder.may_go.set()
        await asyncio.gather(first, stays)
        assert recorder.batches == [["a"], ["stays"]]

    in_batches(test)


def test_closing_answers_what_still_waits() -> None:
    async def run() -> list[str]:
        recorder = Recorder()
        queue = RewriteQueue(recorder, model_batch=1, max_queue=9, timeout=5, on_batch=lambda *_: None)
        queue.start()
        recorder.may_go.clear()
        asked = [ask(queue, text) for text in "abc"]
        await begun(recorder, 1)
        recorder.may_go.set()
        await queue.close()
        return [answer[0].text for answer in await asyncio.gather(*asked)]

    assert asyncio.run(run()) == ["A", "B", "C"]
