"""How good rewrites are: BLEU, ROUGE, exact match, restoration, roles; each score with the settings that made it.

`evaluate` scores one system, `compare` two, `score_files` one from files; `Mode` is how text is split into words.
Importing this needs only numpy; spaCy and sacreBLEU (extra `metrics`) are imported when a mode needs them.
"""

from utterly.metrics.compare import Comparison, Difference, compare
from utterly.metrics.files import FileScores, Predictions, score_files
from utterly.metrics.measure import Interval, Score, Settings
from utterly.metrics.report import Report, evaluate
from utterly.metrics.words import Mode

__all__ = [
    "Comparison",
    "Difference",
    "FileScores",
    "Interval",
    "Mode",
    "Predictions",
    "Report",
    "Score",
    "Settings",
    "compare",
    "evaluate",
    "score_files",
]
