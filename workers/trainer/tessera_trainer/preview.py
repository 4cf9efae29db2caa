"""Predicted masks of the same validation images after every validation: one can watch them get better."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from .checkpoint import Position
from .context import Context
from .job_dir import write_atomic, write_json
from .randomness import seed_of


def preview_rows(context: Context) -> list[int]:
    """Taken from the classes in turn."""
    snapshot, count = context.snapshot, context.spec["validate"]["previews"]
    ranked = sorted(
        snapshot.rows("val").tolist(), key=lambda row: seed_of(context.spec["train"]["seed"], "preview", snapshot.ids[row])
    )
    seen: dict[int, int] = {}
    order = []
    for row in ranked:
        turn = seen[snapshot.labels[row]] = seen.get(snapshot.labels[row], 0) + 1
        order.append((turn, snapshot.labels[row], row))
    return [row for _, _, row in sorted(order)[:count]]


def write_preview(context: Context, position: Position) -> None:
    """`previews/<stage>-<epoch>.u8`: n × size × size mask values, row by row; `previews/index.json` says of what, and
    `previews/truth.u8` what people drew."""
    rows = preview_rows(context)
    if not rows or not context.ranks.first:
        return
    context.net.eval()
    batch = context.loader.view(rows).to(context.device)
    with torch.no_grad():
        logits, masks, _ = context.net(batch.images)
    folder = context.job.root / "artifacts" / "previews"
    index = folder / "index.json"
    size = context.spec["data"]["size"]
    if not index.exists():
        write_json(index, {
            "images": [context.snapshot.ids[row] for row in rows], "labels": batch.labels.tolist(),
            "count": len(rows), "height": size, "width": size, "level": context.spec["model"]["level"],
        })  # fmt: skip
        context.job.artifact("preview-index", index)
        write_values(folder / "truth.u8", batch.masks)
        context.job.artifact("preview-truth", folder / "truth.u8")
    path = folder / f"{position.stage}-{position.epoch + 1:04d}.u8"
    write_values(path, masks.argmax(1))
    context.job.artifact("preview", path)
    context.job.event(
        "preview", stage=position.stage, epoch=position.epoch + 1, path=path.relative_to(context.job.root).as_posix(),
        predicted=logits.argmax(1).tolist(),
    )  # fmt: skip


def write_values(path: Path, masks: torch.Tensor) -> None:
    values = np.ascontiguousarray(masks.to(torch.uint8).cpu().numpy())
    write_atomic(path, lambda temporary: values.tofile(temporary))
