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
    """`last.pt` is all another machine needs to go on, the best weights so far included. `best.pt` is for people."""

    def __init__(self, root: Path, spec_hash: str) -> None:
        self.last = root / "checkpoints" / "last.pt"
        self.best_file = root / "checkpoints" / "best.pt"
        self.spec_hash = spec_hash
        self.best_net: dict[str, torch.Tensor] = {}

    def save(self, stepper: Stepper, position: Position) -> None:
        about = {"spec": self.spec_hash, "position": asdict(position), "scaler": stepper.scaler and stepper.scaler.state_dict()}
        net = stepper.net.state_dict()
        write_tensors(
            self.last, {"about": json.dumps(about), "net": net, "momentum": momentum_of(stepper), "best": self.best_net}
        )

    def keep_best(self, stepper: Stepper, position: Position) -> None:
        """In the memory of every rank; on the disk of the first."""
        self.best_net = {name: value.detach().clone() for name, value in stepper.net.state_dict().items()}
        if stepper.ranks.first:
            about = {"spec": self.spec_hash, "best": position.best}
            write_tensors(self.best_file, {"about": json.dumps(about), "net": self.best_net})

    def restore(self, stepper: Stepper) -> Position | None:
        mine = load_tensors(self.last) if stepper.ranks.first and self.last.exists() else None
        found = stepper.ranks.from_first(mine)
        if found is None:
            return None
        about = json.loads(found["about"])
        if about["spec"] != self.spec_hash:
            message = "checkpoints/last.pt belongs to another spec. A changed spec is a new job in a new directory."
            raise Failure(USAGE, "spec-changed", message)
        stepper.net.load_state_dict(found["net"])
        restore_momentum(stepper, found["momentum"])
        if stepper.scaler and about["scaler"]:
            stepper.scaler.load_state_dict(about["scaler"])
        self.best_net = found["best"]
        return Position(**about["position"])

    def load_best(self, stepper: Stepper) -> None:
        stepper.net.load_state_dict(self.best_net)


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
