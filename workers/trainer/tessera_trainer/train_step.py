"""One step of one of the three methods, in as many pieces as the spec says, over as many ranks as there are."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any, Callable

import torch
import torch.nn as nn

from .attacks.pgd import ascend, random_start
from .attacks.victim import Victim, cross_entropy
from .batches import Batch
from .failure import SOFTWARE, Failure
from .losses import Divisors, centroid_loss, class_loss, divergence, divisors, mask_loss, over
from .models.build import Output, dropouts_of, layout_of, set_streams
from .randomness import Streams
from .ranks import Ranks


def nothing() -> None:
    pass


def new_scaler() -> Any:
    """Where this torch has it."""
    newer = getattr(torch.amp, "GradScaler", None)
    return newer("cuda") if newer else torch.cuda.amp.GradScaler()


class Stepper:
    def __init__(
        self, net: nn.Module, spec: dict[str, Any], ranks: Ranks, device: torch.device, groups: list[int], classes: int
    ) -> None:
        self.net = net.to(memory_format=layout_of(spec["model"]))
        self.ranks, self.device = ranks, device
        self.train, self.groups = spec["train"], groups
        self.dropouts = dropouts_of(net)
        self.centroid = spec["data"]["labels"] == "centroid"
        self.amp = self.train["precision"] == "amp" and device.type == "cuda"
        self.scaler = new_scaler() if self.amp else None
        matrix = torch.zeros(len(groups), classes)
        if groups:
            matrix[torch.arange(len(groups)), torch.tensor(groups)] = 1
        self.matrix = matrix.to(device)
        self.before: list[int] = []  # The images of the last step.
        self.optimizer = self.new_optimizer()

    def new_optimizer(self) -> torch.optim.SGD:
        decayed, spared = [], []
        for name, parameter in self.net.named_parameters():
            bare = self.train["decay"] == "published" and any(word in name for word in ("bias", "bn", "ln"))
            (spared if bare else decayed).append(parameter)
        groups = [{"params": decayed, "weight_decay": self.train["weightDecay"]}, {"params": spared, "weight_decay": 0}]
        self.optimizer = torch.optim.SGD(groups, lr=0.1, momentum=self.train["momentum"])
        return self.optimizer

    def half(self) -> Any:
        return torch.autocast(self.device.type, dtype=torch.float16) if self.amp else nullcontext()

    def adversarial(self, piece: Batch, stage: dict[str, Any], check: Callable[[], None]) -> torch.Tensor:
        """With the net in eval mode: an attack must not move the statistics it is trained with."""
        attack, victim = stage["attack"], Victim(self.net, check)
        self.net.eval()
        start = random_start(piece.images, attack["eps"], piece.streams.then("attack"))
        with self.half():
            if stage["method"] == "trades":
                clean = victim.logits(piece.images)
                loss = lambda logits: divergence(clean, logits)  # noqa: E731
            else:
                loss = cross_entropy(piece.labels)
            return ascend(victim, piece.images, start, attack["eps"], attack["steps"], attack["step"], loss)

    def mask_term(self, out: Output, piece: Batch, by: Divisors) -> torch.Tensor:
        masks = out.masks.float()
        if self.centroid:
            return centroid_loss(self.net, masks, piece, by, self.matrix)
        return mask_loss(masks, piece, by)

    def piece_loss(
        self, piece: Batch, stage: dict[str, Any], by: Divisors, check: Callable[[], None]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The piece's share of the step's loss, and the logits it was judged by."""
        share, method = self.train["cSeg"], stage["method"]
        images = piece.images if method == "clean" else self.adversarial(piece, stage, check)
        if not self.net.training:  # To go through all its parts at every step takes a few percent of a small net's time.
            self.net.train()
        dropout = piece.streams.then("dropout")
        if method != "trades":
            set_streams(self.dropouts, dropout)
            with self.half():
                out = self.net(images)
            logits = out.logits.float()
            loss = (1 - share) * class_loss(logits, piece, by)
            return loss + share * self.mask_term(out, piece, by) if share else loss, logits
        # Clean and adversarial in one pass, so that they share the statistics of batch norm.
        set_streams(self.dropouts, Streams.joined(dropout, piece.streams.then("dropout of the adversarial")))
        with self.half():
            both = self.net(torch.cat([piece.images, images]))
        n = len(piece)
        clean, moved = both.logits[:n].float(), both.logits[n:].float()
        loss = (1 - share) * class_loss(clean, piece, by)
        loss = loss + stage["beta"] * over((divergence(clean, moved) * piece.weights).sum(), by.images)
        if share:
            adversarial = Output(moved, both.masks[n:], both.features)
            loss = loss + share * self.mask_term(adversarial, piece, by)
        return loss, moved

    def step(self, batch: Batch, stage: dict[str, Any], at: int, asked: bool, check: Callable[[], None]) -> dict[str, Any]:
        """Gradients, their sum over the ranks, and the change of the weights. `stop` is what any rank asked for."""
        *counted, images = self.ranks.sums(*divisors(batch, len(self.groups), self.centroid), len(batch))
        by = Divisors(*counted)
        batch = batch.to(self.device)
        self.optimizer.zero_grad(set_to_none=True)
        # As many on every rank, although some have an image less: at each, batch norm waits for all of them.
        pieces = min(self.train["accumulate"], int(images) // self.ranks.world)
        cuts = [len(batch) * index // pieces for index in range(pieces + 1)]
        loss, right = 0.0, 0
        for index, (start, end) in enumerate(zip(cuts, cuts[1:])):
            piece = batch if pieces == 1 else batch.part(start, end)
            # Once a piece went through batch norm the step must be finished.
            term, logits = self.piece_loss(piece, stage, by, check if index == 0 else nothing)
            (self.scaler.scale(term) if self.scaler else term).backward()
            loss += float(term.detach())
            right += int((logits.argmax(1) == piece.labels).sum())
        loss, right, count, stop = self.share_gradients(loss, right, len(batch), asked)
        if not math.isfinite(loss):
            raise self.not_finite(loss, at, batch.rows)
        self.before = batch.rows
        if self.scaler:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()
        return {"loss": loss, "correct": int(right), "n": int(count), "stop": stop > 0}

    def not_finite(self, loss: float, at: int, rows: list[int]) -> Failure:
        """A loss can be a number and its gradient none: then the weights are spoiled, and the step before has done it."""
        is_spoiled = bool(self.before) and not all(bool(torch.isfinite(p).all()) for p in self.net.parameters())
        step, to_name = (at - 1, self.before) if is_spoiled else (at, rows)
        named = sorted(row for found in self.ranks.gather(to_name) for row in found)
        what = f"The gradient of step {step} is not a number" if is_spoiled else f"The loss is {loss} at step {step}"
        message = f"{what}. A smaller learning rate usually helps; the images are named."
        return Failure(SOFTWARE, "not-finite", message, step=step, rows=named)

    def share_gradients(self, loss: float, right: float, count: float, asked: bool) -> tuple[float, float, float, float]:
        """One message for all: gradients, what is counted, and whether someone wants to stop."""
        if self.ranks.world == 1:
            return loss, right, count, 0.0
        gradients = [p.grad for p in self.net.parameters() if p.grad is not None]
        told = gradients[0].new_tensor([loss, right, count, float(asked)])
        flat = self.ranks.sum_(torch.cat([g.flatten() for g in gradients] + [told]))
        offset = 0
        for gradient in gradients:
            gradient.copy_(flat[offset : offset + gradient.numel()].view_as(gradient))
            offset += gradient.numel()
        loss, right, count, stop = flat[-4:].tolist()
        return loss, right, count, stop
