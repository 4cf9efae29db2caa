"""What is made small. Every term is a sum over images divided by a number known before the forward pass, so that the
pieces of a step, over accumulation and over ranks, add up to exactly the step of one process."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F

from .batches import Batch
from .labels import centroids_of
from .snapshot import UNLABELLED


class Divisors(NamedTuple):
    images: float  # Σ of the image weights
    pixels: float  # Σ over labelled pixels of their image's weight
    centres: float  # Σ over parts that are there
    labelled: float  # Σ over images with any labelled pixel


def divisors(batch: Batch, parts: int, centroid: bool) -> list[float]:
    known = batch.known.cpu().double()
    weights = batch.weights.double()
    there = centroids_of(batch.masks, parts)[1].sum(1).double() if centroid else torch.zeros(1, dtype=torch.float64)
    return [
        weights.sum().item(),
        (weights * known).sum().item(),
        (weights * there).sum().item() if centroid else 0.0,
        (weights * (known > 0)).sum().item(),
    ]


def over(total: torch.Tensor, divisor: float) -> torch.Tensor:
    """Nothing labelled: no loss, but still part of the graph."""
    return total / divisor if divisor > 0 else total * 0


def class_loss(logits: torch.Tensor, batch: Batch, by: Divisors) -> torch.Tensor:
    each = F.cross_entropy(logits, batch.labels, reduction="none")
    return over((each * batch.weights).sum(), by.images)


class PixelEntropy(torch.autograd.Function):
    """Σ over an image's labelled pixels of their cross entropy. Torch's own writes a map of zeros for the way back and goes
    through it once more: a twentieth of a small net's step."""

    @staticmethod
    def forward(ctx: Any, logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        known = masks != UNLABELLED
        wanted = torch.where(known, masks, torch.zeros_like(masks))[:, None]
        given = F.log_softmax(logits, 1)
        ctx.save_for_backward(given, wanted, known)
        return -(given.gather(1, wanted)[:, 0] * known).sum((1, 2))

    @staticmethod
    def backward(ctx: Any, each: torch.Tensor) -> tuple[torch.Tensor, None]:
        given, wanted, known = ctx.saved_tensors
        gradient = given.exp()
        gradient.scatter_add_(1, wanted, gradient.new_full(wanted.shape, -1.0))
        return gradient.mul_(known[:, None] * each[:, None, None, None]), None


def mask_loss(masks: torch.Tensor, batch: Batch, by: Divisors) -> torch.Tensor:
    """The mean over labelled pixels. The 1/(K + 1) printed in the paper is not in its code, nor here."""
    each = PixelEntropy.apply(masks, batch.masks)
    return over((each * batch.weights).sum(), by.pixels)


def centroid_loss(net: Any, masks: torch.Tensor, batch: Batch, by: Divisors, matrix: torch.Tensor) -> torch.Tensor:
    """Squared distance to the centres of the parts that are there, and the class by the sums of part logits."""
    _, x, y, _, _ = net.head.boxes(masks)
    wanted, there = centroids_of(batch.masks.cpu(), x.shape[1])
    wanted, there = wanted.to(x.device), there.to(x.device)
    distance = (x - wanted[:, :, 0]) ** 2 + (y - wanted[:, :, 1]) ** 2
    centre = ((distance * there).sum(1) * batch.weights).sum()
    sums = torch.matmul(masks.mean((2, 3))[:, 1:], matrix)
    known = (batch.masks != UNLABELLED).flatten(1).any(1)
    kind = F.cross_entropy(sums, batch.labels, reduction="none") * batch.weights * known
    return over(centre, by.centres) + over(kind.sum(), by.labelled)


def divergence(clean: torch.Tensor, adversarial: torch.Tensor) -> torch.Tensor:
    """KL(clean ‖ adversarial) of each image."""
    given = F.log_softmax(clean, 1)
    return (given.exp() * (given - F.log_softmax(adversarial, 1))).sum(1)
