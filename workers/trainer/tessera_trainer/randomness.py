"""Chance by address: every draw is indexed by what it is for, so that a run resumed anywhere draws the same."""

from __future__ import annotations

import hashlib
from typing import Sequence

import torch


def seed_of(*key: object) -> int:
    digest = hashlib.blake2b("|".join(map(str, key)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def stream(*key: object) -> torch.Generator:
    """On the processor whatever the device is, so that a GPU sees the same numbers."""
    return torch.Generator().manual_seed(seed_of(*key))


class Streams:
    """One stream for each image of a batch: what an image gets does not depend on the batch or rank it is in."""

    def __init__(self, keys: Sequence[tuple[object, ...]]) -> None:
        self._keys = list(keys)
        # Made at the first draw: most purposes of a batch never come to one.
        self._generators: list[torch.Generator] | None = None

    def __len__(self) -> int:
        return len(self._keys)

    def uniform(self, shape: Sequence[int], low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        if self._generators is None:
            self._generators = [stream(*key) for key in self._keys]
        rows = torch.empty(len(self._keys), *shape)
        for row, generator in zip(rows, self._generators):
            row.uniform_(low, high, generator=generator)
        return rows

    def then(self, name: object) -> "Streams":
        """Fresh streams for another purpose of the same images."""
        return Streams([(*key, name) for key in self._keys])

    def pick(self, index: torch.Tensor) -> "Streams":
        return Streams([self._keys[i] for i in index.tolist()])

    @staticmethod
    def joined(*parts: "Streams") -> "Streams":
        return Streams([key for part in parts for key in part._keys])
