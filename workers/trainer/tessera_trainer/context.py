"""What every phase of a run needs, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Sequence

import torch
import torch.nn as nn

from .batches import Loader
from .failure import Stopped
from .job_dir import Heartbeat, JobDir
from .ranks import Ranks
from .snapshot import Snapshot
from .stop import StopFlag


@dataclass
class Context:
    spec: dict[str, Any]
    job: JobDir
    ranks: Ranks
    stop: StopFlag
    device: torch.device
    snapshot: Snapshot
    loader: Loader
    net: nn.Module
    heartbeat: Heartbeat

    @property
    def channels(self) -> int:
        """Values a mask can have; none for the baseline."""
        model = self.spec["model"]
        if model["arch"] == "baseline":
            return 0
        return 1 + (len(self.snapshot.classes) if model["level"] == "object" else len(self.snapshot.part_class))

    @property
    def batch_size(self) -> int:
        """Of one rank, outside training."""
        return max(1, self.loader.batch_size // self.ranks.world)

    def check(self) -> None:
        """For inner loops. Several ranks can only leave where they all agree."""
        if self.ranks.world == 1:
            self.stop.check()

    def shares(self, rows: Sequence[int], size: int) -> Iterator[list[int]]:
        """This rank's batches of rows, an empty one where the others have more; all leave together when one is asked."""
        rounds = -(-len(rows) // (size * self.ranks.world))
        for index in range(rounds):
            if self.ranks.any(self.stop.asked):
                raise Stopped
            start = (index * self.ranks.world + self.ranks.rank) * size
            yield list(rows[start : start + size])
