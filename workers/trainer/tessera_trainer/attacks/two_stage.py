"""First fool the segmenter, then the classifier from there (appendix E.4). Four ways to choose what it should see."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from ..randomness import Streams
from ..snapshot import UNLABELLED
from .pgd import pgd, random_start
from .victim import Victim, project


@dataclass
class MaskBank:
    """Masks of other images to steer towards, and how sure the second stage is of each (only for sorting)."""

    masks: torch.Tensor  # M × H × W
    labels: torch.Tensor  # M
    confidence: torch.Tensor | None  # M × C


# A mask as the second stage would get it from a sure segmenter.
SURE = 10.0


def mask_bank(victim: Victim, masks: torch.Tensor, labels: torch.Tensor, channels: int, sort: bool) -> MaskBank:
    if not sort:
        return MaskBank(masks, labels, None)
    rows = []
    for start in range(0, len(masks), 32):
        block = masks[start : start + 32]
        hot = F.one_hot(torch.where(block == UNLABELLED, torch.zeros_like(block), block), channels)
        image = torch.full((len(block), 3, *block.shape[1:]), 0.5, device=masks.device)
        with torch.no_grad():
            rows.append(victim.net.classify_masks(SURE * hot.permute(0, 3, 1, 2).float(), image).softmax(1))
    return MaskBank(masks, labels, torch.cat(rows))


def choose(
    strategy: str, bank: MaskBank, logits: torch.Tensor, labels: torch.Tensor, restart: int, streams: Streams
) -> torch.Tensor:
    """The target mask of each image. An image of whose target class there is no mask takes any other class."""
    draw = streams.then(f"mask {restart}").uniform((2,))
    chosen = []
    for row in range(len(labels)):
        wrong = bank.labels != labels[row]
        if not bool(wrong.any()):  # A test of one class: any mask is better than none.
            wrong = torch.ones_like(wrong)
        if strategy != "random":
            guess = logits[row].clone()
            guess[labels[row]] = float("-inf")
            of_guess = bank.labels == guess.argmax()
            wrong = of_guess if bool(of_guess.any()) else wrong
        candidates = wrong.nonzero()[:, 0]
        if strategy == "random":
            kinds = bank.labels[candidates].unique()
            kind = kinds[int(draw[row, 0] * len(kinds)) % len(kinds)]
            candidates = candidates[bank.labels[candidates] == kind]
        if strategy == "confident-sorted" and bank.confidence is not None:
            sure = bank.confidence[candidates, bank.labels[candidates]]
            chosen.append(candidates[sure.argsort(descending=True)[restart % len(candidates)]])
        else:
            chosen.append(candidates[int(draw[row, 1] * len(candidates)) % len(candidates)])
    return bank.masks[torch.stack(chosen)]


def guiding(
    victim: Victim, x: torch.Tensor, target: torch.Tensor, towards: bool, eps: float, steps: int, step: float,
    streams: Streams,
) -> torch.Tensor:  # fmt: skip
    """A picture whose mask is as near to the target as the ball allows, or as far from it."""
    moving = random_start(x, eps, streams)
    sign = -1.0 if towards else 1.0
    for _ in range(steps):
        with torch.enable_grad():
            moving = moving.detach().requires_grad_()
            loss = F.cross_entropy(victim.masks(moving), target, ignore_index=UNLABELLED, reduction="sum")
            (gradient,) = torch.autograd.grad(loss, moving)
        victim.backwards += len(x)
        moving = project(moving.detach() + sign * step * gradient.sign(), x, eps)
    return moving


def two_stage(
    victim: Victim, x: torch.Tensor, labels: torch.Tensor, own_masks: torch.Tensor, bank: MaskBank, strategy: str,
    eps: float, steps: int, step: float, restarts: int, streams: Streams,
) -> torch.Tensor:  # fmt: skip
    if eps == 0 or not len(x):
        return x.clone()
    logits = victim.logits(x)
    starts = []
    for restart in range(restarts):
        untargeted = strategy == "untargeted"
        target = own_masks if untargeted else choose(strategy, bank, logits, labels, restart, streams)
        own = streams.then(f"guide {restart}")
        starts.append(guiding(victim, x, target, not untargeted, eps, steps, step, own))
    return pgd(victim, x, labels, eps, steps, step, restarts, streams, starts)
