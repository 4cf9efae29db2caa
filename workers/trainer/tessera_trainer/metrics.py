"""Counts first, shares after: counts add up over batches and ranks, and an accuracy without its n is not told."""

from __future__ import annotations

import math
from typing import Any

import torch

from .batches import Batch
from .ranks import Ranks
from .snapshot import UNLABELLED


def wilson(right: int, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """95 % interval of a share."""
    if n == 0:
        return 0.0, 1.0
    share, square = right / n, z * z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def accuracy(right: int, n: int) -> dict[str, Any]:
    low, high = wilson(right, n)
    return {"n": n, "correct": right, "accuracy": right / n if n else None, "low": low, "high": high}


class Counts:
    """Confusion of classes, and per mask value: pixels that agree, are predicted, are there."""

    def __init__(self, classes: int, channels: int) -> None:
        self.confusion = torch.zeros(classes, classes, dtype=torch.float64)
        self.pixels = torch.zeros(3, max(channels, 1), dtype=torch.float64)
        self.loss = torch.zeros(1, dtype=torch.float64)

    def add(self, logits: torch.Tensor, masks: torch.Tensor | None, batch: Batch) -> None:
        classes = len(self.confusion)
        pairs = batch.labels * classes + logits.argmax(1)
        self.confusion += torch.bincount(pairs.cpu(), minlength=classes**2).view(classes, classes)
        self.loss += torch.nn.functional.cross_entropy(logits.float(), batch.labels, reduction="sum").cpu()
        if masks is None:
            return
        known = batch.masks != UNLABELLED
        said, truth = masks.argmax(1)[known].cpu(), batch.masks[known].cpu()
        size = self.pixels.shape[1]
        self.pixels[0] += torch.bincount(truth[said == truth], minlength=size)
        self.pixels[1] += torch.bincount(said, minlength=size)
        self.pixels[2] += torch.bincount(truth, minlength=size)

    def over(self, ranks: Ranks) -> "Counts":
        if ranks.world > 1:
            flat = ranks.sums(*self.confusion.flatten().tolist(), *self.pixels.flatten().tolist(), *self.loss.tolist())
            size = self.confusion.numel()
            self.confusion = torch.tensor(flat[:size], dtype=torch.float64).view_as(self.confusion)
            self.pixels = torch.tensor(flat[size:-1], dtype=torch.float64).view_as(self.pixels)
            self.loss = torch.tensor(flat[-1:], dtype=torch.float64)
        return self

    def summary(self) -> dict[str, Any]:
        n, right = int(self.confusion.sum()), int(self.confusion.diagonal().sum())
        rows = [accuracy(int(self.confusion[c, c]), int(self.confusion[c].sum())) for c in range(len(self.confusion))]
        loss = float(self.loss) / n if n else math.nan
        # JSON has no word for what is not a number.
        out = {**accuracy(right, n), "loss": loss if math.isfinite(loss) else None, "perClass": rows}
        agree, said, there = self.pixels
        if there.sum() > 0:
            union = said + there - agree
            out["pixels"] = {"n": int(there.sum()), "correct": int(agree.sum()), "accuracy": float(agree.sum() / there.sum())}
            out["iou"] = [float(a / u) if u > 0 else None for a, u in zip(agree.tolist(), union.tolist())]
        return out
