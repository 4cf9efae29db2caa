"""PGD that finds its own step size: halves it when the loss stops rising and goes on from the best point."""

from __future__ import annotations

from typing import Callable

import torch
import torch.nn.functional as F

from ..randomness import Streams
from .victim import Victim, largest, project, shaped

# Of the logits and of the places in the batch they belong to, as images that fell are left out.
RowLoss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]

MOMENTUM = 0.75
RISING = 0.75


def cross_entropy_loss(labels: torch.Tensor) -> RowLoss:
    return lambda logits, rows: F.cross_entropy(logits, labels[rows], reduction="none")


def dlr(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Difference of logits ratio: how far the label is behind, in units of the spread of the best three."""
    order = logits.sort(1).values
    right = logits.gather(1, labels[:, None])[:, 0]
    is_best = order[:, -1] == right
    other = torch.where(is_best, order[:, -2], order[:, -1])
    return -(right - other) / (order[:, -1] - order[:, -3] + 1e-12)


def targeted_dlr(logits: torch.Tensor, labels: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    order = logits.sort(1).values
    right = logits.gather(1, labels[:, None])[:, 0]
    wanted = logits.gather(1, targets[:, None])[:, 0]
    return -(right - wanted) / (order[:, -1] - 0.5 * (order[:, -3] + order[:, -4]) + 1e-12)


def apgd(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, eps: float, iterations: int, loss: RowLoss, streams: Streams
) -> torch.Tensor:
    found = x.clone()
    if eps == 0 or not len(x):
        return found
    noise = streams.then("start").uniform(x.shape[1:], -1, 1).to(x.device)
    start = (x + eps * noise / shaped(largest(noise), noise)).clamp(0, 1)
    rows = torch.arange(len(x), device=x.device)
    logits, value, gradient = victim.gradient(start, lambda z: loss(z, rows))
    # Everything that belongs to one image, so that fallen images can be left out together.
    s = {
        "x": x, "rows": rows, "here": start, "before": start, "best": start, "gradient": gradient,
        "best_gradient": gradient, "best_value": value, "value": value, "rises": torch.zeros_like(value),
        "step": torch.full_like(value, 2 * eps), "checked_value": value,
        "just_halved": torch.ones_like(value, dtype=torch.bool),
    }  # fmt: skip
    found[rows] = start
    s = keep(s, logits.argmax(1) == labels)
    interval = max(int(0.22 * iterations), 1)
    shortest, shorter = max(int(0.06 * iterations), 1), max(int(0.03 * iterations), 1)
    since = 0
    for iteration in range(iterations):
        if not len(s["rows"]):
            break
        step, share = shaped(s["step"], x), MOMENTUM if iteration else 1.0
        towards = project(s["here"] + step * s["gradient"].sign(), s["x"], eps)
        moved = s["here"] + share * (towards - s["here"]) + (1 - share) * (s["here"] - s["before"])
        s["before"], s["here"] = s["here"], project(moved, s["x"], eps)
        logits, value, s["gradient"] = victim.gradient(s["here"], lambda z: loss(z, s["rows"]))
        s["rises"] = s["rises"] + (value > s["value"])
        s["value"] = value
        better = value > s["best_value"]
        s["best"] = torch.where(shaped(better, x), s["here"], s["best"])
        s["best_gradient"] = torch.where(shaped(better, x), s["gradient"], s["best_gradient"])
        s["best_value"] = torch.where(better, value, s["best_value"])
        found[s["rows"]] = s["here"]
        s = keep(s, logits.argmax(1) == labels[s["rows"]])
        since += 1
        if since == interval:
            s = halve_where_stuck(s, interval)
            interval, since = max(interval - shorter, shortest), 0
    return found


def halve_where_stuck(s: dict[str, torch.Tensor], interval: int) -> dict[str, torch.Tensor]:
    """Few steps of the interval rose, or the step was not halved last time and still nothing better was found."""
    stuck = (s["rises"] <= RISING * interval) | (~s["just_halved"] & (s["checked_value"] >= s["best_value"]))
    s["just_halved"], s["checked_value"] = stuck, s["best_value"]
    s["rises"] = torch.zeros_like(s["rises"])
    s["step"] = torch.where(stuck, s["step"] / 2, s["step"])
    wide = shaped(stuck, s["here"])
    s["here"] = torch.where(wide, s["best"], s["here"])
    s["gradient"] = torch.where(wide, s["best_gradient"], s["gradient"])
    return s


def keep(s: dict[str, torch.Tensor], stands: torch.Tensor) -> dict[str, torch.Tensor]:
    return s if bool(stands.all()) else {name: value[stands] for name, value in s.items()}


def next_best(logits: torch.Tensor, labels: torch.Tensor, count: int) -> torch.Tensor:
    """B × count: the classes a model would most likely take for another, best first."""
    others = logits.scatter(1, labels[:, None], float("-inf"))
    return others.sort(1, descending=True).indices[:, : min(count, logits.shape[1] - 1)]


def apgd_targeted(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, eps: float, iterations: int, targets: int, streams: Streams
) -> torch.Tensor:
    found = x.clone()
    ranked = next_best(victim.logits(x), labels, targets)
    rows = torch.arange(len(x), device=x.device)
    for place in range(ranked.shape[1]):
        if not len(rows):
            break
        mine, wanted = labels[rows], ranked[rows, place]
        tried = apgd(
            victim, x[rows], mine, eps, iterations,
            lambda z, at, mine=mine, wanted=wanted: targeted_dlr(z, mine[at], wanted[at]),
            streams.pick(rows).then(f"target {place}"),
        )  # fmt: skip
        found[rows] = tried
        rows = rows[victim.logits(tried).argmax(1) == mine]
    return found
