"""Where a run is, on the disk. Written whole or not at all."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from .failure import USAGE, Failure
from .job_dir import write_atomic
from .models.build import load_tensors
from .train_step import Stepper


@dataclass
class Position:
    stage: int = 0
    epoch: int = 0
    step: int = 0  # of the epoch; all of them done means that the validation is next
    total: int = 0  # of the run
    best: dict[str, Any] | None = None  # of the stage
    waited: int = 0  # validations since
    sums: dict[str, float] = field(default_factory=lambda: {"loss": 0.0, "correct": 0.0, "n": 0.0, "steps": 0.0})

    def fresh_sums(self) -> None:
        self.sums = {"loss": 0.0, "correct": 0.0, "n": 0.0, "steps": 0.0}


class Checkpoints:
    def __init__(self, root: Path, spec_hash: str) -> None:
        self.last = root / "checkpoints" / "last.pt"
        self.folder = root / "checkpoints"
        self.spec_hash = spec_hash

    def best_of(self, stage: int) -> Path:
        """One file a stage: after a crash the next stage must not begin from its own best."""
        return self.folder / f"best-{stage}.pt"

    def save(self, stepper: Stepper, position: Position) -> None:
        value = {
            "spec": self.spec_hash,
            "position": asdict(position),
            "net": stepper.net.state_dict(),
            "optimizer": stepper.optimizer.state_dict(),
            "scaler": stepper.scaler.state_dict(),
        }
        write_atomic(self.last, lambda path: torch.save(value, path))

    def save_best(self, stepper: Stepper, position: Position) -> None:
        value = {"spec": self.spec_hash, "net": stepper.net.state_dict(), "best": position.best}
        write_atomic(self.best_of(position.stage), lambda path: torch.save(value, path))

    def restore(self, stepper: Stepper) -> Position | None:
        if not self.last.exists():
            return None
        found = load_tensors(self.last, str(stepper.device))
        if found["spec"] != self.spec_hash:
            message = "checkpoints/last.pt belongs to another spec. A changed spec is a new job in a new directory."
            raise Failure(USAGE, "spec-changed", message)
        stepper.net.load_state_dict(found["net"])
        stepper.optimizer.load_state_dict(found["optimizer"])
        stepper.scaler.load_state_dict(found["scaler"])
        return Position(**found["position"])

    def load_best(self, stepper: Stepper, stage: int) -> dict[str, Any]:
        found = load_tensors(self.best_of(stage), str(stepper.device))
        stepper.net.load_state_dict(found["net"])
        return found["best"]
