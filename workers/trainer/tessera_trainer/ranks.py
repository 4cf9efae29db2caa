"""Several processes that make one step together; by the environment variables of torchrun, of Slurm, or our own."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed.nn as dist_nn


def number(*names: str, otherwise: int) -> int:
    for name in names:
        if os.environ.get(name):
            return int(os.environ[name])
    return otherwise


class Ranks:
    def __init__(self) -> None:
        self.rank = number("RANK", "SLURM_PROCID", otherwise=0)
        self.world = number("WORLD_SIZE", "SLURM_NTASKS", otherwise=1)
        self.local_rank = number("LOCAL_RANK", "SLURM_LOCALID", otherwise=0)
        self.local_world = number("LOCAL_WORLD_SIZE", "SLURM_NTASKS_PER_NODE", otherwise=self.world)

    @property
    def first(self) -> bool:
        return self.rank == 0

    def join(self, device: torch.device) -> None:
        if self.world == 1:
            return
        os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
        os.environ.setdefault("MASTER_PORT", str(20_000 + number("SLURM_JOB_ID", otherwise=9_400) % 40_000))
        dist.init_process_group(
            "nccl" if device.type == "cuda" else "gloo",
            rank=self.rank,
            world_size=self.world,
            timeout=timedelta(minutes=30),
        )

    def leave(self) -> None:
        if dist.is_initialized():
            dist.destroy_process_group()

    def sum_(self, tensor: torch.Tensor) -> torch.Tensor:
        if self.world > 1:
            dist.all_reduce(tensor)
        return tensor

    def sums(self, *values: float) -> list[float]:
        """In double precision: these are counts and denominators."""
        if self.world == 1:
            return list(values)
        device = "cuda" if dist.get_backend() == "nccl" else "cpu"
        return self.sum_(torch.tensor(values, dtype=torch.float64, device=device)).tolist()

    def gather(self, value: Any) -> list[Any]:
        if self.world == 1:
            return [value]
        found: list[Any] = [None] * self.world
        dist.all_gather_object(found, value)
        return found

    def from_first(self, value: Any) -> Any:
        """What rank 0 has: only its disk need hold the checkpoints."""
        if self.world == 1:
            return value
        told = [value]
        dist.broadcast_object_list(told, 0)
        return told[0]

    def any(self, flag: bool) -> bool:
        return self.sums(float(flag))[0] > 0


def summed(tensor: torch.Tensor) -> torch.Tensor:
    """A sum over the ranks that gradients go back through."""
    return dist_nn.all_reduce(tensor)
