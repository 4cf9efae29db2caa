"""Small jobs with made pictures: each class is two coloured bars (its parts) in an order of its own."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np

TRAINER = Path(__file__).resolve().parents[1]
SIZE = 32

SPEC: dict[str, Any] = {
    "schema": "tessera-train/1", "id": "test", "preset": None, "attemptLimit": 3,
    "data": {
        "snapshot": "", "size": SIZE, "view": "whole", "labels": "mask", "labelledFraction": 1, "classWeights": "none",
        "labelWeights": False, "augment": {"area": [0.5, 1], "ratio": [0.75, 1.3333333], "flip": 0.5},
    },
    "model": {
        "arch": "downsampled", "backbone": "tiny", "level": "part", "background": True, "pool": 4, "withImage": False,
        "segmenter": {"channels": 8, "rates": [1, 2, 3], "dropout": 0.5}, "init": {"kind": "random"},
    },
    "stages": [{"name": "clean", "method": "clean", "epochs": 2, "from": "last", "lr": 0.05}],
    "train": {
        "batchSize": 8, "accumulate": 1, "momentum": 0.9, "weightDecay": 0.0005, "decay": "published",
        "schedule": "cosine-epoch", "cSeg": 0.5, "precision": "fp32", "syncBn": True, "seed": 7, "logEvery": 1,
        "checkpointSeconds": 0,
    },
    "validate": {"every": 1, "attack": None, "select": "clean", "patience": None, "sample": None, "previews": 2},
    "test": [{"attack": "none", "sample": None}],
    "resources": {"device": "cpu", "gpus": 0, "nodes": 1, "threads": 1, "memoryGb": None, "wallMinutes": None},
}  # fmt: skip


def changed(**paths: Any) -> dict[str, Any]:
    """The spec with `data__labels="box"` and the like."""
    spec = copy.deepcopy(SPEC)
    for path, value in paths.items():
        *steps, last = path.split("__")
        place = spec
        for step in steps:
            place = place[step]
        place[last] = value
    return spec


def pictures(count: int, classes: int, parts_each: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    images = random.integers(60, 120, (count, SIZE, SIZE, 3), dtype=np.uint8)
    masks = np.zeros((count, SIZE, SIZE), np.uint8)
    labels = (np.arange(count) % classes).astype("<u2")
    colours = np.random.default_rng(1).integers(0, 255, (classes * parts_each, 3))
    for row in range(count):
        top = int(random.integers(2, 8))
        for index in range(parts_each):
            part = int(labels[row]) * parts_each + index
            height = max(1, 20 // parts_each)
            cut = slice(top + index * height, top + (index + 1) * height)
            images[row, cut, 6:26] = colours[part]
            masks[row, cut, 6:26] = part + 1
    return images, masks, labels


def write_snapshot(
    folder: Path, count: int = 48, classes: int = 3, parts_each: int = 2, splits: np.ndarray | None = None, **arrays: Any
) -> str:
    """The hash of the manifest. `arrays` replaces what was made."""
    folder.mkdir(parents=True, exist_ok=True)
    images, masks, labels = pictures(count, classes, parts_each)
    if splits is None:
        # By whole rounds of the classes, so that each split has all of them.
        splits = np.array([[0, 0, 0, 0, 1, 2][row // classes % 6] for row in range(count)], np.uint8)
    files = {
        "images.u8": arrays.get("images", images), "masks.u8": arrays.get("masks", masks),
        "labels.u16": arrays.get("labels", labels).astype("<u2"), "splits.u8": splits.astype(np.uint8),
        "weights.f32": arrays.get("weights", np.ones(count)).astype("<f4"),
    }  # fmt: skip
    manifest: dict[str, Any] = {
        "schema": "tessera-snapshot/1", "count": count, "height": SIZE, "width": SIZE,
        "classes": [f"class {index}" for index in range(classes)],
        "parts": [{"name": f"part {i}", "class": i // parts_each} for i in range(classes * parts_each)],
        "geometry": "stretch", "files": {},
    }  # fmt: skip
    for name, value in files.items():
        raw = np.ascontiguousarray(value).tobytes()
        (folder / name).write_bytes(raw)
        manifest["files"][name] = {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
    (folder / "ids.json").write_text(json.dumps([f"image-{row:03d}" for row in range(count)]))
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return "sha256:" + hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()


class Job:
    """A job directory of its own, gone with the object."""

    def __init__(self, spec: dict[str, Any] | None = None, **snapshot: Any) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="tessera-trainer-"))
        weakref.finalize(self, shutil.rmtree, self.root, ignore_errors=True)
        self.spec = copy.deepcopy(spec or SPEC)
        self.spec["data"]["snapshot"] = write_snapshot(self.root / "data", **snapshot)
        self.write()

    def write(self) -> None:
        (self.root / "job.json").write_text(json.dumps(self.spec))

    def start(self, **environment: str) -> subprocess.Popen[bytes]:
        with open(self.root / "log.txt", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tessera_trainer", str(self.root)], cwd=TRAINER,
                env={**os.environ, **environment}, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def run(self, **environment: str) -> int:
        return self.start(**environment).wait()

    def here(self) -> int:
        """In this process: imports and threads are there already."""
        from tessera_trainer.worker import Worker

        return Worker(self.root).run()

    @property
    def result(self) -> dict[str, Any]:
        return json.loads((self.root / "result.json").read_text())

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.root / "events.jsonl").read_text().splitlines()]

    def bytes_of(self, name: str) -> bytes:
        return (self.root / "artifacts" / name).read_bytes()

    @property
    def log(self) -> str:
        return (self.root / "log.txt").read_text()
