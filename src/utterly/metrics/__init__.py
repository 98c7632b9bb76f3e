"""How good rewrites are: BLEU, ROUGE, exact match and restoration, each score with the settings that made it.

`evaluate` scores one system, `compare` two, `score_files` one or two from files, `human_agreement` people;
`Mode` says how text becomes words.
Importing this needs numpy only; spaCy and sacreBLEU (extra `metrics`) are asked for when a mode needs them.
"""

from utterly.metrics.matching import Predictions
from utterly.metrics.modes import Mode
from utterly.metrics.report import Report, evaluate, human_agreement
from utterly.metrics.score import Interval, Score, Settings
from utterly.metrics.scoring import FileScores, score_files
from utterly.metrics.significance import Comparison, Difference, PairedTest, compare

__all__ = [
    "Comparison",
    "Difference",
    "FileScores",
    "Interval",
    "Mode",
    "PairedTest",
    "Predictions",
    "Report",
    "Score",
    "Settings",
    "compare",
    "evaluate",
    "human_agreement",
    "score_files",
]
