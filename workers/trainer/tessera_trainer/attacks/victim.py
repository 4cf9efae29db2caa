"""The model as an attack sees it: logits, gradients, a count of both, and a place where a run can be stopped."""

from __future__ import annotations

from typing import Callable

import torch
import torch.nn as nn
import torch.nn.functional as F

Loss = Callable[[torch.Tensor], torch.Tensor]


class Victim:
    def __init__(self, net: nn.Module, check: Callable[[], None] = lambda: None) -> None:
        self.net = net
        self.check = check
        self.forwards = 0
        self.backwards = 0

    def logits(self, x: torch.Tensor) -> torch.Tensor:
        self.check()
        self.forwards += len(x)
        with torch.no_grad():
            return self.net(x)[0].float()

    def masks(self, x: torch.Tensor) -> torch.Tensor:
        self.check()
        self.forwards += len(x)
        return self.net(x)[1].float()

    def gradient(self, x: torch.Tensor, loss: Loss) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits, loss of each image, and its gradient by the image."""
        self.check()
        self.forwards += len(x)
        self.backwards += len(x)
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            logits = self.net(x)[0].float()
            each = loss(logits)
            (gradient,) = torch.autograd.grad(each.sum(), x)
        return logits.detach(), each.detach(), gradient


def project(moved: torch.Tensor, x: torch.Tensor, eps: float) -> torch.Tensor:
    return torch.max(torch.min(moved, x + eps), x - eps).clamp(0, 1)


def cross_entropy(labels: torch.Tensor) -> Loss:
    return lambda logits: F.cross_entropy(logits, labels, reduction="none")


def largest(x: torch.Tensor) -> torch.Tensor:
    """Greatest absolute value of each image."""
    return x.abs().flatten(1).amax(1)


def shaped(values: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    return values.view(-1, *[1] * (like.dim() - 1))
