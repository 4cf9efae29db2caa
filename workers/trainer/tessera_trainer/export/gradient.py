"""The gradient graph: image and seed in, logits and ∂/∂image out."""

from __future__ import annotations

import torch
import torch.nn as nn

from . import rules  # noqa: F401  (fills the table of rules)
from .tape import Traced, pull_back


class Gradient(nn.Module):
    """∂(v · logits)/∂image with v = share · softmax(logits) + seed, v held fixed.

    share 1 and seed −onehot: the gradient of cross-entropy. share 0: of any weighted sum of logits, as Grad-CAM, DLR
    and the boundary attacks need them. One graph serves all."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(
        self, image: torch.Tensor, seed: torch.Tensor, share: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        start = Traced(image)
        logits, _, features = self.net(start)
        v = share * torch.softmax(logits.value, 1) + seed
        by_image, by_features = pull_back(logits, v, [start, features])
        return logits.value, by_image, by_features
