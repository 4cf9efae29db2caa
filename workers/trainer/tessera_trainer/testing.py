"""The tests of the spec on the chosen weights, image by image, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import time
from typing import Any

import torch

from .attacks.apgd import apgd, apgd_targeted, cross_entropy_loss
from .attacks.cascade import Attack, chain, run_chain, suspicions
from .attacks.fab import fab
from .attacks.pgd import pgd
from .attacks.square import square
from .attacks.two_stage import MaskBank, mask_bank, two_stage
from .attacks.victim import Victim
from .batches import Batch, sample_rows
from .context import Context
from .job_dir import read_json, write_json
from .metrics import accuracy
from .snapshot import UNLABELLED
from .validate import clean_counts

# More than this under the largest ball is suspicious (Table 11 ends below 2 %).
MASKED_ABOVE = 0.1
# Points that Square may take after the white-box attacks before it is suspicious.
SQUARE_SHARE = 0.002


class Testing:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.victim = Victim(context.net, context.check)
        self.store = context.job.root / "checkpoints" / "tests.json"
        # "test:ball" → row → what broke the image, or null.
        self.done: dict[str, dict[str, str | None]] = context.ranks.gather(read_json(self.store))[0] or {}
        self.bank: MaskBank | None = None

    def run(self) -> list[dict[str, Any]]:
        return [self.one(index, test) for index, test in enumerate(self.context.spec["test"])]

    def one(self, index: int, test: dict[str, Any]) -> dict[str, Any]:
        context = self.context
        context.heartbeat.phase = f"test {test['attack']}"
        context.net.eval()
        seed = context.spec["train"]["seed"]
        rows = sample_rows(context.snapshot, context.snapshot.rows("test"), test["sample"], seed, "test")
        if test["attack"] == "none":
            counts = clean_counts(context, rows)
            found = {**test, **counts.summary(), "confusion": counts.confusion.long().tolist()}
        elif test["attack"] == "sweep":
            balls = [self.attacked(f"{index}:{place}", rows, self.sweep_attack(test, eps), eps)
                     for place, eps in enumerate(test["eps"])]  # fmt: skip
            found = {**test, "balls": balls, **balls[-1], "eps": test["eps"]}
            self.warn_of_sweep(balls)
        else:
            attacks = self.attacks_of(test)
            found = {**test, **self.attacked(f"{index}:0", rows, attacks, test["eps"])}
            if test["attack"] == "autoattack":
                self.warn_of_square(found)
        context.job.event("metrics", split="test", test=index, **found)
        return found

    def attacked(self, key: str, rows: list[int], attacks: list[tuple[str, Attack]], eps: float) -> dict[str, Any]:
        context, done = self.context, self.done.setdefault(key, {})
        began, forwards, backwards = time.monotonic(), self.victim.forwards, self.victim.backwards
        open_rows = [row for row in rows if str(row) not in done]
        looked = bool(done)
        for share in context.shares(open_rows, context.batch_size):
            new: dict[str, str | None] = {}
            if share:
                # The streams are by image and test: neither batch nor rank nor a resume changes what an attack draws.
                batch = context.loader.view(share, f"test {key}").to(context.device)
                if not looked:
                    looked = True
                    self.warn_of_model(batch)
                broken = run_chain(self.victim, batch.images, batch.labels, eps, attacks, batch.streams)
                new = {str(row): name for row, name in zip(share, broken)}
            for found in context.ranks.gather(new):
                done.update(found)
            if context.ranks.first:
                write_json(self.store, self.done)
        return {
            "eps": eps, **self.tally(rows, done), "seconds": round(time.monotonic() - began, 1),
            "forwards": self.victim.forwards - forwards, "backwards": self.victim.backwards - backwards,
        }  # fmt: skip

    def tally(self, rows: list[int], done: dict[str, str | None]) -> dict[str, Any]:
        labels = self.context.snapshot.labels
        stands = {row: done[str(row)] is None for row in rows}
        per_class = []
        for label in range(len(self.context.snapshot.classes)):
            mine = [row for row in rows if labels[row] == label]
            per_class.append(accuracy(sum(stands[row] for row in mine), len(mine)))
        broken: dict[str, int] = {}
        for row in rows:
            if done[str(row)] is not None:
                broken[done[str(row)]] = broken.get(done[str(row)], 0) + 1
        ids = self.context.snapshot.ids
        return {
            **accuracy(sum(stands.values()), len(rows)), "perClass": per_class, "brokenBy": broken,
            "images": {ids[row]: done[str(row)] for row in rows},
        }  # fmt: skip

    def attacks_of(self, test: dict[str, Any]) -> list[tuple[str, Attack]]:
        name, eps = test["attack"], test["eps"]
        if name == "autoattack":
            classes = len(self.context.snapshot.classes)
            return chain(classes, eps, test["iterations"], test["targets"], test["queries"])
        if name == "pgd":
            return [(name, lambda v, x, y, s: pgd(v, x, y, eps, test["steps"], test["step"], test["restarts"], s))]
        if name == "apgd-ce":
            return [(name, lambda v, x, y, s: apgd(v, x, y, eps, test["iterations"], cross_entropy_loss(y), s))]
        if name == "apgd-t":
            return [(name, lambda v, x, y, s: apgd_targeted(v, x, y, eps, test["iterations"], test["targets"], s))]
        if name == "fab":
            return [(name, lambda v, x, y, s: fab(v, x, y, eps, test["iterations"], test["targets"]))]
        if name == "square":
            return [(name, lambda v, x, y, s: square(v, x, y, eps, test["queries"], s))]
        return [(name, self.two_stage_attack(test))]

    def sweep_attack(self, test: dict[str, Any], eps: float) -> list[tuple[str, Attack]]:
        # The published rule for the step of an evaluation.
        step = max(0.001, eps / 4 / (test["steps"] / 10))
        return [("pgd", lambda v, x, y, s: pgd(v, x, y, eps, test["steps"], step, test["restarts"], s))]

    def two_stage_attack(self, test: dict[str, Any]) -> Attack:
        def attack(victim: Victim, x: torch.Tensor, y: torch.Tensor, streams: Any) -> torch.Tensor:
            with torch.no_grad():
                # Away from what the segmenter says now: the truth may not be labelled.
                own = victim.masks(x).argmax(1)
            return two_stage(
                victim, x, y, own, self.masks_to_steer_to(test["strategy"]), test["strategy"], test["eps"], test["steps"],
                test["step"], test["restarts"], streams,
            )  # fmt: skip

        return attack

    def masks_to_steer_to(self, strategy: str) -> MaskBank:
        sort = strategy == "confident-sorted"
        if self.bank is None or (sort and self.bank.confidence is None):
            rows = sample_rows(self.context.snapshot, self.context.snapshot.rows("test"), 512, "bank")
            batch = self.context.loader.view(rows).to(self.context.device)
            masks = self.completed(batch)
            self.bank = mask_bank(self.victim, masks, batch.labels, self.context.channels, sort)
        return self.bank

    def completed(self, batch: Batch) -> torch.Tensor:
        """Masks as drawn, and as the segmenter sees them where nobody drew: nothing can be steered to what is not known."""
        masks, bare = batch.masks.clone(), (batch.masks == UNLABELLED).flatten(1).all(1).nonzero()[:, 0]
        with torch.no_grad():
            for rows in bare.split(self.context.batch_size):
                masks[rows] = self.victim.masks(batch.images[rows]).argmax(1)
        return masks

    def warn_of_model(self, batch: Batch) -> None:
        for code, message in suspicions(self.victim, batch.images, batch.labels):
            self.context.job.warn(code, message)

    def warn_of_square(self, found: dict[str, Any]) -> None:
        taken = found["brokenBy"].get("square", 0)
        if found["n"] and taken / found["n"] > SQUARE_SHARE:
            message = f"Square broke {taken} of {found['n']} images that gradients did not: they may be masked."
            self.context.job.warn("square-beats-gradients", message)

    def warn_of_sweep(self, balls: list[dict[str, Any]]) -> None:
        last = max(balls, key=lambda ball: ball["eps"])
        if last["n"] and last["accuracy"] > MASKED_ABOVE:
            message = (
                f"Accuracy is still {last['accuracy']:.1%} of {last['n']} images at eps {last['eps']:.4f}: "
                "it should approach 0, gradients may be masked."
            )
            self.context.job.warn("gradient-masking", message)
        ordered = sorted(balls, key=lambda ball: ball["eps"])
        if any(b["correct"] > a["correct"] for a, b in zip(ordered, ordered[1:])):
            self.context.job.warn("not-monotone", "A larger ball broke fewer images: the attack is too weak for it.")
