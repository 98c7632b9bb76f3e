"""What labels cover, as a table."""

from rich import box
from rich.console import Console
from rich.table import Table

from utterly.labels.coverage import Coverage, Says


def show_coverage(coverage: Coverage) -> None:
    """Print the table, and how the labels were made, to the output stream."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.print(coverage_table(coverage))
    console.print(coverage.settings, style="dim", soft_wrap=True)


def coverage_table(coverage: Coverage) -> Table:
    """Counts with their shares: of dialogues, then of phrases, then of words."""
    table = Table("", "count", "share", box=box.SIMPLE_HEAD, show_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    phrases, words = coverage.phrases.total(), coverage.copied_words + coverage.rule_words
    sections = (
        (
            "dialogues",
            coverage.dialogues,
            {
                "covered: the script gives the target": coverage.covered,
                "free of unaligned phrases": coverage.free_of_unaligned,
            },
        ),
        ("phrases", phrases, {f"said by {kind}": coverage.phrases[kind] for kind in Says}),
        ("phrases by slots", phrases, {str(slots): count for slots, count in sorted(coverage.slots.items())}),
        ("words added", words, {"copied": coverage.copied_words, "of rules": coverage.rule_words}),
    )
    for name, total, parts in sections:
        table.add_row(name, f"{total:,}", "")
        for part, count in parts.items():
            table.add_row(f"  {part}", f"{count:,}", f"{count / max(total, 1):.2%}")
        table.add_section()
    table.add_row("words added per phrase", f"{coverage.words_per_phrase:.2f}", "")
    return table
