"""Chat messages, as chat APIs pass them around, become a dialogue whose source is the last user message."""

from collections.abc import Mapping

from utterly import DialogueError, dialogue_from_messages

MESSAGES: list[Mapping[str, object]] = [
    {"role": "system", "content": "Answer in one sentence."},
    {"role": "user", "content": [{"type": "text", "text": "Which river runs through Basel?"}]},
    {"role": "assistant", "content": "The Rhine."},
    {"role": "user", "content": "How long is it?"},
]


def main() -> None:
    dialogue = dialogue_from_messages(MESSAGES)
    for turn in dialogue.context:
        print(f"context  {turn.text}")
    print(f"source   {dialogue.source.text}")

    try:
        dialogue_from_messages([{"role": "system", "content": "Be brief."}])
    except DialogueError as refused:
        print(f"refused  {refused}")


if __name__ == "__main__":
    main()
