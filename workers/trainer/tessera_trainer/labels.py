"""What a segmenter is told: masks as drawn, boxes or centroids derived from them, or nothing for a part of the images."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .randomness import seed_of
from .snapshot import UNLABELLED, Snapshot


def kept_masks(snapshot: Snapshot, rows: np.ndarray, fraction: float, seed: int) -> np.ndarray:
    """Which training images keep their part labels: round(f·n) of each class, by an order that does not depend on f,
    so that a larger fraction holds every image of a smaller one."""
    kept = np.zeros(len(snapshot.labels), dtype=bool)
    for label in range(len(snapshot.classes)):
        mine = [row for row in rows.tolist() if snapshot.labels[row] == label]
        mine.sort(key=lambda row: seed_of(seed, "labelled", snapshot.ids[row]))
        kept[mine[: int(np.floor(fraction * len(mine) + 0.5))]] = True
    return kept


def boxes_of(mask: np.ndarray) -> np.ndarray:
    """Each part as its filled tight box. Larger boxes first: a small part must not vanish under a large one."""
    found = []
    for part in np.unique(mask):
        if part in (0, UNLABELLED):
            continue
        ys, xs = np.nonzero(mask == part)
        top, bottom, left, right = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
        found.append(((bottom - top) * (right - left), part, top, bottom, left, right))
    out = np.where(mask == UNLABELLED, UNLABELLED, 0).astype(np.uint8)
    for _, part, top, bottom, left, right in sorted(found, key=lambda box: (-box[0], box[1])):
        out[top:bottom, left:right] = part
    return out


def to_object_level(part_class: list[int]) -> np.ndarray:
    """Part value → class value, both with 0 for the background and 255 for what is not labelled."""
    table = np.full(256, UNLABELLED, dtype=np.uint8)
    table[0] = 0
    for part, owner in enumerate(part_class):
        table[part + 1] = owner + 1
    return table


def image_weights(snapshot: Snapshot, spec: dict[str, Any]) -> np.ndarray:
    weights = np.ones(len(snapshot.labels), dtype=np.float32)
    if spec["data"]["labelWeights"]:
        weights *= snapshot.weights
    if spec["data"]["classWeights"] == "balanced":
        train = snapshot.rows("train")
        counts = np.bincount(snapshot.labels[train], minlength=len(snapshot.classes))
        weights *= (len(train) / (len(snapshot.classes) * np.maximum(counts, 1)))[snapshot.labels].astype(np.float32)
    return weights


def centroids_of(mask: torch.Tensor, parts: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Centre of each part as (x, y) in [−1, 1], half-pixel, and whether the part is there. x is along the columns."""
    hot = torch.stack([mask == part for part in range(1, parts + 1)], 1).float()
    mass = hot.sum((2, 3))
    height, width = mask.shape[1:]
    x = (hot.sum(2) * axis(width)).sum(2) / mass.clamp(min=1)
    y = (hot.sum(3) * axis(height)).sum(2) / mass.clamp(min=1)
    return torch.stack([x, y], 2), mass > 0


def axis(length: int) -> torch.Tensor:
    """Centres of pixels, scaled so that the picture is [−1, 1]."""
    return (torch.arange(length, dtype=torch.float32) + 0.5) / length * 2 - 1
