"""Whether a step fits into memory, and which would. On a processor that is asked before the first step: there, too much
is not an error one could catch, the kernel ends the process."""

from __future__ import annotations

import gc
import resource
from pathlib import Path
from typing import Any

import torch
import torch.nn as nn
import torch.nn.functional as F

from .failure import SOFTWARE, Failure, is_out_of_memory
from .models.build import dropouts_of, set_streams, set_synced

# Gradients of activations and the workspace of convolutions come on top of what is kept for the backward pass. Measured:
# 2.0 for the tiny model, 1.7 for small, less for larger ones.
ON_TOP = 2.0
# What Python and torch take before there is any model.
BASE = 0.35 * 2**30


def one_pass(net: nn.Module, size: int, images: int, device: torch.device) -> torch.Tensor:
    out = net(torch.zeros(images, 3, size, size, device=device))
    loss = F.cross_entropy(out[0].float(), torch.zeros(images, dtype=torch.long, device=device))
    if out[1] is not None:
        loss = loss + F.cross_entropy(out[1].float(), torch.zeros(images, size, size, dtype=torch.long, device=device))
    return loss


def bytes_per_image(net: nn.Module, size: int) -> float:
    """What autograd keeps of one image, each piece of memory counted once."""
    own = {parameter.data_ptr() for parameter in net.parameters()} | {buffer.data_ptr() for buffer in net.buffers()}
    kept: dict[int, int] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.data_ptr() not in own:
            kept[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    net.eval()  # The statistics of batch norm must not see this.
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        one_pass(net, size, 2, torch.device("cpu"))
    return sum(kept.values()) / 2


def free_memory() -> float:
    """Of the machine, or of the container or of this process (ulimit -v) if that is less."""
    found = []
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        found.append(float(next(line.split()[1] for line in lines if line.startswith("MemAvailable"))) * 1024)
        found.append(left_of_group(Path("/sys/fs/cgroup")))
    except (OSError, StopIteration, ValueError):
        pass  # Not Linux, or no such group: what is not known cannot be held against a run.
    try:
        allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            found.append(float(allowed) - int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize())
    except (OSError, ValueError):
        pass
    return min(found, default=float("inf"))


def left_of_group(folder: Path) -> float:
    """Of a container's limit. Files it has read count as its memory, but are dropped as soon as something else needs it:
    a large snapshot must not look like a machine that is full."""
    limit = (folder / "memory.max").read_text().strip()
    if limit == "max":
        return float("inf")
    lines = (line.split() for line in (folder / "memory.stat").read_text().splitlines())
    kept = sum(float(value) for name, value in lines if name in ("active_file", "inactive_file"))
    return float(limit) - float((folder / "memory.current").read_text()) + kept


def check_memory(net: nn.Module, spec: dict[str, Any], per_rank: int, ranks_here: int) -> None:
    given = spec["resources"]["memoryGb"]
    limit = free_memory() / ranks_here if given is None else given * 2**30 - BASE
    weights = 4 * sum(parameter.numel() * parameter.element_size() for parameter in net.parameters())
    each = ON_TOP * bytes_per_image(net, spec["data"]["size"]) * pictures_of(spec)
    now = -(-per_rank // spec["train"]["accumulate"])
    if weights + each * now > limit:
        raise refusal(spec, per_rank, now, max(0, int((limit - weights) // each)))


def pictures_of(spec: dict[str, Any]) -> int:
    """TRADES passes two pictures for each image."""
    return 2 if any(stage["method"] == "trades" for stage in spec["stages"]) else 1


def refusal(spec: dict[str, Any], per_rank: int, now: int, fits: int) -> Failure:
    if fits < 1:
        message = f"Out of memory, and not even one image of {spec['data']['size']} px fits. Take a smaller model."
        return Failure(SOFTWARE, "out-of-memory", message, batchSize=now, fits=0)
    wanted = -(-per_rank // fits)
    message = (
        f"Not enough memory for {now} images at once; {fits} would fit. "
        f"Set train.accumulate to {wanted}: the step stays the same, in smaller pieces."
    )
    return Failure(SOFTWARE, "out-of-memory", message, batchSize=now, fits=fits, accumulate=wanted)


def fitting(net: nn.Module, spec: dict[str, Any], per_rank: int, device: torch.device) -> Failure:
    """After memory ran out in the middle of a step: halves the piece until it fits."""
    # Other ranks are not at this, and what dropout draws is for the batch that did not fit.
    set_synced(net, False)
    set_streams(dropouts_of(net), None)
    now = -(-per_rank // spec["train"]["accumulate"])
    fits = now // 2
    while fits and not tries(net, spec["data"]["size"], fits * pictures_of(spec), device):
        fits //= 2
    return refusal(spec, per_rank, now, fits)


def tries(net: nn.Module, size: int, images: int, device: torch.device) -> bool:
    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()
    try:
        net.train()
        one_pass(net, size, images, device).backward()
        return True
    except (RuntimeError, MemoryError) as error:
        if is_out_of_memory(error):
            return False
        raise
    finally:
        net.zero_grad(set_to_none=True)
