"""Which language a dialogue is in: short turns in 26 that no model knows; English and Chinese with foreign names."""

import os
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from benchmarks.chats.chats import Chat, load_chats

from utterly.dialogues.conversation import dialogue_from
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.language import guess_language

OTHERS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
BY_SCRIPT = {"ru": "und-Cyrl", "uk": "und-Cyrl", "ar": "und-Arab", "hi": "und-Deva", "no": "da"}  # or a near relation
CHATS = load_chats()


@pytest.mark.parametrize("language", OTHERS)
def test_turns_in_other_languages_are_known_by_their_letters_and_small_words(language: str) -> None:
    found = [Dialogue.of([*OTHERS[language]["context"], turn]).language for turn in OTHERS[language]["turns"]]
    assert set(found) <= {language, BY_SCRIPT.get(language)}


@pytest.mark.parametrize("language", OTHERS)
def test_an_answer_in_english_does_not_hide_the_language_of_the_asker(language: str) -> None:
    question, turns = OTHERS[language]["context"][0], OTHERS[language]["turns"]
    answer = "The book was written by one of the most famous authors of the country, who was born there."
    assert "en" not in {Dialogue.of([question, answer, turn]).language for turn in turns}


@pytest.mark.parametrize("chat", CHATS, ids=lambda chat: chat.id)
def test_english_and_chinese_chats_are_known(chat: Chat) -> None:
    assert dialogue_from(chat.messages).language == chat.lang


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        ([], "en"),
        (["", "  "], "en"),
        (["👍 123"], "en"),
        (["ok", "iPhone 15好用吗"], "zh"),
        (["好 ok"], "zh"),
        (["what does 好 mean"], "en"),
        (["what does привет mean?"], "en"),
        (["MacBook Air M3 跟 ThinkPad X1 Carbon 哪个好"], "zh"),
        (["The Lord of the Rings 好看吗"], "zh"),
        (["鲜の味好吃吗"], "zh"),
        (["iPhone 15の値段は？"], "ja"),
        (["What does je ne sais quoi mean?", "Who said it?"], "en"),
        (["De La Soul?", "Who made the album?"], "en"),
        (["And in Łódź?", "How is the weather in Göttingen?"], "en"),
        (["play his ninth symphony", "Who was Antonín Dvořák?"], "en"),
        (["Enterprise", "Which plans do you have?"], "en"),
    ],
)
def test_the_language_is_guessed(texts: list[str], language: str) -> None:
    assert guess_language(*texts) == language


def test_a_tie_is_decided_in_the_same_way_in_every_process() -> None:
    program = "from utterly.dialogues.language import guess_language; print(guess_language('costa il libro'))"
    run = partial(subprocess.run, [sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {run(env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in "0123"} == {"ro\n"}


def test_a_very_long_text_is_not_read_to_its_end() -> None:
    assert guess_language("x" * 10_000_000 + " der die das und ist") == "en"
