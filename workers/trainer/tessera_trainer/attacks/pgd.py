"""Projected gradient ascent in the L∞ ball, from a random start."""

from __future__ import annotations

import torch

from ..randomness import Streams
from .victim import Loss, Victim, cross_entropy, project


def random_start(x: torch.Tensor, eps: float, streams: Streams) -> torch.Tensor:
    noise = streams.then("start").uniform(x.shape[1:], -eps, eps).to(x.device)
    return (x + noise).clamp(0, 1)


def ascend(
    victim: Victim, x: torch.Tensor, start: torch.Tensor, eps: float, steps: int, step: float, loss: Loss
) -> torch.Tensor:
    """All steps for all images: what training uses. The net must be in eval mode."""
    adversarial = start
    for _ in range(steps):
        _, _, gradient = victim.gradient(adversarial, loss)
        adversarial = project(adversarial + step * gradient.sign(), x, eps)
    return adversarial.detach()


def pgd(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, eps: float, steps: int, step: float, restarts: int,
    streams: Streams, starts: list[torch.Tensor] | None = None,
) -> torch.Tensor:  # fmt: skip
    """For evaluation: an image that is wrong at any step of any restart is done with; the rest gets the next restart."""
    found = x.clone()
    if eps == 0:
        return found
    rows = (victim.logits(x).argmax(1) == labels).nonzero()[:, 0]
    for restart in range(restarts):
        if not len(rows):
            break
        picked = streams.pick(rows).then(f"restart {restart}")
        moving = starts[restart][rows] if starts else random_start(x[rows], eps, picked)
        active = rows
        for count in range(steps + 1):
            if count < steps:
                logits, _, gradient = victim.gradient(moving, cross_entropy(labels[active]))
            else:
                logits, gradient = victim.logits(moving), torch.zeros_like(moving)
            stands = logits.argmax(1) == labels[active]
            found[active] = moving
            moving, gradient, active = moving[stands], gradient[stands], active[stands]
            if not len(active):
                break
            moving = project(moving + step * gradient.sign(), x[active], eps)
        rows = active
    return found
