"""How much code to read to follow one rewrite: its functions in the order of their first call, and their files.

python -m benchmarks.reading_path

Comprehensions and lambdas are not counted, and caches are warm. A switch is a step to a function in another file.
"""

import sys
from itertools import groupby
from types import CodeType, FrameType

from utterly import Rewriter

TURNS = ["Who is Federer?", "A player.", "Is he Swiss?"]


def called(rewriter: Rewriter) -> list[tuple[str, str]]:
    """The file and name of each of our functions that a rewrite calls, in the order of their first calls."""
    seen: dict[CodeType, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "/utterly/" in frame.f_code.co_filename and not frame.f_code.co_name.startswith("<"):
            seen.setdefault(frame.f_code)

    sys.setprofile(note)
    rewriter.rewrite(TURNS)
    sys.setprofile(None)
    return [(code.co_filename.split("/utterly/")[-1], code.co_qualname) for code in seen]


def main() -> None:
    rewriter = Rewriter.load("en")
    rewriter.rewrite(TURNS)
    path = called(rewriter)
    stretches = [(file, [name for _, name in names]) for file, names in groupby(path, key=lambda call: call[0])]
    for file, names in stretches:
        print(f"{file}: {', '.join(names)}")
    print(f"{len({file for file, _ in path})} files, {len(stretches) - 1} switches, {len(path)} functions")


if __name__ == "__main__":
    main()
