"""RaST: the single-span tagger, MST with at most one span a word."""

from typing import Any

from utterly.networks.mst import Mst


class Rast(Mst):
    """The paper's baseline: MST with l = 1."""

    kind = "rast"

    def __init__(self, network: Any, *, max_slots: int = 1) -> None:
        super().__init__(network, max_slots=min(max_slots, 1))
