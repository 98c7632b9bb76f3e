"""spaCy: each doc of a pipeline carries its rewrite beside its text.

Needs `pip install 'utterly[spacy]'`, which also lets spaCy find the pipe by its name.
"""

import spacy

ASKED = [
    ("How long is it?", ["Which river runs through Basel?", "The Rhine."]),
    ("Which river runs through Vienna?", []),
]


def main() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("utterly", config={"min_confidence": 0.2})
    for doc, _ in nlp.pipe(ASKED, as_tuples=True):
        print(f"{doc.text} -> {doc._.rewrite}  (confidence {doc._.rewrite_confidence:.2f})")
        for edit in doc._.rewrite_edits:
            copied = ", ".join(f"{span['text']!r} of turn {span['turn'] + 1}" for span in edit["spans"])
            print(f"  at {edit['text']!r}: insert {edit['insert']!r}, copied {copied}")


if __name__ == "__main__":
    main()
