"""How good the net is on images it was not trained on, clean and under a quick attack."""

from __future__ import annotations

from typing import Any, Sequence

import torch

from .attacks.pgd import pgd
from .attacks.victim import Victim
from .batches import sample_rows
from .context import Context
from .metrics import Counts, accuracy


def clean_counts(context: Context, rows: Sequence[int]) -> Counts:
    counts = Counts(len(context.snapshot.classes), context.channels)
    context.net.eval()
    with torch.no_grad():
        for share in context.shares(rows, context.batch_size):
            if share:
                batch = context.loader.view(share).to(context.device)
                logits, masks, _ = context.net(batch.images)
                counts.add(logits, masks, batch)
    return counts.over(context.ranks)


def adversarial_accuracy(context: Context, rows: Sequence[int], attack: dict[str, Any]) -> dict[str, Any]:
    context.net.eval()
    victim, right, n = Victim(context.net, context.check), 0, 0
    for share in context.shares(rows, context.batch_size):
        if not share:
            continue
        batch = context.loader.view(share, "validation attack").to(context.device)
        found = pgd(
            victim, batch.images, batch.labels, attack["eps"], attack["steps"], attack["step"], 1, batch.streams
        )
        right += int((victim.logits(found).argmax(1) == batch.labels).sum())
        n += len(share)
    right_all, n_all = context.ranks.sums(right, n)
    return accuracy(int(right_all), int(n_all))


def validate(context: Context) -> dict[str, Any]:
    """The same images and the same random starts every time, so that epochs can be compared."""
    wanted = context.spec["validate"]
    rows = context.snapshot.rows("val")
    found: dict[str, Any] = {"clean": clean_counts(context, rows.tolist()).summary()}
    if wanted["attack"]:
        picked = sample_rows(context.snapshot, rows, wanted["sample"], context.spec["train"]["seed"], "validation")
        found["adv"] = adversarial_accuracy(context, picked, wanted["attack"])
    return found


def is_better(found: dict[str, Any], best: dict[str, Any] | None, select: str) -> bool:
    """By adversarial accuracy, then by clean; a tie keeps the earlier epoch."""
    if select == "last" or best is None:
        return True
    names = ["adv", "clean"] if select == "adv" else ["clean"]
    return [found[name]["accuracy"] for name in names] > [best[name]["accuracy"] for name in names]
