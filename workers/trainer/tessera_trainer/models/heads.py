"""From masks, or from what masks are made of, to a class. Small on purpose: the parts must carry the decision."""

from __future__ import annotations

import torch
import torch.nn as nn
import torch.nn.functional as F

from ..labels import axis
from .layers import BatchNorm, pooling

EPS = 1e-6
HIDDEN = 50


class Downsampled(nn.Module):
    """Soft masks pooled to a small grid, one convolution over it, two linear layers."""

    def __init__(
        self, parts: int, classes: int, size: int, pool: int = 4, background: bool = True, with_image: bool = False
    ) -> None:
        super().__init__()
        self.parts = parts
        self.background = background
        inputs = parts + int(background) + 3 * int(with_image)
        kernel = min(pool, 4)
        self.pool = pooling(size, pool)
        self.conv = nn.Conv2d(inputs, 5 * inputs, kernel)
        self.norm1 = BatchNorm(5 * inputs)
        self.linear1 = nn.Linear(5 * inputs * (pool - kernel + 1) ** 2, HIDDEN)
        self.norm2 = BatchNorm(HIDDEN)
        self.linear2 = nn.Linear(HIDDEN, classes)
        self.with_image = with_image

    def forward(self, masks: torch.Tensor, image: torch.Tensor | None = None) -> torch.Tensor:
        soft = torch.softmax(masks, 1)
        if not self.background:
            soft = torch.narrow(soft, 1, 1, self.parts)
        seen = self.pool(soft)
        if self.with_image and image is not None:
            seen = torch.cat([seen, self.pool(image)], 1)
        x = torch.flatten(F.relu(self.norm1(self.conv(seen))), 1)
        return self.linear2(F.relu(self.norm2(self.linear1(x))))


class BoundingBox(nn.Module):
    """Five numbers a part: how much of the foreground it is, where its centre lies, how far it spreads."""

    def __init__(self, parts: int, classes: int, size: int) -> None:
        super().__init__()
        self.parts = parts
        self.register_buffer("axis", axis(size).view(1, 1, size), persistent=False)
        self.norm1 = BatchNorm(5 * parts)
        self.linear1 = nn.Linear(5 * parts, HIDDEN)
        self.norm2 = BatchNorm(HIDDEN)
        self.linear2 = nn.Linear(HIDDEN, classes)

    def boxes(self, masks: torch.Tensor) -> list[torch.Tensor]:
        """Score, x, y, spread along x, spread along y, each B × parts."""
        parts = torch.narrow(masks, 1, 1, self.parts)
        behind = torch.narrow(masks, 1, 0, 1)
        front = torch.sigmoid(torch.sub(torch.sum(parts, (1,), True), behind))
        score = torch.div(torch.sum(torch.mul(parts, front), (2, 3)), torch.add(torch.sum(front, (2, 3)), EPS))
        soft = torch.narrow(torch.softmax(masks, 1), 1, 1, self.parts)
        mass = torch.add(torch.sum(soft, (2, 3)), EPS)
        x, spread_x = self.along(torch.sum(soft, (2,)), mass)
        y, spread_y = self.along(torch.sum(soft, (3,)), mass)
        return [score, x, y, spread_x, spread_y]

    def along(self, line: torch.Tensor, mass: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        centre = torch.div(torch.sum(torch.mul(line, self.axis), (2,)), mass)
        away = torch.sub(self.axis, torch.unsqueeze(centre, 2))
        variance = torch.div(torch.sum(torch.mul(line, torch.mul(away, away)), (2,)), mass)
        return centre, torch.sqrt(torch.add(variance, EPS))

    def forward(self, masks: torch.Tensor, image: torch.Tensor | None = None) -> torch.Tensor:
        x = self.norm1(torch.cat(self.boxes(masks), 1))
        return self.linear2(self.norm2(F.relu(self.linear1(x))))


class Pixel(nn.Module):
    """Part logits summed by class, without the background, and averaged over the picture. Nothing to learn."""

    def __init__(self, part_class: list[int], classes: int) -> None:
        super().__init__()
        self.parts = len(part_class)
        matrix = torch.zeros(self.parts, classes)
        matrix[torch.arange(self.parts), torch.tensor(part_class)] = 1
        self.register_buffer("matrix", matrix, persistent=False)

    def forward(self, masks: torch.Tensor, image: torch.Tensor | None = None) -> torch.Tensor:
        return torch.matmul(torch.narrow(torch.mean(masks, (2, 3)), 1, 1, self.parts), self.matrix)


class EncoderHead(nn.Module):
    """Classifies the backbone's last map beside the segmenter."""

    def __init__(self, inputs: int, classes: int, side: int) -> None:
        super().__init__()
        self.pool = pooling(side, 4)
        self.norm1 = BatchNorm(inputs)
        self.conv = nn.Conv2d(inputs, 64, 4)
        self.norm2 = BatchNorm(64)
        self.linear = nn.Linear(64, classes)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        x = self.conv(F.relu(self.norm1(self.pool(features))))
        return self.linear(torch.flatten(F.relu(self.norm2(x)), 1))


class DecoderHead(nn.Module):
    """Classifies the map that becomes the mask. Its first linear layer is made for one size of picture."""

    def __init__(self, inputs: int, classes: int, side: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, 50, 3)
        self.norm1 = BatchNorm(50)
        self.conv2 = nn.Conv2d(50, 10, 1)
        self.norm2 = BatchNorm(10)
        self.linear1 = nn.Linear(10 * ((side - 2) // 2 // 2) ** 2, 100)
        self.linear2 = nn.Linear(100, classes)

    def forward(self, dense: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(dense))), 2, 2, 0)
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2, 2, 0)
        return self.linear2(F.relu(self.linear1(torch.flatten(x, 1))))
