"""The bundled models on five dialogues: each last turn rewritten, with its edits explained."""

from utterly import Rewriter

DIALOGUES = [
    [
        "Why did Federer withdraw from the tournament?",
        "He injured his back in yesterday's match.",
        "Did he have any other injuries?",
    ],
    ["What's the weather like in Paris?", "Sunny, 21 degrees.", "And in Oslo tomorrow?"],
    ["My order hasn't arrived.", "What is the order number?", "A-1043", "Sorry, it is late.", "Can I cancel it?"],
    ["Who wrote Dune?", "Frank Herbert.", "Thanks! How do I renew my passport?"],
    ["你喜欢周杰伦吗", "喜欢，他的歌很好听", "他最有名的歌是什么"],
]


def main() -> None:
    rewriter = Rewriter.load()
    for turns in DIALOGUES:
        result = rewriter.rewrite(turns)
        print("\n".join(f"  {turn}" for turn in turns))
        print(f"=> {result.text}")
        for line in result.explain().splitlines():
            print(f"     {line}")
        print()


if __name__ == "__main__":
    main()
