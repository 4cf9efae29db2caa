"""The nearest point of the boundary: steps onto the linearised boundary, drawn back towards the picture."""

from __future__ import annotations

import torch

from .apgd import next_best
from .victim import Victim, largest, shaped

OVERSHOOT = 1.05
BACK = 0.9
MAX_BIAS = 0.1


def to_hyperplane(point: torch.Tensor, normal: torch.Tensor, offset: torch.Tensor) -> torch.Tensor:
    """The smallest L∞ change that brings each point to normal · z = offset within [0, 1]; if the box does not reach it,
    as near as it goes. The reach of a change of size r grows piecewise linearly: sort the corners, find the piece."""
    missing = offset - (normal * point).sum(1)
    side = torch.where(missing >= 0, 1.0, -1.0).to(point)
    room = torch.where(side[:, None] * normal > 0, 1 - point, point)
    sorted_room, order = room.double().sort(1)
    weight = normal.abs().double().gather(1, order)
    full = (weight * sorted_room).cumsum(1)
    beyond = weight.flip(1).cumsum(1).flip(1)
    reach = full + sorted_room * (beyond - weight)
    need = missing.abs().double()[:, None]
    piece = torch.searchsorted(reach.contiguous(), need.contiguous()).clamp(max=room.shape[1] - 1)
    used = (full - weight * sorted_room).gather(1, piece)
    radius = (need - used) / beyond.gather(1, piece).clamp(min=1e-30)
    radius = torch.where(need > reach[:, -1:], torch.full_like(radius, 2.0), radius).to(point)
    return side[:, None] * normal.sign() * torch.minimum(room, radius.expand_as(room))


def differences(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, others: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """How far each other class is ahead of the label (B × T), and the gradients (B × T × pixels)."""
    victim.check()
    victim.forwards += len(x)
    victim.backwards += others.numel()
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        logits = victim.net(x)[0].float()
        ahead = logits.gather(1, others) - logits.gather(1, labels[:, None])
        gradients = [
            torch.autograd.grad(ahead[:, column].sum(), x, retain_graph=column + 1 < others.shape[1])[0].flatten(1)
            for column in range(others.shape[1])
        ]
    return ahead.detach(), torch.stack(gradients, 1)


def fab_towards(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, others: torch.Tensor, eps: float, iterations: int
) -> torch.Tensor:
    """Against the nearest of the other classes, or against the one that is given."""
    found, rows = x.clone(), torch.arange(len(x), device=x.device)
    here = x.clone()
    for _ in range(iterations):
        if not len(rows):
            break
        ahead, gradients = differences(victim, here, labels[rows], others[rows])
        nearest = (ahead.abs() / (gradients.abs().sum(2) + 1e-12)).argmin(1)
        pick = torch.arange(len(rows), device=x.device)
        normal, value = gradients[pick, nearest], ahead[pick, nearest]
        flat, origin = here.flatten(1), x[rows].flatten(1)
        offset = (normal * flat).sum(1) - value
        change, direct = to_hyperplane(flat, normal, offset), to_hyperplane(origin, normal, offset)
        near, far = largest(change).clamp(min=1e-8), largest(direct).clamp(min=1e-8)
        bias = (near / (near + far)).clamp(0, MAX_BIAS)[:, None]
        flat = (flat + OVERSHOOT * change) * (1 - bias) + (origin + OVERSHOOT * direct) * bias
        here = flat.clamp(0, 1).view_as(here)
        wrong = victim.logits(here).argmax(1) != labels[rows]
        inside = wrong & (largest(here - x[rows]) <= eps)
        found[rows[inside]] = here[inside]
        drawn_back = x[rows] + BACK * (here - x[rows])
        here = torch.where(shaped(wrong, here), drawn_back, here)
        here, rows = here[~inside], rows[~inside]
    return found


def fab(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, eps: float, iterations: int, targets: int | None
) -> torch.Tensor:
    """`targets` next-best classes one after the other, or all at once if None. It starts at the picture: no chance."""
    if eps == 0 or not len(x):
        return x.clone()
    logits = victim.logits(x)
    if targets is None:
        return fab_towards(victim, x, labels, next_best(logits, labels, logits.shape[1]), eps, iterations)
    ranked, found = next_best(logits, labels, targets), x.clone()
    rows = (logits.argmax(1) == labels).nonzero()[:, 0]
    for place in range(ranked.shape[1]):
        if not len(rows):
            break
        tried = fab_towards(victim, x[rows], labels[rows], ranked[rows, place : place + 1], eps, iterations)
        found[rows] = tried
        rows = rows[victim.logits(tried).argmax(1) == labels[rows]]
    return found
