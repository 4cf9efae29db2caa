"""DeepLabv3+ as the part models use it: separable atrous pyramid, skip from a quarter of the picture, output stride 16."""

from __future__ import annotations

from typing import Sequence

import torch
import torch.nn as nn
import torch.nn.functional as F

from .layers import BatchNorm, Dropout, pooling, upsampling

SKIP = 48


def separable(inputs: int, outputs: int, dilation: int) -> list[nn.Module]:
    return [
        nn.Conv2d(inputs, inputs, 3, padding=dilation, dilation=dilation, groups=inputs, bias=False),
        nn.Conv2d(inputs, outputs, 1, bias=False),
    ]


class Unit(nn.Sequential):
    """Convolutions, batch norm, ReLU. The norm has no name of its own, so its weights decay as in the published runs."""

    def __init__(self, convolutions: list[nn.Module], outputs: int) -> None:
        super().__init__(*convolutions, BatchNorm(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(super().forward(x))


def pointwise(inputs: int, outputs: int) -> Unit:
    return Unit([nn.Conv2d(inputs, outputs, 1, bias=False)], outputs)


class Pyramid(nn.Module):
    """One 1×1, three atrous separable convolutions and the mean of the picture, side by side."""

    def __init__(self, inputs: int, outputs: int, rates: Sequence[int], side: int, dropout: float) -> None:
        super().__init__()
        self.point = pointwise(inputs, outputs)
        self.atrous = nn.ModuleList(Unit(separable(inputs, outputs, rate), outputs) for rate in rates)
        self.pool = pooling(side, 1)
        self.pooled = pointwise(inputs, outputs)
        self.project = pointwise(outputs * (2 + len(rates)), outputs)
        self.dropout = Dropout(dropout)
        # The upsampling of a single value is the same value everywhere.
        self.register_buffer("everywhere", torch.ones(1, 1, side, side), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        branches = [self.point(x), *(unit(x) for unit in self.atrous)]
        branches.append(torch.mul(self.pooled(self.pool(x)), self.everywhere))
        return self.dropout(self.project(torch.cat(branches, 1)))


class Decoder(nn.Module):
    """Backbone maps → mask logits; `dense` is the map just before them, which the two-headed model classifies."""

    def __init__(
        self, low: int, inputs: int, size: int, outputs: int, channels: int, rates: Sequence[int], dropout: float
    ) -> None:
        super().__init__()
        self.pyramid = Pyramid(inputs, channels, rates, size // 16, dropout)
        self.refine = Unit(separable(channels, channels, 1), channels)
        self.up = upsampling(size // 16, 4)
        self.skip = pointwise(low, SKIP)
        self.join = Unit(separable(channels + SKIP, channels, 1), channels)
        self.mask = nn.Conv2d(channels, outputs, 1)
        self.enlarge = upsampling(size // 4, 4)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_uniform_(module.weight, mode="fan_in", nonlinearity="relu")
        nn.init.xavier_uniform_(self.mask.weight)
        nn.init.zeros_(self.mask.bias)

    def dense(self, low: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
        x = self.up(self.refine(self.pyramid(high)))
        return self.join(torch.cat([x, self.skip(low)], 1))

    def masks(self, dense: torch.Tensor) -> torch.Tensor:
        return self.enlarge(self.mask(dense))
