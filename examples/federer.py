"""The example of the HCT paper: two edits rewrite a question, and each edit says where its words come from."""

from utterly import Dialogue, Edit, EditScript, Rule, Span, explain

DIALOGUE = Dialogue.of(
    [
        "Why did Federer withdraw from the tournament?",
        "He injured his back in yesterday's match.",
        "Did he have any other injuries?",
    ]
)
SCRIPT = EditScript.from_changes(
    DIALOGUE,
    [
        (1, Edit(keep=False, rule=Rule.parse("_"), spans=(Span(turn=0, start=2, stop=3),))),
        (6, Edit(keep=True, rule=Rule.parse("besides _"), spans=(Span(turn=1, start=2, stop=4),))),
    ],
)


def main() -> None:
    print("The dialogue")
    for number, turn in enumerate([*DIALOGUE.context, DIALOGUE.source], start=1):
        print(f"  {number}  {turn.text}")
    print("\nIts last turn, rewritten to stand on its own")
    print(f"     {SCRIPT.apply()}")
    print("\nHow: one line per edit; all other words are kept")
    for line in explain(SCRIPT).splitlines():
        print(f"     {line}")


if __name__ == "__main__":
    main()
