"""The chain of AutoAttack: each attack only sees images that still stand, and what they stand for is checked."""

from __future__ import annotations

from typing import Callable

import torch

from ..failure import SOFTWARE, Failure
from ..randomness import Streams
from .apgd import apgd, apgd_targeted, cross_entropy_loss
from .fab import fab
from .square import square
from .victim import Victim, cross_entropy

Attack = Callable[[Victim, torch.Tensor, torch.Tensor, Streams], torch.Tensor]


def chain(classes: int, eps: float, iterations: int, targets: int, queries: int) -> list[tuple[str, Attack]]:
    """DLR divides by a difference of the third and fourth logit: with fewer than four classes it is left out."""
    first: tuple[str, Attack] = (
        "apgd-ce", lambda v, x, y, s: apgd(v, x, y, eps, iterations, cross_entropy_loss(y), s),
    )  # fmt: skip
    last: tuple[str, Attack] = ("square", lambda v, x, y, s: square(v, x, y, eps, queries, s))
    if classes < 4:
        return [first, ("fab", lambda v, x, y, s: fab(v, x, y, eps, iterations, None)), last]
    return [
        first,
        ("apgd-t", lambda v, x, y, s: apgd_targeted(v, x, y, eps, iterations, targets, s)),
        ("fab-t", lambda v, x, y, s: fab(v, x, y, eps, iterations, targets)),
        last,
    ]


def verify(found: torch.Tensor, x: torch.Tensor, eps: float, name: str) -> None:
    """An attack that leaves the ball would make the model look worse than it is."""
    if not bool(torch.isfinite(found).all()):
        raise Failure(SOFTWARE, "attack-invalid", f"{name} made a picture with values that are not numbers.")
    if bool((found < 0).any()) or bool((found > 1).any()) or bool(((found - x).abs() > eps + 1e-6).any()):
        raise Failure(SOFTWARE, "attack-invalid", f"{name} left the ball of {eps:.5f} or the range of a picture.")


def run_chain(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, eps: float, attacks: list[tuple[str, Attack]], streams: Streams
) -> list[str | None]:
    """The attack that broke each image: `clean` if it was wrong before any, None if it stands."""
    broken: list[str | None] = [None] * len(x)
    right = victim.logits(x).argmax(1) == labels
    for row in (~right).nonzero()[:, 0].tolist():
        broken[row] = "clean"
    rows = right.nonzero()[:, 0]
    for name, attack in attacks:
        if not len(rows):
            break
        found = attack(victim, x[rows], labels[rows], streams.pick(rows).then(name))
        verify(found, x[rows], eps, name)
        stands = victim.logits(found).argmax(1) == labels[rows]
        for row in rows[~stands].tolist():
            broken[row] = name
        rows = rows[stands]
    return broken


def suspicions(victim: Victim, x: torch.Tensor, labels: torch.Tensor) -> list[tuple[str, str]]:
    """Three reasons not to believe a robust accuracy, seen before any attack."""
    found = []
    first, second = victim.logits(x), victim.logits(x)
    if not torch.equal(first, second) and float((first - second).abs().max()) > 1e-4:
        found.append(("randomised", "The model answers differently each time: attacks need the mean of its answers."))
    shares = bool((first >= 0).all()) and float((first.sum(1) - 1).abs().max()) < 1e-5
    if shares:
        found.append(("softmax-output", "The model gives probabilities instead of logits: gradients may vanish."))
    _, _, gradient = victim.gradient(x, cross_entropy(labels))
    flat = (gradient.flatten(1) == 0).all(1)
    if bool(flat.any()):
        found.append(("zero-gradient", f"{int(flat.sum())} of {len(x)} images have no gradient: it may be masked."))
    return found
