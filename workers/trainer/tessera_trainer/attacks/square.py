"""Random squares of ±eps, kept when they help: needs no gradient, so it tells when gradients mislead."""

from __future__ import annotations

import math

import torch

from ..randomness import Streams
from .victim import Victim, project, shaped

FIRST_SHARE = 0.8
HALVINGS = (10, 50, 200, 500, 1000, 2000, 4000, 6000, 8000)


def side_of(iteration: int, height: int, width: int) -> int:
    share = FIRST_SHARE / 2 ** sum(iteration > limit for limit in HALVINGS)
    return min(max(1, round(math.sqrt(share * height * width))), height, width)


def margin(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    right = logits.gather(1, labels[:, None])[:, 0]
    return right - logits.scatter(1, labels[:, None], float("-inf")).amax(1)


def square(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, eps: float, queries: int, streams: Streams
) -> torch.Tensor:
    found = x.clone()
    if eps == 0 or not len(x):
        return found
    channels, height, width = x.shape[1:]
    stripes = streams.then("stripes").uniform((channels, 1, width), -1, 1).sign().to(x.device)
    draws = streams.then("squares").uniform((queries, 2 + channels)).to(x.device)
    here = (x + eps * stripes).clamp(0, 1)
    rows = torch.arange(len(x), device=x.device)
    value = margin(victim.logits(here), labels)
    found[rows] = here
    rows, here, value = rows[value > 0], here[value > 0], value[value > 0]
    down, across = torch.arange(height, device=x.device), torch.arange(width, device=x.device)
    for query in range(1, queries):
        if not len(rows):
            break
        side = side_of(query, height, width)
        draw = draws[rows, query]
        top = (draw[:, 0] * (height - side + 1)).long().clamp(max=height - side)[:, None]
        left = (draw[:, 1] * (width - side + 1)).long().clamp(max=width - side)[:, None]
        inside = (((down >= top) & (down < top + side))[:, :, None]) & ((across >= left) & (across < left + side))[:, None]
        sign = torch.where(draw[:, 2:] < 0.5, -1.0, 1.0)[:, :, None, None]
        tried = project(here + 2 * eps * sign * inside[:, None], x[rows], eps)
        new = margin(victim.logits(tried), labels[rows])
        better = new < value
        here = torch.where(shaped(better, here), tried, here)
        value = torch.where(better, new, value)
        found[rows] = here
        stands = value > 0
        rows, here, value = rows[stands], here[stands], value[stands]
    return found
