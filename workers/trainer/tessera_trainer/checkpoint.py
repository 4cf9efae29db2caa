"""Where a run is, on the disk. Written whole or not at all. Tensors, and one JSON text for all that is none: the careful
reader of torch 1.13 takes no numbers."""

from __future__ import annotations

import io
import json
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
        about = {"spec": self.spec_hash, "position": asdict(position), "scaler": stepper.scaler.state_dict()}
        value = {"about": json.dumps(about), "net": stepper.net.state_dict(), "momentum": momentum_of(stepper)}
        write_tensors(self.last, value)

    def save_best(self, stepper: Stepper, position: Position) -> None:
        about = {"spec": self.spec_hash, "best": position.best}
        value = {"about": json.dumps(about), "net": stepper.net.state_dict()}
        write_tensors(self.best_of(position.stage), value)

    def restore(self, stepper: Stepper) -> Position | None:
        found = self.read(stepper, self.last)
        if found is None:
            return None
        about = json.loads(found["about"])
        if about["spec"] != self.spec_hash:
            message = "checkpoints/last.pt belongs to another spec. A changed spec is a new job in a new directory."
            raise Failure(USAGE, "spec-changed", message)
        stepper.net.load_state_dict(found["net"])
        restore_momentum(stepper, found["momentum"])
        stepper.scaler.load_state_dict(about["scaler"])
        return Position(**about["position"])

    @staticmethod
    def read(stepper: Stepper, path: Path) -> Any:
        mine = load_tensors(path) if stepper.ranks.first and path.exists() else None
        return stepper.ranks.from_first(mine)

    def load_best(self, stepper: Stepper, stage: int) -> dict[str, Any]:
        found = self.read(stepper, self.best_of(stage))
        stepper.net.load_state_dict(found["net"])
        return json.loads(found["about"])["best"]


def write_tensors(path: Path, value: dict[str, Any]) -> None:
    """By way of memory: torch's own writer ends the whole process when the disk is full."""
    held = io.BytesIO()
    torch.save(value, held)
    write_atomic(path, lambda temporary: temporary.write_bytes(held.getbuffer()) and None)


def momentum_of(stepper: Stepper) -> dict[str, torch.Tensor]:
    """All the state that SGD has, by the name of the parameter; nothing before the first step."""
    state = stepper.optimizer.state
    return {
        name: state[parameter]["momentum_buffer"]
        for name, parameter in stepper.net.named_parameters()
        if parameter in state and state[parameter].get("momentum_buffer") is not None
    }


def restore_momentum(stepper: Stepper, momentum: dict[str, torch.Tensor]) -> None:
    for name, parameter in stepper.net.named_parameters():
        if name in momentum:
            stepper.optimizer.state[parameter]["momentum_buffer"] = momentum[name].to(parameter.device, copy=True)
