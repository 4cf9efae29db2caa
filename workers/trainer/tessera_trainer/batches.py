"""Which images a step sees, and how: order, crop and mirror are functions of (seed, stage, epoch, place)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from .labels import boxes_of, image_weights, kept_masks, to_object_level
from .models.build import layout_of
from .randomness import Streams, seed_of, stream
from .snapshot import UNLABELLED, Snapshot


@dataclass
class Batch:
    images: torch.Tensor  # B × 3 × size × size in [0, 1]
    masks: torch.Tensor  # B × size × size, int64, 255 where nothing is known; B × 0 × 0 where nothing is told
    labels: torch.Tensor  # B
    weights: torch.Tensor  # B
    rows: list[int]
    streams: Streams
    known: torch.Tensor | None = None  # B, labelled pixels of each image

    def __post_init__(self) -> None:
        if self.known is None:
            self.known = (self.masks != UNLABELLED).sum((1, 2))

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, start: int, end: int) -> "Batch":
        cut = slice(start, end)
        return Batch(
            self.images[cut], self.masks[cut], self.labels[cut], self.weights[cut], self.rows[cut],
            self.streams.pick(torch.arange(start, end)), self.known[cut],
        )  # fmt: skip

    def to(self, device: torch.device) -> "Batch":
        self.images, self.masks = self.images.to(device), self.masks.to(device)
        self.labels, self.weights = self.labels.to(device), self.weights.to(device)
        return self


class Loader:
    def __init__(self, snapshot: Snapshot, spec: dict[str, Any]) -> None:
        self.snapshot = snapshot
        self.data = spec["data"]
        self.size: int = spec["data"]["size"]
        self.seed: int = spec["train"]["seed"]
        self.train = snapshot.rows("train")
        self.batch_size = min(spec["train"]["batchSize"], len(self.train))
        self.steps = len(self.train) // self.batch_size
        self.weights = image_weights(snapshot, spec)
        self.kept = kept_masks(snapshot, self.train, self.data["labelledFraction"], self.seed)
        # A baseline is told nothing about parts in training.
        self.masked = spec["model"]["arch"] != "baseline"
        self.layout = layout_of(spec["model"])
        self.boxes = self.data["labels"] == "box"
        self.table = to_object_level(snapshot.part_class) if spec["model"]["level"] == "object" else None
        self._order: tuple[Any, np.ndarray] | None = None

    def order(self, stage: int, epoch: int) -> np.ndarray:
        key, known = (stage, epoch), self._order
        if known is None or known[0] != key:
            shuffle = torch.randperm(len(self.train), generator=stream(self.seed, "order", stage, epoch))
            known = self._order = (key, self.train[shuffle.numpy()])
        return known[1]

    def rows(self, stage: int, epoch: int, step: int) -> list[int]:
        """Of a whole step."""
        return self.order(stage, epoch)[step * self.batch_size : (step + 1) * self.batch_size].tolist()

    def batch(self, stage: int, epoch: int, step: int, rank: int = 0, world: int = 1) -> Batch:
        """This rank's share of a global batch; the last incomplete one of an epoch is left out."""
        places = range(step * self.batch_size, (step + 1) * self.batch_size)[rank::world]
        rows = self.rows(stage, epoch, step)[rank::world]
        streams = Streams([(self.seed, stage, epoch, place) for place in places])
        images, masks = self.read(rows, augmented=True)
        images, masks = self.crop(images, masks, streams)
        return self.pack(images, masks, rows, streams)

    def read(self, rows: list[int], augmented: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
        images = torch.from_numpy(self.snapshot.images[rows]).permute(0, 3, 1, 2)
        if augmented and not self.masked:
            return images, torch.empty(len(rows), 0, 0, dtype=torch.uint8)
        masks = self.snapshot.masks[rows]
        if augmented:
            masks[~self.kept[rows]] = UNLABELLED
            if self.boxes:
                masks = np.stack([boxes_of(mask) for mask in masks])
        if self.table is not None:
            masks = self.table[masks]
        return images, torch.from_numpy(masks)

    def crop(
        self, images: torch.Tensor, masks: torch.Tensor, streams: Streams
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Random area, ratio, place and mirror; masks take the nearest pixel."""
        draw = streams.uniform((10, 5))
        height, width = images.shape[2:]
        boxes = crop_boxes(draw, height, width, self.data["augment"])
        mirrored = draw[:, 0, 4] < self.data["augment"]["flip"]
        out = torch.empty(len(images), 3, self.size, self.size)
        made = out.numpy()
        # Colour by colour: that is how pictures are resized fastest.
        planes = images.contiguous().float()
        for row, (flip, (left, top, across, down)) in enumerate(zip(mirrored.tolist(), boxes.tolist())):
            piece = planes[row : row + 1, :, top : top + down, left : left + across]
            if piece.shape[2:] != (self.size, self.size):
                piece = F.interpolate(piece, (self.size, self.size), mode="bilinear", align_corners=False)
            # numpy mirrors by a view, torch by a slow copy.
            made[row] = piece[0].numpy()[:, :, ::-1] if flip else piece[0].numpy()
        if not masks.numel():
            return out.div_(255), masks
        line = (torch.arange(self.size, dtype=torch.float32) + 0.5) / self.size
        x = boxes[:, 0, None] + (torch.where(mirrored[:, None], 1 - line, line) * boxes[:, 2, None]).long()
        y = boxes[:, 1, None] + (line * boxes[:, 3, None]).long()
        # Whole lines first: they are copied at once.
        lines = (torch.arange(len(masks)) * height)[:, None] + y
        down = masks.reshape(-1, width).index_select(0, lines.flatten()).view(len(masks), self.size, width)
        return out.div_(255), down.gather(2, x[:, None, :].expand(-1, self.size, -1))

    def view(self, rows: list[int], key: object = "view") -> Batch:
        """As the model sees an image outside training."""
        images, masks = self.read(rows)
        height, width = images.shape[2:]
        if self.data["view"] == "center" and (height, width) != (self.size, self.size):
            top, left = (height - self.size) // 2, (width - self.size) // 2
            images = images[:, :, top : top + self.size, left : left + self.size]
            masks = masks[:, top : top + self.size, left : left + self.size]
        images = images.float() / 255
        if images.shape[2:] != (self.size, self.size):
            images = F.interpolate(images, (self.size, self.size), mode="bilinear", align_corners=False)
            masks = F.interpolate(masks[:, None].float(), (self.size, self.size), mode="nearest")[:, 0].byte()
        streams = Streams([(self.seed, key, self.snapshot.ids[row]) for row in rows])
        return self.pack(images, masks, rows, streams)

    def pack(self, images: torch.Tensor, masks: torch.Tensor, rows: list[int], streams: Streams) -> Batch:
        return Batch(
            images.contiguous(memory_format=self.layout),
            masks.long(),
            torch.from_numpy(self.snapshot.labels[rows]),
            torch.from_numpy(self.weights[rows]),
            rows,
            streams,
        )


def crop_boxes(draw: torch.Tensor, height: int, width: int, augment: dict[str, Any]) -> torch.Tensor:
    """B × (left, top, width, height). Ten tries for a box of the drawn area and ratio that fits, else the whole picture."""
    low, high = augment["area"]
    area = (low + draw[:, :, 0] * (high - low)) * height * width
    narrow, wide = math.log(augment["ratio"][0]), math.log(augment["ratio"][1])
    ratio = torch.exp(narrow + draw[:, :, 1] * (wide - narrow))
    across, down = torch.sqrt(area * ratio).round().long(), torch.sqrt(area / ratio).round().long()
    fits = (across <= width) & (down <= height) & (across > 0) & (down > 0)
    first = fits.float().argmax(1, keepdim=True)
    across = torch.where(fits.any(1), across.gather(1, first)[:, 0], torch.tensor(width))
    down = torch.where(fits.any(1), down.gather(1, first)[:, 0], torch.tensor(height))
    left = (draw[:, :, 2].gather(1, first)[:, 0] * (width - across + 1)).long()
    top = (draw[:, :, 3].gather(1, first)[:, 0] * (height - down + 1)).long()
    return torch.stack([torch.minimum(left, width - across), torch.minimum(top, height - down), across, down], 1)


def sample_rows(snapshot: Snapshot, rows: np.ndarray, size: int | None, *key: object) -> list[int]:
    """A seeded sample that does not depend on the order of the snapshot."""
    if size is None or size >= len(rows):
        return rows.tolist()
    return sorted(sorted(rows.tolist(), key=lambda row: seed_of(*key, snapshot.ids[row]))[:size])
