"""Layers that differ from torch's own: batch norm over all ranks, chance by address, resizing as matrix products."""

from __future__ import annotations

from typing import Callable

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.modules.batchnorm import _BatchNorm

from ..randomness import Streams
from ..ranks import summed


class BatchNorm(_BatchNorm):
    """Statistics over the batch of all ranks, so that two processes learn what one would. torch's own SyncBatchNorm
    does not run on a processor. Mean first, then the spread around it: one pass over squares loses digits."""

    synced = False

    def _check_input_dim(self, input: torch.Tensor) -> None:
        pass

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return F.batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias, False, 0, self.eps)
        dims = [dim for dim in range(input.dim()) if dim != 1]
        values = input.numel() / input.shape[1]
        if not self.synced:
            if values == 1:  # One value has no spread: what was learnt before is the better guess.
                return F.batch_norm(
                    input, self.running_mean, self.running_var, self.weight, self.bias, False, 0, self.eps
                )
            return super().forward(input)
        shape = [1, -1] + [1] * (input.dim() - 2)
        sums = summed(torch.cat([input.sum(dims), input.new_tensor([values])]))
        count = sums[-1].detach()
        mean = sums[:-1] / count
        centred = input - mean.view(shape)
        variance = summed((centred * centred).sum(dims)) / count
        with torch.no_grad():
            unbiased = variance * count / (count - 1).clamp(min=1)
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(unbiased, alpha=self.momentum)
            self.num_batches_tracked.add_(1)
        scale = self.weight / torch.sqrt(variance + self.eps)
        return centred * scale.view(shape) + self.bias.view(shape)


class Dropout(nn.Module):
    """Each image draws from its own stream, so that a resumed run and two ranks drop what one run drops."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share
        self.streams: Streams | None = None

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if not self.training or self.share == 0:
            return input
        if self.streams is None:
            return F.dropout(input, self.share, True)
        kept = self.streams.uniform(input.shape[1:]).to(input.device) >= self.share
        return input * kept.to(input.dtype) / (1 - self.share)


class Resize(nn.Module):
    """Rows · x · columnsᵀ, or on a processor the kernel that does the same faster. The products have the same result in
    every runtime, a gradient that is deterministic on a GPU, and a transpose for the gradient graph."""

    def __init__(self, weights: torch.Tensor, kernel: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.register_buffer("rows", weights, persistent=False)
        self.register_buffer("columns", weights.t().contiguous(), persistent=False)
        self.kernel = kernel

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if isinstance(input, torch.Tensor) and input.device.type == "cpu" and not torch.onnx.is_in_onnx_export():
            return self.kernel(input)
        return torch.matmul(torch.matmul(self.rows, input), self.columns)


def upsampling(size: int, factor: int) -> Resize:
    """Bilinear with aligned corners, as the published segmenter has it."""
    out = size * factor
    at = torch.arange(out, dtype=torch.float64) * ((size - 1) / (out - 1))
    weights = (1 - (at[:, None] - torch.arange(size)).abs()).clamp(min=0).float()
    return Resize(weights, lambda x: F.interpolate(x, (out, out), mode="bilinear", align_corners=True))


def pooling(size: int, cells: int) -> Resize:
    """Adaptive average pooling to cells × cells, whether they divide the size or not."""
    weights = torch.zeros(cells, size)
    for cell in range(cells):
        start, end = cell * size // cells, -(-(cell + 1) * size // cells)
        weights[cell, start:end] = 1 / (end - start)
    return Resize(weights, lambda x: F.adaptive_avg_pool2d(x, cells))


class Normalise(nn.Module):
    """ImageNet's mean and spread, inside the model: attacks and noise live in [0, 1]."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("scale", 1 / torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1), persistent=False)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return (input - self.mean) * self.scale
