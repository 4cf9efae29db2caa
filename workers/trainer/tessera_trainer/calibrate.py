"""`python3 -m tessera_trainer.calibrate <directory>`: how fast this worker is at each stage of a job, measured with the
job's own model and pictures of noise; nothing is written."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .batches import Loader
from .capabilities import processors
from .models.build import build_model
from .process import use_threads
from .ranks import Ranks
from .snapshot import Snapshot, locate
from .train_step import Stepper
from .validate_spec import read_spec


def noise(spec: dict[str, Any], manifest: dict[str, Any]) -> Snapshot:
    """As many images as a step takes, shaped like the snapshot's."""
    count, size = spec["train"]["batchSize"], spec["data"]["size"]
    random = np.random.default_rng(0)
    parts = len(manifest["parts"])
    return Snapshot(
        manifest={**manifest, "count": count, "height": size, "width": size},
        images=random.integers(0, 256, (count, size, size, 3), dtype=np.uint8),
        masks=random.integers(0, parts + 1, (count, size, size), dtype=np.uint8),
        labels=np.arange(count) % len(manifest["classes"]),
        weights=np.ones(count, np.float32),
        splits=np.zeros(count, np.uint8),
        ids=[str(row) for row in range(count)],
    )


def rate(stepper: Stepper, loader: Loader, stage: dict[str, Any], seconds: float) -> float:
    """Images a second by the fastest of the steps that fit into the time; the first warms up."""
    ends, best = time.monotonic() + seconds, float("inf")
    for index in range(1_000):
        began = time.monotonic()
        stepper.step(loader.batch(0, index, 0), stage, index + 1, False, lambda: None)
        if index or time.monotonic() - began > seconds:
            best = min(best, time.monotonic() - began)
        if time.monotonic() > ends and best < float("inf"):
            break
    return loader.batch_size / best


def calibrate(spec: dict[str, Any], manifest: dict[str, Any], images: int, seconds: float) -> dict[str, Any]:
    device = torch.device("cuda" if spec["resources"]["device"] != "cpu" and torch.cuda.is_available() else "cpu")
    use_threads(spec["resources"]["threads"] or processors())
    snapshot = noise(spec, manifest)
    classes, parts = len(snapshot.classes), snapshot.part_class
    net = build_model(spec, classes, parts).to(device)
    groups = list(range(classes)) if spec["model"]["level"] == "object" else parts
    stepper, loader = Stepper(net, spec, Ranks(), device, groups, classes), Loader(snapshot, spec)
    found, hours = [], 0.0
    for stage in spec["stages"]:
        speed = rate(stepper, loader, stage, seconds / len(spec["stages"]))
        hours += images * stage["epochs"] / speed / 3600
        found.append({"stage": stage["name"], "method": stage["method"], "imagesPerSecond": round(speed, 3)})
    # Validations and tests come on top of this.
    return {"device": str(device), "threads": torch.get_num_threads(), "stages": found, "trainHours": hours}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    spec = read_spec(given.directory / "job.json")
    folder = locate(given.directory)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    splits = np.fromfile(folder / "splits.u8", np.uint8)
    print(json.dumps(calibrate(spec, manifest, int((splits == 0).sum()), given.seconds)))


if __name__ == "__main__":
    main()
